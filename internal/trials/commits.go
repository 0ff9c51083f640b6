package trials

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Commit is a commit of a public project, compared with its parent.
type Commit struct {
	Project string  `json:"project,omitempty"`
	Commit  string  `json:"commit,omitempty"`
	Date    string  `json:"date"` // of the measurement
	Go      string  `json:"go"`
	CPU     string  `json:"cpu"`
	Load    float64 `json:"load"` // runnable processes at the start or the end, whichever are more
	Seconds float64 `json:"seconds"`
	Rows    []Claim `json:"rows"`
}

// Claim is a change of time claimed by the authors of a commit, and the measured change.
type Claim struct {
	Benchmark string          `json:"benchmark"`
	Claimed   float64         `json:"claimed"`
	Delta     float64         `json:"delta"`
	Lo        float64         `json:"lo"`
	Hi        float64         `json:"hi"`
	N         int             `json:"n"`
	Verdict   verdict.Verdict `json:"verdict"`
}

// ReadCommits reads a record of commits.
func ReadCommits(name string) ([]Commit, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []Commit
	if err := json.Unmarshal(content, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// WriteRecord returns a function that writes a record.
func WriteRecord(all []Commit) func(w io.Writer) error {
	return func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(all)
	}
}

// WriteCommits writes a row for each claim, and counts those of 10 % or more.
func WriteCommits(w io.Writer, commits []Commit) error {
	t := text.Table{Header: []string{"project", "commit", "benchmark", "claimed", "measured", "95 % interval", "n", "verdict", "load"}}
	signs, large, within := 0, 0, 0
	for _, c := range commits {
		for _, row := range c.Rows {
			t.Add(c.Project, c.Commit, row.Benchmark, percent(row.Claimed), percent(row.Delta), percent(row.Lo)+" to "+percent(row.Hi),
				fmt.Sprint(row.N), string(row.Verdict), fmt.Sprintf("%.0f", c.Load))
			if math.Abs(row.Claimed) < 0.1 {
				continue
			}
			large++
			if row.Delta*row.Claimed > 0 {
				signs++
			}
			if row.Lo <= row.Claimed && row.Claimed <= row.Hi {
				within++
			}
		}
	}
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nOf %d claims of 10 %% or more, %d have the sign of the measurement, and %d lie in its interval.\n", large, signs, within)
	return err
}

func percent(x float64) string { return fmt.Sprintf("%+.1f %%", 100*x) }
