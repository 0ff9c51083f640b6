package trials

import (
	"fmt"
	"io"
	"runtime"

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
				for _, machine := range machines() {
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
	sum, results := make(Counts), make(chan Counts)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		go func() {
			part := make(Counts)
			for seed := w; seed < n; seed += workers {
				part.add(c.trial(uint64(seed)))
			}
			results <- part
		}()
	}
	for range workers {
		sum.add(<-results)
	}
	return sum
}

// WriteTable writes a row for each noise, for families of the given size.
func (r Results) WriteTable(w io.Writer, benchmarks int) error {
	t := text.Table{Header: []string{"noise", "unchanged: false alarms", "+2 %: called slower", "+3.5 %: passes",
		"+5 %: found in 20 rounds", "in 80", "+10 %: found in 20", "in 80", "unchanged: blind after 80", "seen, and missed", "coverage", "contradictions"}}
	for _, machine := range machines() {
		// of adds the counts of a planted change, or of all, in a number of rounds, or in any.
		of := func(part float64, rounds int) Counts {
			sum := make(Counts)
			for _, c := range r {
				if c.Machine.Name == machine.Name && c.Benchmarks == benchmarks && (part < 0 || c.Planted == part) && (rounds == 0 || c.Rounds == rounds) {
					sum.add(c.Counts)
				}
			}
			return sum
		}
		percent := func(c Counts, part, whole string) string { return fmt.Sprintf("%.1f %%", 100*c.rate(part, whole)) }
		all := of(-1, 0)
		cells := []string{machine.Name, percent(of(0, 0), "alarms", "trials"), percent(of(0.02, 0), "slower", "trials"), percent(of(0.035, 0), "passed", "trials")}
		for _, part := range []float64{0.05, 0.10} {
			for _, rounds := range []int{20, 80} {
				cells = append(cells, percent(of(part, rounds), "slower", "trials"))
			}
		}
		t.Add(append(cells, percent(of(0, 80), "blind", "trials"), percent(all, "missed", "seen"), percent(all, "covered", "rows"), fmt.Sprint(all["contradicts"]))...)
	}
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%g families for each planted change and number of rounds.\n", r[0].Counts["trials"])
	return err
}
