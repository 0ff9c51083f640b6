package trials

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Record holds the results of all simulated experiments.
type Record struct {
	Schema string   `json:"schema"` // ur.ab-truth/1
	Trials int      `json:"trials"` // of each experiment
	Rounds []int    `json:"rounds"` // at most
	Cells  []Result `json:"cells"`
}

// Result is the result of one experiment.
type Result struct {
	Noise      string  `json:"noise"`
	Benchmarks int     `json:"benchmarks"`
	Planted    float64 `json:"planted"`
	Rounds     int     `json:"rounds_most"`
	Counts     `json:"rates"`
}

// planted are the slowdowns of the first benchmark of a family.
var planted = []float64{0, 0.02, 0.035, 0.05, 0.10}

// Simulate runs every experiment with the given number of trials, on all processors. The
// result does not depend on their number. Progress, unless nil, is called after each
// experiment.
func Simulate(trials int, progress func(done, all int)) Record {
	r := Record{Schema: "ur.ab-truth/1", Trials: trials, Rounds: []int{20, 80}}
	var cells []Family
	for _, benchmarks := range []int{1, 20} {
		for _, part := range planted {
			for _, rounds := range r.Rounds {
				for _, machine := range Machines() {
					cells = append(cells, Family{machine, benchmarks, part, rounds, verdict.DefaultRule()})
				}
			}
		}
	}
	for i, c := range cells {
		r.Cells = append(r.Cells, Result{c.Machine.Name, c.Benchmarks, c.Planted, c.Rounds, c.Run(trials)})
		if progress != nil {
			progress(i+1, len(cells))
		}
	}
	return r
}

// Run adds up n trials, of the seeds from 0.
func (c Family) Run(n int) Counts {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]Counts, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for seed := w; seed < n; seed += workers {
				parts[w].Add(c.trial(uint64(seed)))
			}
		})
	}
	all.Wait()
	var sum Counts
	for _, part := range parts {
		sum.Add(part)
	}
	return sum
}

// Write writes the record as JSON.
func (r Record) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(r)
}

// Read reads the output of [Record.Write].
func Read(in io.Reader) (r Record, err error) {
	if err = json.NewDecoder(in).Decode(&r); err == nil && r.Schema != "ur.ab-truth/1" {
		err = fmt.Errorf("schema: invalid value %q (want ur.ab-truth/1)", r.Schema)
	}
	return r, err
}

// sum adds the counts of the selected results.
func (r Record) sum(want func(Result) bool) (sum Counts) {
	for _, cell := range r.Cells {
		if want(cell) {
			sum.Add(cell.Counts)
		}
	}
	return sum
}

// WriteTable writes a row for each noise, for families of the given size.
func (r Record) WriteTable(w io.Writer, benchmarks int) error {
	t := text.Table{Header: []string{"noise", "unchanged: false alarms", "+2 %: called slower", "+3.5 %: passes",
		"+5 %: found in 20 rounds", "in 80", "+10 %: found in 20", "in 80", "unchanged: open after 80", "coverage", "contradictions"}}
	for _, machine := range Machines() {
		of := func(part float64, rounds ...int) Counts {
			return r.sum(func(c Result) bool {
				here := len(rounds) == 0
				for _, n := range rounds {
					here = here || c.Rounds == n
				}
				return c.Noise == machine.Name && c.Benchmarks == benchmarks && (math.IsNaN(part) || c.Planted == part) && here
			})
		}
		all := of(math.NaN())
		unchanged, two, more := of(0), of(0.02), of(0.035)
		percent := func(part, whole int) string { return fmt.Sprintf("%.1f %%", 100*rate(part, whole)) }
		found := func(part float64, rounds int) string {
			rates := of(part, rounds)
			return percent(rates.Slower, rates.Trials)
		}
		t.Add(machine.Name, percent(unchanged.Alarms, unchanged.Trials), percent(two.Slower, two.Trials), percent(more.Passed, more.Trials),
			found(0.05, 20), found(0.05, 80), found(0.10, 20), found(0.10, 80), percent(of(0, 80).Open, of(0, 80).Trials),
			percent(all.Covered, all.Rows), fmt.Sprint(all.Contradicts))
	}
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d families for each planted change and number of rounds.\n", r.Trials)
	return err
}

// MeanRounds returns the mean number of rounds until a benchmark is decided, among twenty
// unchanged ones with noise of 2 %.
func (r Record) MeanRounds() float64 {
	quiet := r.sum(func(c Result) bool {
		return c.Noise == Normal(0.02).Name && c.Benchmarks == 20 && c.Planted == 0 && c.Rounds == 80
	})
	return rate(quiet.Rounds, quiet.Trials)
}
