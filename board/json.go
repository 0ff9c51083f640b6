package board

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// maxFile is how large a definition in JSON may be, in bytes.
const maxFile = 1 << 20

// A field is a member in a definition's JSON form.
type field struct {
	name     string
	optional bool
	value    any    // a pointer into the definition
	want     string // its form
}

// jsonFields returns the members of d's JSON form, in file order.
func (d *Definition) jsonFields() []field {
	const tiles = `a list of tiles such as ["A4", "A3"]`
	return []field{
		{"name", false, &d.Name, "a string"},
		{"title", true, &d.Title, "a string"},
		{"about", true, &d.About, "a string"},
		{"board", false, &d.Board, `a list of columns such as ["####..##", "########", "####..##"]`},
		{"light", false, &d.Light, tiles},
		{"dark", true, &d.Dark, tiles},
		{"rosettes", false, &d.Rosettes, tiles},
		{"pieces", false, &d.Pieces, "a whole number"},
		{"dice", false, &d.Dice, "a list of whole numbers such as [1, 4, 6, 4, 1]"},
		{"safe_rosettes", false, &d.SafeRosettes, "true or false"},
		{"roll_after_rosette", false, &d.RollAfterRosette, "true or false"},
		{"roll_after_capture", false, &d.RollAfterCapture, "true or false"},
	}
}

// Parse reads a definition in JSON, at most 1 MiB, and returns its rule set. Unknown, missing
// and repeated members are errors. A built-in rule set's name is an error if the rules
// differ. The error names the member and the accepted form.
func Parse(data []byte) (*Rules, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("more than %d bytes (want a rule set in JSON)", maxFile)
	}
	o, err := text.ParseObject(data, "a rule set")
	if err != nil {
		return nil, err
	}
	var d Definition
	fields := d.jsonFields()
	for _, m := range o {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Name })
		if i < 0 {
			names := strings.Join(text.List(fields, func(f field) string { return f.name }), ", ")
			return nil, fmt.Errorf("unknown field %q (want %s)", text.Clip(m.Name), names)
		}
		if err := fields[i].set(m.Value); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if _, ok := o.Get(f.name); !ok && !f.optional {
			return nil, fmt.Errorf("%s: missing (want %s)", f.name, f.want)
		}
	}
	r, err := New(d)
	if err != nil {
		return nil, err
	}
	if b, err := Lookup(r.Name()); err == nil && !b.Equal(r) {
		return nil, fmt.Errorf("name: %q is a built-in rule set with other rules (want another name)", r.Name())
	}
	return r, nil
}

// Find returns a built-in rule set by name, or reads a file as [Parse] does: a text with a
// slash, a backslash or a dot is a file. The error names the file.
func Find(nameOrFile string) (*Rules, error) {
	if !strings.ContainsAny(nameOrFile, `./\`) {
		r, err := Lookup(nameOrFile)
		if err != nil {
			return nil, fmt.Errorf("unknown rule set %q (want %s, or a JSON file)", text.Clip(nameOrFile), strings.Join(Names(), ", "))
		}
		return r, nil
	}
	data, err := safefile.Read(nameOrFile, maxFile)
	if err != nil {
		return nil, err
	}
	r, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", nameOrFile, err)
	}
	return r, nil
}

// MarshalJSON returns the form read by [Parse].
func (r *Rules) MarshalJSON() ([]byte, error) {
	var o text.Object
	for _, f := range r.def.jsonFields() {
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if f.optional && (string(value) == `""` || string(value) == "null") {
			continue
		}
		if string(value) == "null" {
			value = []byte("[]") // an empty list made in Go
		}
		o = append(o, text.Member{Name: f.name, Value: value})
	}
	return o.Encode(), nil
}

// set reads a field's value. JSON's null is no value for any field.
func (f *field) set(value json.RawMessage) error {
	if err := json.Unmarshal(value, f.value); err != nil || hasNull(value) {
		return fmt.Errorf("%s: %s (want %s)", f.name, text.Clip(string(value)), f.want)
	}
	return nil
}

// hasNull reports whether a value is null, or a list with null.
func hasNull(value json.RawMessage) bool {
	var list []json.RawMessage // null is a list, too
	isNull := func(v json.RawMessage) bool { return string(v) == "null" }
	return json.Unmarshal(value, &list) == nil && (list == nil || slices.ContainsFunc(list, isNull))
}
