// Package config defines the error of an invalid configuration, which names the field at fault.
// It knows no game.
package config

import "fmt"

// Error names an invalid field of a configuration and the right form. A command translates the
// field to its flag.
type Error struct {
	Config string // what is configured, as in "match"
	Field  string // of the configuration, as in "Games"
	Msg    string // as in "must be at least 1, got 0"
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s %s", e.Config, e.Field, e.Msg) }

// Fault returns an [*Error] with a formatted message.
func Fault(config, field, format string, args ...any) error {
	return &Error{config, field, fmt.Sprintf(format, args...)}
}
