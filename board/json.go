package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// maxFile is the size of the largest definition in JSON, in bytes.
const maxFile = 1 << 16

// A field is a member of the JSON form of a definition.
type field struct {
	name     string
	optional bool
	value    any    // a pointer into the definition
	want     string // its form
}

// fields returns the members of the JSON form of d, in the order of the file.
func (d *Definition) fields() []field {
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

// Parse reads a definition in JSON, at most 64 KiB, and returns its rule set. Unknown, missing
// and repeated members are errors. The name of a built-in rule set is an error if the rules
// differ. The error names the member and the accepted form.
func Parse(text []byte) (*Rules, error) {
	var d Definition
	if err := d.UnmarshalJSON(text); err != nil {
		return nil, err
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

// readFile reads a file in the form of [Parse]. The error names the file.
func readFile(path string) (*Rules, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s: a folder (want a rule set in JSON)", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	r, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Find returns a built-in rule set by name, or reads a file: a text with a slash, a backslash or
// a dot is a file.
func Find(nameOrFile string) (*Rules, error) {
	if strings.ContainsAny(nameOrFile, `./\`) {
		return readFile(nameOrFile)
	}
	r, err := Lookup(nameOrFile)
	if err != nil {
		return nil, fmt.Errorf("unknown rule set %q (want %s, or a JSON file)", clip(nameOrFile), strings.Join(Names(), ", "))
	}
	return r, nil
}

// MarshalJSON returns the form read by [Parse].
func (r *Rules) MarshalJSON() ([]byte, error) { return r.def.MarshalJSON() }

// MarshalJSON returns the definition in the form read by [Parse].
func (d Definition) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, f := range d.fields() {
		text, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		if f.optional && (string(text) == `""` || string(text) == "null") {
			continue
		}
		if string(text) == "null" {
			text = []byte("[]") // an empty list made in Go
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", f.name, text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads a definition without checking it; [New] does.
func (d *Definition) UnmarshalJSON(text []byte) error {
	if len(text) > maxFile {
		return fmt.Errorf("more than %d bytes (want a rule set in JSON)", maxFile)
	}
	members, err := splitObject(text)
	if err != nil {
		return err
	}
	read := Definition{}
	fields := read.fields()
	for _, m := range members {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.name })
		if i < 0 {
			return fmt.Errorf("unknown field %q (want %s)", clip(m.name), fieldNames(fields))
		}
		if err := fields[i].set(m.value); err != nil {
			return err
		}
	}
	for _, f := range fields {
		if !f.optional && !slices.ContainsFunc(members, func(m member) bool { return m.name == f.name }) {
			return fmt.Errorf("%s: missing (want %s)", f.name, f.want)
		}
	}
	*d = read
	return nil
}

// set reads the value of a field. JSON's null is no value of any field.
func (f *field) set(text json.RawMessage) error {
	if err := json.Unmarshal(text, f.value); err != nil || hasNull(text) {
		return fmt.Errorf("%s: %s (want %s)", f.name, clip(string(text)), f.want)
	}
	return nil
}

// hasNull reports whether a value is null, or a list with null.
func hasNull(text json.RawMessage) bool {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) != nil {
		return false
	}
	isNull := func(v json.RawMessage) bool { return string(v) == "null" }
	return isNull(bytes.TrimSpace(text)) || slices.ContainsFunc(list, isNull)
}

func fieldNames(fields []field) string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// A member is one name and value of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// splitObject reads the members of one JSON object, which encoding/json would match without
// regard to case, and of repeated ones keep the last.
func splitObject(text []byte) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, notJSON(text, err, d.InputOffset())
	}
	var members []member
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return nil, notJSON(text, err, d.InputOffset())
		}
		if slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			return nil, fmt.Errorf("%s: given twice (want it once)", clip(name))
		}
		m := member{name: name}
		if err := d.Decode(&m.value); err != nil {
			return nil, notJSON(text, err, d.InputOffset())
		}
		members = append(members, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, notJSON(text, err, d.InputOffset())
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, notJSON(text, errors.New("text after the object"), d.InputOffset())
	}
	return members, nil
}

// notJSON returns the error for text other than one JSON object, with the line of the fault.
func notJSON(text []byte, err error, offset int64) error {
	if err == nil {
		err = errors.New("not an object")
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the text ends early")
	}
	line := 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
	return fmt.Errorf("line %d: %w (want one JSON object: a rule set)", line, err)
}
