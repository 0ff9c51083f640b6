package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/seed-09dcdc84/ur/solve"
)

// Exit codes of the command line.
const (
	exitDone         = 0
	exitFailure      = 1
	exitUsage        = 2   // bad usage or bad input
	exitVerification = 3   // a gate or verification failed
	exitInconclusive = 4   // a comparison that could not decide
	exitInterrupted  = 130 // by SIGINT or SIGTERM
)

// exitError is an error that asks for an exit code. Any other error is a failure,
// exit code 1.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// errInterrupted ends a command that was told to stop and has printed or saved
// what it finished.
var errInterrupted = &exitError{exitInterrupted, errors.New("interrupted")}

// usageError is an error in what the user typed or fed in: exit code 2. The
// message says what was wrong, where, and what would be right.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// verificationError is a gate or verification that failed: exit code 3.
func verificationError(format string, args ...any) error {
	return &exitError{exitVerification, fmt.Errorf(format, args...)}
}

// inconclusiveError is a comparison that could not decide: exit code 4.
func inconclusiveError(format string, args ...any) error {
	return &exitError{exitInconclusive, fmt.Errorf(format, args...)}
}

// exitCode returns the exit code that an error of [run] asks for.
func exitCode(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case unfitTable(err):
		return exitUsage
	}
	return exitFailure
}

// unfitTable reports whether an error is that of a table of the exact solution that is
// missing, too small or damaged. Whichever command came upon it, it is for the user to
// name or make another.
func unfitTable(err error) bool {
	var missing *solve.MissingTableError
	var small *solve.SmallTableError
	var damaged *solve.FormatError
	return errors.As(err, &missing) || errors.As(err, &small) || errors.As(err, &damaged)
}

// report writes the message of an error of [run] and returns the exit code. A
// reader of stdout that went away knows that it did, and is told nothing.
func report(stderr io.Writer, err error) int {
	switch {
	case err == nil || errors.Is(err, syscall.EPIPE):
	case exitCode(err) == exitInterrupted:
		fmt.Fprintln(stderr, "ur: interrupted")
	default:
		fmt.Fprintf(stderr, "ur: %v\n", err)
	}
	return exitCode(err)
}
