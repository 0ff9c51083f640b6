package truth

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/noise"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Record is what all experiments found.
type Record struct {
	Schema string   `json:"schema"` // ur.ab-truth/1
	Trials int      `json:"trials"` // of each experiment
	Rounds []int    `json:"rounds"` // at most
	Cells  []Result `json:"cells"`
}

// Result is what one experiment found.
type Result struct {
	Noise      string  `json:"noise"`
	Benchmarks int     `json:"benchmarks"`
	Planted    float64 `json:"planted"`
	Rounds     int     `json:"rounds_most"`
	Rates      `json:"rates"`
}

// planted are the slowdowns of the first benchmark of a family.
var planted = []float64{0, 0.02, 0.035, 0.05, 0.10}

// Simulate makes all experiments with so many trials each, on all processors; what it
// finds does not depend on how many these are. Progress, when it is not nil, is called
// after each experiment.
func Simulate(trials int, progress func(done, all int)) Record {
	r := Record{Schema: "ur.ab-truth/1", Trials: trials, Rounds: []int{20, 80}}
	var cells []Cell
	for _, benchmarks := range []int{1, 20} {
		for _, part := range planted {
			for _, rounds := range r.Rounds {
				for _, machine := range noise.All() {
					cells = append(cells, Cell{machine, benchmarks, part, rounds, verdict.DefaultRule()})
				}
			}
		}
	}
	for i, c := range cells {
		r.Cells = append(r.Cells, Result{c.Machine.Name, c.Benchmarks, c.Planted, c.Rounds, c.Trials(trials)})
		if progress != nil {
			progress(i+1, len(cells))
		}
	}
	return r
}

// Trials adds up trials of the seeds from 0.
func (c Cell) Trials(n int) Rates {
	workers := runtime.GOMAXPROCS(0)
	parts := make([]Rates, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for seed := w; seed < n; seed += workers {
				parts[w].Add(c.Trial(uint64(seed)))
			}
		})
	}
	all.Wait()
	var sum Rates
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

// Read reads what [Record.Write] wrote.
func Read(in io.Reader) (r Record, err error) {
	if err = json.NewDecoder(in).Decode(&r); err == nil && r.Schema != "ur.ab-truth/1" {
		err = fmt.Errorf("schema %q, want ur.ab-truth/1", r.Schema)
	}
	return r, err
}

// sum adds the rates of the results that are wanted.
func (r Record) sum(want func(Result) bool) (sum Rates) {
	for _, cell := range r.Cells {
		if want(cell) {
			sum.Add(cell.Rates)
		}
	}
	return sum
}

// WriteTable writes a row for each noise, of families of so many benchmarks.
func (r Record) WriteTable(w io.Writer, benchmarks int) error {
	t := text.Table{Header: []string{"noise", "unchanged: false alarms", "+2 %: called slower", "+3.5 %: passes",
		"+5 %: found in 20 rounds", "in 80", "+10 %: found in 20", "in 80", "unchanged: open after 80", "coverage", "contradictions"}}
	for _, machine := range noise.All() {
		of := func(part float64, rounds ...int) Rates {
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
		percent := func(part, whole int) string { return fmt.Sprintf("%.1f %%", 100*Rate(part, whole)) }
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

// WriteCost writes how long it takes until benchmarks are decided of which none has
// changed, with noise of 2 %.
func (r Record) WriteCost(w io.Writer) error {
	t := text.Table{Header: []string{"benchmarks", "rounds until one is decided, mean", "a sample", "minutes of measuring"}}
	for _, benchmarks := range []int{5, 20, 100} {
		quiet := r.sum(func(c Result) bool {
			return c.Noise == noise.Normal(0.02).Name && c.Benchmarks == 20 && c.Planted == 0 && c.Rounds == 80
		})
		rounds := Rate(quiet.Rounds, quiet.Trials)
		left := ab.DefaultOptions().Time
		t.Add(fmt.Sprint(benchmarks), fmt.Sprintf("%.1f", rounds), ab.SampleTime(benchmarks, left).String(),
			fmt.Sprintf("%.1f", ab.Cost(benchmarks, rounds, left).Minutes()))
	}
	return t.WriteMarkdown(w)
}
