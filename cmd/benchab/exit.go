package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
)

// Exit codes, as all commands of this module have them.
const (
	done        = 0
	failure     = 1
	badUsage    = 2
	slower      = 3
	undecided   = 4
	skipCommit  = 125 // exit code for "git bisect run"
	endBisect   = 128 // the same
	interrupted = 130
)

// exitError is an error with an exit code.
type exitError struct {
	code int
	err  error // nil where the report has the verdict
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

// usage returns a usage error.
func usage(format string, args ...any) error {
	return &exitError{badUsage, fmt.Errorf(format, args...)}
}

// inputError names the flag of an error of the input; it returns others as they are.
func inputError(err error) error {
	wrong, ok := errors.AsType[*ab.InputError](err)
	switch {
	case !ok:
		return err
	case wrong.Field == "" || wrong.Field == "Base":
		return &exitError{badUsage, err}
	}
	return usage("--%s: %s", strings.ToLower(wrong.Field), wrong.Msg)
}

// exitCode returns the exit code of an error.
func exitCode(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return done
	case errors.As(err, &exit):
		return exit.code
	case errors.Is(err, context.Canceled):
		return interrupted
	}
	return failure
}
