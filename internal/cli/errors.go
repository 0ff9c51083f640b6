package cli

import (
	"context"
	"errors"
	"fmt"
)

// Exit codes of the command line.
const (
	Done               = 0
	Failure            = 1
	BadUsage           = 2   // bad usage or bad input
	FailedVerification = 3   // a gate or verification failed
	Inconclusive       = 4   // a comparison that could not decide
	Interrupted        = 130 // by SIGINT or SIGTERM
)

// ExitError is an error that asks for an exit code. Any other error is a failure,
// exit code 1.
type ExitError struct {
	Code int
	err  error
}

func (e *ExitError) Error() string { return e.err.Error() }
func (e *ExitError) Unwrap() error { return e.err }

// ErrInterrupted ends a command that was told to stop and has printed or saved
// what it finished.
var ErrInterrupted = &ExitError{Interrupted, errors.New("interrupted")}

// UsageError is an error in what the user typed or fed in: exit code 2. The
// message says what was wrong, where, and what would be right.
func UsageError(format string, args ...any) error {
	return &ExitError{BadUsage, fmt.Errorf(format, args...)}
}

// VerificationError is a gate or verification that failed: exit code 3.
func VerificationError(format string, args ...any) error {
	return &ExitError{FailedVerification, fmt.Errorf(format, args...)}
}

// InconclusiveError is a comparison that could not decide: exit code 4.
func InconclusiveError(format string, args ...any) error {
	return &ExitError{Inconclusive, fmt.Errorf(format, args...)}
}

// ExitCode returns the exit code that an error of [Program.Run] asks for.
func ExitCode(err error) int {
	var exit *ExitError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &exit):
		return exit.Code
	case errors.Is(err, context.Canceled):
		return Interrupted
	}
	return Failure
}
