// Package trials simulates how often the verdicts of benchab are right: how often it finds a change where there is
// none, and how often it misses one.
//
// A [Machine] simulates measurements with a known noise and a known change. [Family] judges such
// measurements as benchab does.
package trials

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Family is an experiment on benchab: several benchmarks on a simulated machine,
// with a planted slowdown of the first.
type Family struct {
	Machine    Machine
	Benchmarks int
	Planted    float64 // 0.05 is 5 %
	Rounds     int     // maximum
	Rule       verdict.Rule
}

// Counts are the outcomes of trials of a [Family], as records have them:
//
//   - trials, and of these: alarms with an unchanged row called slower or faster; unjudged ones, with a benchmark too
//     noisy to judge;
//   - slower, passed, undecided: trials with this verdict on the first row; escaped: those where it lets the
//     commit pass;
//   - seen: trials with a planted change of at least the detectable one of the first row; of these missed:
//     those with the first row not called slower;
//   - rounds of all trials until the first row was decided;
//   - rows of all trials, and of these: covered, whose interval contains the planted change, and
//     contradicts, whose interval, p or center disagrees with their verdict.
type Counts map[string]float64

// add adds the counts of other trials of the same family.
func (c Counts) add(other Counts) {
	for name, n := range other {
		c[name] += n
	}
}

// trial measures the family once, in turns, and judges it as benchab does: rounds
// in random order, looks after growing numbers of rounds, further rounds for rows only where they may
// change the answer. The seed determines the result.
func (c Family) trial(seed uint64) Counts {
	rng := rand.New(rand.NewPCG(seed, 7))
	family := &verdict.Family{Rule: c.Rule}
	for range c.Benchmarks {
		family.Add(false)
	}
	factor := c.Machine.factors(rng, 2*c.Rounds*c.Benchmarks)
	for round := 1; round <= c.Rounds; round++ {
		for _, b := range rng.Perm(c.Benchmarks) {
			if row := family.Rows[b]; row.Open(verdict.ShouldDetect) {
				before, after := factor(), factor()
				if rng.IntN(2) == 0 {
					before, after = after, before
				}
				if err := row.Add(before, after*(1+c.planted(b))); err != nil {
					panic(err) // the noise is a positive number
				}
			}
		}
		family.Look(false)
	}
	family.Look(true)
	return c.count(family)
}

// planted returns a benchmark's slowdown.
func (c Family) planted(b int) float64 {
	if b == 0 {
		return c.Planted
	}
	return 0
}

// count returns the outcome of one trial.
func (c Family) count(f *verdict.Family) Counts {
	first := f.Rows[0]
	r := Counts{"trials": 1, "rows": float64(len(f.Rows)), "rounds": float64(first.Rounds())}
	add := func(name string, is bool) {
		n := 0.0
		if is {
			n = 1
		}
		r[name] += n
	}
	var run report.Report
	alarm := false
	for b, row := range f.Rows {
		truth := c.planted(b)
		run.Rows = append(run.Rows,
			report.Row{Primary: true, Verdict: row.Verdict, Detectable: verdict.Number(row.RuledOut()), Limit: row.Limit})
		add("covered", row.Lo <= truth && truth <= row.Hi)
		add("contradicts", contradicts(row))
		alarm = alarm || truth == 0 && (row.Verdict == verdict.Slower || row.Verdict == verdict.Faster)
	}
	seen, slower := c.Planted > 0 && first.Detectable <= c.Planted, first.Verdict == verdict.Slower
	add("alarms", alarm)
	run.Decide(false, false)
	add("unjudged", run.Verdict == verdict.Undecided)
	add("seen", seen)
	add("missed", seen && !slower)
	add("slower", slower)
	add("undecided", first.Verdict == verdict.Undecided)
	add("passed", !slower && first.Verdict != verdict.Undecided)
	add("escaped", first.Verdict.Passes() || first.Verdict == verdict.Undecided && first.RuledOut() <= verdict.MustDetect)
	return r
}

// contradicts reports whether the interval, the center, or p of a decided row disagrees
// with its verdict.
func contradicts(r *verdict.Row) bool {
	if (r.P <= 1-verdict.Confidence) != (r.Lo > 0 || r.Hi < 0) && !r.Exact {
		return true
	}
	inside := r.Lo <= r.Delta && r.Delta <= r.Hi
	switch r.Verdict {
	case verdict.Slower:
		return !(inside && r.Lo > 0 && r.Delta > r.Limit && r.Family >= r.P)
	case verdict.Faster:
		return !(inside && r.Hi < 0 && r.Family >= r.P)
	case verdict.NotSlower:
		return !(inside && r.Hi < r.Limit)
	case verdict.Undecided:
		return !(inside && r.Hi >= r.Limit) // or it would pass
	}
	return true // rows with noise have no other verdict
}

// planted are the slowdowns of a family's first benchmark.
var planted = []float64{0, 0.02, 0.035, 0.05, 0.10}

// experiments returns all simulated experiments.
func experiments() (families []Family) {
	for _, benchmarks := range []int{1, 20} {
		for _, part := range planted {
			for _, rounds := range []int{20, 80} {
				for _, machine := range machines() {
					families = append(families, Family{machine, benchmarks, part, rounds, verdict.DefaultRule()})
				}
			}
		}
		for _, machine := range machines() {
			families = append(families, Family{machine, benchmarks, verdict.MustDetect, fewRounds, verdict.DefaultRule()})
		}
	}
	return families
}

// fewRounds are too few for a first look: only a large slowdown can be excluded.
const fewRounds = 6

// Name is the name of the experiment's row in a record.
func (c Family) Name() string {
	return fmt.Sprintf("Trial/noise=%s/benchmarks=%d/planted=%g/rounds=%d", c.Machine.Name, c.Benchmarks,
		c.Planted, c.Rounds)
}

// Run adds up n trials of the family.
func (c Family) Run(n int) Counts { return run(c.trial, n) }

// run adds up n trials, of the seeds from 0, on all processors. The result does not depend on their number.
func run(trial func(seed uint64) Counts, n int) Counts {
	sum, results := make(Counts), make(chan Counts)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		go func() {
			part := make(Counts)
			for seed := w; seed < n; seed += workers {
				part.add(trial(uint64(seed)))
			}
			results <- part
		}()
	}
	for range workers {
		sum.add(<-results)
	}
	return sum
}

// Measure passes the counts of n trials of each experiment to add, in a few minutes.
func Measure(n int, add func(name string, counts Counts)) {
	experiments, late := experiments(), lateExperiments()
	for i, c := range experiments {
		fmt.Fprintf(os.Stderr, "\r%d of %d experiments", i, len(experiments)+len(late))
		add(c.Name(), c.Run(n))
	}
	for i, l := range late {
		fmt.Fprintf(os.Stderr, "\r%d of %d experiments", len(experiments)+i, len(experiments)+len(late))
		add(l.Name(), run(l.trial, n))
	}
	fmt.Fprintln(os.Stderr)
}
