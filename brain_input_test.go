package ur

import (
	"fmt"
	"strings"
	"testing"
)

// What people and programs make of a brain is read too: with a byte order mark, without a
// last end of line, and as a triangle.
func TestReadBrainForms(t *testing.T) {
	want := ClassicBrain()
	text, err := want.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	var triangle strings.Builder
	for i := range 33 {
		for j := range i + 1 {
			fmt.Fprintf(&triangle, "%d ", want.At(i, j))
		}
		triangle.WriteByte('\n')
	}
	rows := string(text)
	for name, text := range map[string]string{
		"rows": rows, "byte order mark": byteOrderMark + rows, "no last newline": strings.TrimSuffix(rows, "\n"), "CRLF": strings.ReplaceAll(rows, "\n", "\r\n"),
		"triangle": triangle.String(),
	} {
		b, altered, err := ReadBrain(strings.NewReader(text))
		if err != nil || *b != *want || altered {
			t.Errorf("%s: altered %v, %v", name, altered, err)
		}
	}
	for text, want := range map[string]string{
		`{"weights":[1,2]}`:                                 "is not an integer",
		triangle.String() + "0":                             "more than 33 rows",
		strings.Replace(triangle.String(), "\n", " 1\n", 1): "want 0 above the diagonal",
	} {
		if _, _, err := ReadBrain(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: error %v, want one with %q", text, err, want)
		}
	}
}

// Every change of a weight is found by the hash, where there is one.
func TestBrainHashComment(t *testing.T) {
	want := ClassicBrain()
	text, err := want.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	whole := "// a brain\n" + want.HashComment() + string(text)
	if b, altered, err := ReadBrain(strings.NewReader(whole)); err != nil || altered || *b != *want {
		t.Errorf("unaltered: %v, %v", altered, err)
	}
	found := 0
	for i := len(whole) - len(text); i < len(whole); i++ {
		if whole[i] < '1' || whole[i] > '9' {
			continue
		}
		b, altered, err := ReadBrain(strings.NewReader(whole[:i] + string(whole[i]-1) + whole[i+1:]))
		if err == nil && *b != *want {
			found++
			if !altered {
				t.Errorf("a digit at byte %d is another, and it is not told", i)
			}
		}
	}
	if found < 150 {
		t.Errorf("only %d digits were changed", found)
	}
}
