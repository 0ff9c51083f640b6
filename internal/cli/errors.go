package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Exit codes of the command line.
const (
	Done               = 0
	Failure            = 1
	BadUsage           = 2   // bad usage or bad input
	FailedVerification = 3   // a gate or verification failed
	Inconclusive       = 4   // an undecided comparison
	Interrupted        = 130 // SIGINT or SIGTERM
)

// ExitError is an error with an exit code. Any other error is a failure, exit code 1.
type ExitError struct {
	Code int
	err  error
}

func (e *ExitError) Error() string { return e.err.Error() }
func (e *ExitError) Unwrap() error { return e.err }

// ErrInterrupted ends an interrupted command after it has printed or saved its finished work.
var ErrInterrupted = &ExitError{Interrupted, errors.New("interrupted")}

// UsageError is an error in the user's command line or input: exit code 2. The message names
// the problem, its place, and the right form.
func UsageError(format string, args ...any) error {
	return &ExitError{BadUsage, fmt.Errorf(format, args...)}
}

// VerificationError is a failed gate or verification: exit code 3.
func VerificationError(format string, args ...any) error {
	return &ExitError{FailedVerification, fmt.Errorf(format, args...)}
}

// InconclusiveError is an undecided comparison: exit code 4.
func InconclusiveError(format string, args ...any) error {
	return &ExitError{Inconclusive, fmt.Errorf(format, args...)}
}

// ExitCode returns the exit code of an error of [Program.Run].
func ExitCode(err error) int {
	var exit *ExitError
	switch {
	case err == nil:
		return Done
	case errors.Is(err, context.Canceled): // whatever it interrupted
		return Interrupted
	case errors.As(err, &exit):
		return exit.Code
	case errors.Is(err, syscall.EISDIR):
		return BadUsage
	}
	return Failure
}

// errorMessage returns an error's text. A folder in the place of a file is named in the same
// words by all commands.
func errorMessage(err error) string {
	message := err.Error()
	var file *fs.PathError
	if errors.Is(err, syscall.EISDIR) && errors.As(err, &file) {
		message = strings.Replace(message, file.Error(), file.Path+" is a folder (want a file)", 1)
	}
	return text.Lines(message)
}
