// Package config defines the error of an invalid configuration, which names the field at fault.
// It knows no game.
package config

import "fmt"

// Error names an invalid field of a configuration and the right form. A command translates the
// field to its flag.
type Error struct {
	Config string // what is configured, as in "match"
	Field  string // configuration field, such as "Games"
	Msg    string // problem, such as "must be at least 1, got 0"; follows the field's name
	Err    error  // the value's error, instead of Msg
}

func (e *Error) Error() string { return e.Config + ": " + e.Describe(e.Field) }
func (e *Error) Unwrap() error { return e.Err }

// Describe returns the message about the field under another name, such as its flag's.
func (e *Error) Describe(name string) string {
	if e.Err != nil {
		return name + ": " + e.Err.Error()
	}
	return name + " " + e.Msg
}

// Fault returns an [*Error] with a formatted message.
func Fault(config, field, format string, args ...any) error {
	return &Error{Config: config, Field: field, Msg: fmt.Sprintf(format, args...)}
}
