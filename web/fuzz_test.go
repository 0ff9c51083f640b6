package web

import (
	"encoding/json"
	"testing"
)

// FuzzMatchQuestion looks for questions for a match that are read as another.
func FuzzMatchQuestion(f *testing.F) {
	f.Add(`{"players":["greedy","level:3"],"games":100,"pieces":7,"seed":18446744073709551615}`)
	f.Add(`{"players":[],"games":-1} {}`)
	f.Fuzz(func(t *testing.T, text string) {
		q, err := parseMatch([]byte(text))
		if err != nil {
			return
		}
		again, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := parseMatch(again); err != nil || back != q {
			t.Errorf("%q is read as %+v, and %s as %+v: %v", text, q, again, back, err)
		}
	})
}
