package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readFields writes a package and reads the fields of its type Root.
func readFields(t *testing.T, code string) ([]field, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package a\n"+code), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &sources{root: dir, packages: map[string]*source{}}
	return s.fields(".", "Root")
}

func TestFieldsOfAType(t *testing.T) {
	got, err := readFields(t, `
type Root struct {
	A int `+"`json:\"a\"`"+` // first
	// Second.
	B *float64 `+"`json:\"b,omitempty\"`"+`
	C []Part `+"`json:\"c\"`"+` // parts
	Base
	Hidden int `+"`json:\"-\"`"+`
	none int
}
type Base struct {
	ScoreLow float64 `+"`json:\"score_lo\"`"+`
}
type Part struct{ Name string }
func (p Part) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		N *string `+"`json:\"n\"`"+` // a name
		Again *Root `+"`json:\"again\"`"+` // recursive
	}{})
}`)
	want := []field{
		{"a", "integer", "first"}, {"b", "number, optional", "Second."}, {"c", "array of object", "parts"},
		{"c[].n", "string or null", "a name"}, {"c[].again", "object, as above or null", "recursive"},
		{"score_lo", "number", "lower bound of the interval of `score`"},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v\nwant %q", got, err, want)
	}
}

func TestFieldsNeedComments(t *testing.T) {
	_, err := readFields(t, "type Root struct { In []struct{ X int `json:\"x\"` } `json:\"in\"` // inside\n}")
	if err == nil || !strings.Contains(err.Error(), "field in[].x has no comment") {
		t.Errorf("got %v, want an error that names in[].x", err)
	}
}
