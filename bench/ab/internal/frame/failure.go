package frame

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// InputError is an error in the options, or in the commits and packages they name.
type InputError struct {
	Field string // name in [Options]; "" if it is no single field's
	Msg   string
}

func (e *InputError) Error() string {
	if e.Field != "" && e.Field != "Base" { // which the message names
		return e.Field + ": " + e.Msg
	}
	return e.Msg
}

// InputErrorf returns an [InputError] of no field.
func InputErrorf(format string, args ...any) error {
	return &InputError{Msg: fmt.Sprintf(format, args...)}
}

// FieldErrorf returns an [InputError] of a field.
func FieldErrorf(field, format string, args ...any) error {
	return &InputError{field, fmt.Sprintf(format, args...)}
}

// assertion matches the reason that an assertion of testify prints below its place, and the line behind it.
var assertion = text.Regexp(`(?m)^\s*Error:[ \t]*(.*)\n[ \t]*(.*)`)

// loggedMessage matches a message of a test or benchmark, behind its file and line.
var loggedMessage = text.Regexp(`(?m)^ +[^\t\n]*?\.go:\d+: ?(.*)$`)

// FailureOf describes the failure of a test program by what it printed. A [TimeoutError] stays.
func FailureOf(out []byte, err error) error {
	if late, ok := errors.AsType[TimeoutError](err); ok {
		return late
	}
	failed, isFailed := errors.AsType[*ProgramError](err)
	messages := ""
	if isFailed {
		messages = failed.Stderr
	}
	_, failing, _ := strings.Cut(string(out), "--- FAIL:")
	for _, find := range []func() string{
		func() string { return LastLogged(failing) },
		func() string { return strings.TrimSpace(fatal().FindString(messages + string(out))) },
		func() string { return LastLogged(string(out)) },
		func() string { before, _, _ := strings.Cut(messages, "Usage of "); return text.LastLine(before) },
		func() string { return text.LastLine(resultLine().ReplaceAllString(string(out), "")) },
	} {
		if message := find(); message != "" {
			return errors.New(message)
		}
	}
	if isFailed {
		return fmt.Errorf("the process ends by %w and prints no reason", failed.err)
	}
	return err
}

// resultLine matches a line of a test program that is no reason.
var resultLine = text.Regexp(`(?m)^(PASS|FAIL|ok|exit status|goos:|goarch:|pkg:|cpu:|Benchmark|ur-|\s*--- |\?).*$`)

// LastLogged returns the last message that a failing benchmark logged, and the reason of an assertion.
func LastLogged(out string) string {
	out, _, _ = strings.Cut(out, "\n--- ")
	message := ""
	for _, logged := range loggedMessage().FindAllStringSubmatch(out, -1) {
		message = cmp.Or(strings.TrimSpace(logged[1]), message)
	}
	if found := assertion().FindStringSubmatch(out); message == "" && found != nil {
		if message = found[1]; strings.HasSuffix(message, ":") {
			message += " " + found[2]
		}
	}
	return strings.TrimSpace(message)
}

// fatal matches a line by which Go's runtime, or package testing or flag, ends a program.
var fatal = text.Regexp(`(?m)^(panic: |fatal error: |flag provided but not defined: |flag needs an argument: |invalid (boolean )?(flag )?value ).*$`)
