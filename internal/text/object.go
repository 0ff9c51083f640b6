package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Object holds the members of a JSON object in written order.
type Object []Member

// Member is a member of a JSON object, its value as it was written.
type Member struct {
	Name  string
	Value json.RawMessage
}

// ParseObject reads one JSON object. Unlike package encoding/json, which matches names without
// regard to case and keeps the last of repeated ones, it refuses a name given twice. Its other
// errors name the line and what is wanted, such as "a rule set".
func ParseObject(data []byte, want string) (Object, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	fault := func(err error) (Object, error) {
		if err == nil {
			err = errors.New("not an object")
		}
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("the text ends early")
		}
		line := 1 + bytes.Count(data[:min(int(d.InputOffset()), len(data))], []byte("\n"))
		return nil, fmt.Errorf("line %d: %w (want one JSON object: %s)", line, err, want)
	}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fault(err)
	}
	var o Object
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return fault(err)
		}
		if _, twice := o.Get(name); twice {
			return nil, fmt.Errorf("member %.80q given twice (want it once)", name)
		}
		m := Member{Name: name}
		if err := d.Decode(&m.Value); err != nil {
			return fault(err)
		}
		o = append(o, m)
	}
	if _, err := d.Token(); err != nil {
		return fault(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fault(errors.New("text after the object"))
	}
	return o, nil
}

// Get returns a member's value.
func (o Object) Get(name string) (value json.RawMessage, ok bool) {
	i := slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return nil, false
	}
	return o[i].Value, true
}

// Without returns the members with other names.
func (o Object) Without(names ...string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return slices.Contains(names, m.Name) })
}

// Encode writes the members without white space between them.
func (o Object) Encode() []byte {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(m.Name) // a string can always be written
		b = append(append(append(b, name...), ':'), m.Value...)
	}
	return append(b, '}')
}
