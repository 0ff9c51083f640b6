package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

// FuzzEval answers any line: with an error, or with futures that are legal positions.
func FuzzEval(f *testing.F) {
	start := `{"board":[7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"roll":`
	for _, line := range []string{start + "4}", start + "5}", start + `3,"x":1}`, "{}", "null", "[1]", "\xff", `{"board":[1e400],"roll":2}`} {
		f.Add([]byte(line))
	}
	e, err := newEvaluation("", "array16/scalar")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		reply, err := e.answer(line)
		if err != nil {
			return
		}
		answer := reply.(*evalAnswer)
		if len(answer.Futures) == 0 {
			t.Fatalf("%q has no futures", line)
		}
		for _, future := range answer.Futures {
			if _, err := board.FromNumbers(future.Board); err != nil {
				t.Fatalf("%q has an illegal future: %v", line, err)
			}
		}
	})
}

// TestEvalAnswersEveryLine holds that every line that is not blank gets one line of JSON in
// its place.
func TestEvalAnswersEveryLine(t *testing.T) {
	start := `{"board":[7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"roll":`
	for input, want := range map[string]string{
		start + "4}\n\n" + start + "0}":                      "aa",
		start + "5}\n{}\nnull\n[1]\n" + start + "3,\"x\":1}": "eeeee",
		"\xff\n{\"board\":[1e400],\"roll\":2}\r\n":           "ee",
		"\n \n" + start + "2}\nx":                            "ae",
	} {
		var out, log bytes.Buffer
		err := Program().Run(t.Context(), []string{"eval", "--engine", "array16/scalar"}, strings.NewReader(input), &out, &log)
		got := ""
		for line := range strings.Lines(out.String()) {
			var answer struct {
				evalAnswer
				cli.LineProblem
			}
			if err := json.Unmarshal([]byte(line), &answer); err != nil {
				t.Fatalf("%q: %v: %s", input, err, line)
			}
			if answer.Error == "" {
				got += "a"
			} else {
				got += "e"
			}
		}
		if got != want || (err != nil) != strings.Contains(want, "e") {
			t.Errorf("%q is answered by %s, want %s; error %v", input, got, want, err)
		}
	}
}
