package solvecmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// example returns a line of input.
func (e *evaluator) example() string {
	if e.finkel {
		return `{"board":[33 numbers],"roll":0 to 4}`
	}
	return fmt.Sprintf(`{"position":%q,"roll":0 to %d}`, e.rules.FormatPosition(e.rules.Start()), e.rules.MaxRoll())
}

// decode reads a line, and rejects unknown fields.
func (e *evaluator) decode(line []byte, request *evalRequest) error {
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(request); err != nil {
		return e.explain(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("text after the JSON object (want one object a line)")
	}
	return nil
}

// explain names a line's problem in its format's terms.
func (e *evaluator) explain(err error) error {
	var kind *json.UnmarshalTypeError
	unknown, isUnknown := strings.CutPrefix(err.Error(), "json: unknown field ")
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("a JSON %s (want an object %s)", kind.Value, e.example())
	case errors.As(err, &kind) && kind.Field == "roll":
		return fmt.Errorf("roll is a %s (want an integer 0 to %d)", kind.Value, e.rules.MaxRoll())
	case errors.As(err, &kind) && kind.Field == "position":
		return fmt.Errorf("position: JSON %s (want a string)", kind.Value)
	case errors.As(err, &kind):
		return fmt.Errorf("%s holds a %s (want an array of 33 integers)", kind.Field, kind.Value)
	case isUnknown:
		return fmt.Errorf("unknown field %s (want board or position, and roll)", unknown)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("not JSON: the line ends in the middle")
	}
	return fmt.Errorf("not JSON: %w", err)
}

// boardNumbers checks that a board has the right number of integers. A nil entry was null.
func boardNumbers(given []*int) (numbers [board.Numbers]int, err error) {
	if len(given) != len(numbers) {
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
