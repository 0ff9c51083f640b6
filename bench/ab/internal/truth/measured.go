package truth

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Run is one run of a program that compares the commits of bench/ab/testdata/module.
type Run struct {
	Program string   `json:"program"`
	Machine string   `json:"machine"`
	Load    float64  `json:"load"` // programs that wanted a processor in the run's last minute, on average
	Cores   int      `json:"cores"`
	Changed string   `json:"changed"` // benchmark that is 5 % slower; "" for none
	Seconds float64  `json:"seconds"`
	Rounds  int      `json:"rounds"`
	Exit    int      `json:"exit"`
	Slower  []string `json:"slower"` // benchmarks that were called slower
}

// ReadRuns reads a JSON list of runs.
func ReadRuns(in io.Reader) (runs []Run, err error) {
	err = json.NewDecoder(in).Decode(&runs)
	return runs, err
}

// WriteRuns writes a row for each program and kind of commit.
func WriteRuns(w io.Writer, runs []Run) error {
	t := text.Table{Header: []string{"program", "machine", "commit", "runs", "found", "false alarms", "undecided", "median seconds", "median load on its cores"}}
	type key struct{ program, machine, changed string }
	var order []key
	groups := make(map[key][]Run)
	for _, r := range runs {
		k := key{r.Program, r.Machine, r.Changed}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], r)
	}
	for _, k := range order {
		group := groups[k]
		found, alarms, open := 0, 0, 0
		var seconds, loads []float64
		for _, r := range group {
			if k.changed != "" && slices.Contains(r.Slower, k.changed) {
				found++
			}
			if slices.ContainsFunc(r.Slower, func(name string) bool { return name != k.changed }) {
				alarms++
			}
			if r.Exit == 4 {
				open++
			}
			seconds, loads = append(seconds, r.Seconds), append(loads, r.Load)
		}
		commit, hits := "nothing changed", ""
		if k.changed != "" {
			commit, hits = "one of ten +5 %", fmt.Sprint(found)
		}
		t.Add(k.program, k.machine, commit, fmt.Sprint(len(group)), hits, fmt.Sprint(alarms), fmt.Sprint(open),
			fmt.Sprintf("%.0f", stat.Median(seconds)), fmt.Sprintf("%.0f on %d", stat.Median(loads), group[0].Cores))
	}
	return t.WriteMarkdown(w)
}
