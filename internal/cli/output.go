package cli

import (
	"encoding/json"
	"io"
)

// Output remembers the first error of writing and drops everything after it, so commands need
// not check every printed line: run reports it. Long-running commands check err to stop early.
type Output struct {
	To  io.Writer
	Err error
}

func (o *Output) Write(p []byte) (int, error) {
	if o.Err != nil {
		return 0, o.Err
	}
	n, err := o.To.Write(p)
	o.Err = err
	return n, err
}

// WriteJSON writes one value as a line of JSON.
func WriteJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

// WriteIndentedJSON writes one value as JSON for people to read too.
func WriteIndentedJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
