package pick

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// PositionForm describes a line of input: a JSON object with a board in it.
type PositionForm struct {
	Example string // such an object
	Members string // their names
	MaxRoll int    // the longest roll
}

// Decode reads a line into a struct, and rejects unknown fields.
func (f PositionForm) Decode(line []byte, request any) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(request); err != nil {
		return f.explain(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("text after the JSON object (want one object a line)")
	}
	return nil
}

// explain names the problem of a line in the terms of its format.
func (f PositionForm) explain(err error) error {
	var kind *json.UnmarshalTypeError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("a JSON %s (want an object %s)", kind.Value, f.Example)
	case errors.As(err, &kind) && kind.Field == "roll":
		return fmt.Errorf("roll is a %s (want an integer 0 to %d)", kind.Value, f.MaxRoll)
	case errors.As(err, &kind) && kind.Field == "position":
		return fmt.Errorf("position: JSON %s (want a string)", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s holds a %s (want an array of 33 integers)", kind.Field, kind.Value)
	case isUnknown:
		return fmt.Errorf("unknown field %s (want %s)", unknown, f.Members)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not JSON: the line ends in the middle")
	}
	return fmt.Errorf("not JSON: %w", err)
}

// Numbers checks that a board is present and has the right number of integers. A nil entry was
// null.
func (f PositionForm) Numbers(given []*int) (numbers [board.Numbers]int, err error) {
	switch {
	case given == nil:
		return numbers, fmt.Errorf(`no "board" (want %s)`, f.Example)
	case len(given) != len(numbers):
		return numbers, fmt.Errorf("board has %d numbers (want %d)", len(given), len(numbers))
	}
	for i, n := range given {
		if n == nil {
			return numbers, fmt.Errorf("board: entry %d is null (want an integer)", i)
		}
		numbers[i] = *n
	}
	return numbers, nil
}
