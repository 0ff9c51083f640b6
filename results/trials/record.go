package trials

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Planted is the change of the timed part of benchmarks that exclude most of their work.
const Planted = 0.3

// Result is the result of one experiment.
type Result struct {
	Family
	Counts
}

// Results are the results of all simulated experiments, those of [Families].
type Results []Result

// planted are the slowdowns of the first benchmark of a family.
var planted = []float64{0, 0.02, 0.035, 0.05, 0.10}

// Families returns all simulated experiments.
func Families() (families []Family) {
	for _, benchmarks := range []int{1, 20} {
		for _, part := range planted {
			for _, rounds := range []int{20, 80} {
				for _, machine := range Machines() {
					families = append(families, Family{machine, benchmarks, part, rounds, verdict.DefaultRule()})
				}
			}
		}
	}
	return families
}

// Name is the name of the experiment's row in a record.
func (c Family) Name() string {
	return fmt.Sprintf("Trial/noise=%s/benchmarks=%d/planted=%g/rounds=%d", c.Machine.Name, c.Benchmarks, c.Planted, c.Rounds)
}

// Run adds up n trials, of the seeds from 0, on all processors. The result does not depend on
// their number.
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

// sum adds the counts of the selected results.
func (r Results) sum(want func(Family) bool) (sum Counts) {
	for _, cell := range r {
		if want(cell.Family) {
			sum.Add(cell.Counts)
		}
	}
	return sum
}

// WriteTable writes a row for each noise, for families of the given size.
func (r Results) WriteTable(w io.Writer, benchmarks int) error {
	t := text.Table{Header: []string{"noise", "unchanged: false alarms", "+2 %: called slower", "+3.5 %: passes",
		"+5 %: found in 20 rounds", "in 80", "+10 %: found in 20", "in 80", "unchanged: blind after 80", "seen, and missed", "coverage", "contradictions"}}
	for _, machine := range Machines() {
		of := func(part float64, rounds ...int) Counts {
			return r.sum(func(c Family) bool {
				here := len(rounds) == 0
				for _, n := range rounds {
					here = here || c.Rounds == n
				}
				return c.Machine.Name == machine.Name && c.Benchmarks == benchmarks && (math.IsNaN(part) || c.Planted == part) && here
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
			found(0.05, 20), found(0.05, 80), found(0.10, 20), found(0.10, 80), percent(of(0, 80).Blind, of(0, 80).Trials), percent(all.Missed, all.Seen),
			percent(all.Covered, all.Rows), fmt.Sprint(all.Contradicts))
	}
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d families for each planted change and number of rounds.\n", r[0].Trials)
	return err
}
