package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

// FuzzEval feeds any input to "ur eval": every line that is not blank must get one
// line of JSON in its place, an answer with legal futures or a problem that names
// the line.
func FuzzEval(f *testing.F) {
	start := `{"board":[7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"roll":`
	f.Add([]byte(start + "4}\n\n" + start + "0}"))
	f.Add([]byte(start + "5}\n{}\nnull\n[1]\n" + start + "3,\"x\":1}"))
	f.Add([]byte("\xff\n{\"board\":[1e400],\"roll\":2}\r\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		var out, log bytes.Buffer
		err := Program.Run(t.Context(), []string{"eval", "--engine", "array16/scalar"}, bytes.NewReader(input), &out, &log)
		want := 0
		for line := range strings.Lines(string(input)) {
			if strings.TrimSpace(line) != "" {
				want++
			}
		}
		lines, problems := 0, 0
		scanner := bufio.NewScanner(&out)
		scanner.Buffer(nil, 1<<22)
		for scanner.Scan() {
			lines++
			var answer struct {
				evalAnswer
				cli.LineProblem
			}
			if err := json.Unmarshal(scanner.Bytes(), &answer); err != nil {
				t.Fatalf("output line %d is no JSON: %v: %s", lines, err, scanner.Bytes())
			}
			if answer.Error != "" {
				problems++
				continue
			}
			if len(answer.Futures) == 0 {
				t.Fatalf("no futures: %s", scanner.Bytes())
			}
			for _, future := range answer.Futures {
				if _, err := board.FromNumbers(future.Board); err != nil {
					t.Fatalf("illegal future: %v: %s", err, scanner.Bytes())
				}
			}
		}
		if lines != want || (err != nil) != (problems > 0) {
			t.Fatalf("%d lines of output for %d of input, %d problems, error %v", lines, want, problems, err)
		}
	})
}
