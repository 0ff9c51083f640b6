package frame

import (
	"fmt"
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
