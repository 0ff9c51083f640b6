// Package trials simulates how often the verdicts of benchab are right: how often it finds a
// change where there is none, and how often it misses one.
//
// A [Machine] simulates measurements with a known noise and a known change. [Family] judges such
// measurements as benchab does.
package trials

import (
	"math"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Family is an experiment on benchab: several benchmarks on a simulated machine,
// with a planted slowdown of the first.
type Family struct {
	Machine    Machine
	Benchmarks int
	Planted    float64 // 0.05 is 5 %
	Rounds     int     // at most
	Rule       verdict.Rule
}

// Counts are the outcomes of trials of a [Family].
type Counts struct {
	Trials      int `json:"trials"`
	Alarms      int `json:"alarms"`      // trials with an unchanged row called slower or faster
	Slower      int `json:"slower"`      // trials with the first row called slower
	Passed      int `json:"passed"`      // trials with the first row proven not to be slower
	Undecided   int `json:"undecided"`   // trials with the first row undecided
	Blind       int `json:"blind"`       // trials too noisy to pass
	Seen        int `json:"seen"`        // trials with a planted change of at least the sight of the first row
	Missed      int `json:"missed"`      // of these, trials with the first row not called slower
	Rounds      int `json:"rounds"`      // of all trials, until the first row was decided
	Rows        int `json:"rows"`        // of all trials
	Covered     int `json:"covered"`     // rows whose interval contains the planted change
	Contradicts int `json:"contradicts"` // rows whose interval, p or center disagrees with their verdict
}

// Add adds the counts of other trials of the same family.
func (r *Counts) Add(o Counts) {
	r.Trials += o.Trials
	r.Alarms += o.Alarms
	r.Slower += o.Slower
	r.Passed += o.Passed
	r.Undecided += o.Undecided
	r.Blind += o.Blind
	r.Seen += o.Seen
	r.Missed += o.Missed
	r.Rounds += o.Rounds
	r.Rows += o.Rows
	r.Covered += o.Covered
	r.Contradicts += o.Contradicts
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
			if row := family.Rows[b]; row.Open(verdict.GoodSight) {
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

// planted returns the slowdown of a benchmark.
func (c Family) planted(b int) float64 {
	if b == 0 {
		return c.Planted
	}
	return 0
}

// count returns the outcome of one trial.
func (c Family) count(f *verdict.Family) Counts {
	r := Counts{Trials: 1, Rows: len(f.Rows), Rounds: f.Rows[0].Rounds()}
	var outcomes []verdict.Outcome
	for b, row := range f.Rows {
		truth := c.planted(b)
		outcomes = append(outcomes, verdict.Outcome{Verdict: row.Verdict, Sight: row.Sight})
		if row.Lo <= truth && truth <= row.Hi {
			r.Covered++
		}
		if contradicts(row) {
			r.Contradicts++
		}
		if truth == 0 && (row.Verdict == verdict.Slower || row.Verdict == verdict.Faster) {
			r.Alarms = 1
		}
	}
	if verdict.Decide(outcomes) == verdict.Undecided {
		r.Blind = 1
	}
	if first := f.Rows[0]; c.Planted > 0 && first.Sight <= c.Planted {
		if r.Seen = 1; first.Verdict != verdict.Slower {
			r.Missed = 1
		}
	}
	switch first := f.Rows[0].Verdict; {
	case first == verdict.Slower:
		r.Slower++
	case first == verdict.Undecided:
		r.Undecided++
	default:
		r.Passed++
	}
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

// rate returns part of whole, NaN of nothing.
func rate(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}
