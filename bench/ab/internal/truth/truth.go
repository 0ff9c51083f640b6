// Package truth finds out, on simulated machines, how often the verdicts of package
// verdict are right.
package truth

import (
	"math"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/noise"
)

// Cell is one experiment: a family of benchmarks of which the first has a planted
// slowdown, on a machine with a noise.
type Cell struct {
	Machine    noise.Machine
	Benchmarks int
	Planted    float64 // 0.05 is 5 % slower, of the first benchmark
	Rounds     int     // at most
	Rule       verdict.Rule
}

// Rates count what came of the trials of a cell. Rows are all rows of all trials;
// those of the first benchmark are counted apart.
type Rates struct {
	Trials      int `json:"trials"`
	Alarms      int `json:"alarms"`      // trials in which an unchanged row was called slower or faster
	Slower      int `json:"slower"`      // trials in which the first row was
	Passed      int `json:"passed"`      // trials in which the first row passed
	Undecided   int `json:"undecided"`   // trials in which the first row was left undecided
	Open        int `json:"open"`        // trials in which any row was
	Rounds      int `json:"rounds"`      // of all trials, until the first row was decided
	Rows        int `json:"rows"`        // of all trials
	Covered     int `json:"covered"`     // rows whose interval held the truth
	Contradicts int `json:"contradicts"` // rows whose interval, p or center says otherwise than their verdict
}

// Add adds the rates of other trials of the same cell.
func (r *Rates) Add(o Rates) {
	r.Trials += o.Trials
	r.Alarms += o.Alarms
	r.Slower += o.Slower
	r.Passed += o.Passed
	r.Undecided += o.Undecided
	r.Open += o.Open
	r.Rounds += o.Rounds
	r.Rows += o.Rows
	r.Covered += o.Covered
	r.Contradicts += o.Contradicts
}

// Trial measures a family once, in turns, and judges it as "ur bench ab" does: rounds
// in random order, looks after growing numbers of rounds, and only rows that are not
// decided go on. It follows from the seed.
func (c Cell) Trial(seed uint64) Rates {
	rng := rand.New(rand.NewPCG(seed, 7))
	family := &verdict.Family{Rule: c.Rule}
	for range c.Benchmarks {
		family.Add(false)
	}
	factor := c.Machine.Start(rng, 2*c.Rounds*c.Benchmarks)
	look := verdict.FirstLook
	for round := 1; round <= c.Rounds && family.Undecided() > 0; round++ {
		for _, b := range rng.Perm(c.Benchmarks) {
			if row := family.Rows[b]; !row.Decided() {
				before, after := factor(), factor()
				if rng.IntN(2) == 0 {
					before, after = after, before
				}
				if err := row.Add(before, after*(1+c.planted(b))); err != nil {
					panic(err) // the noise is a positive number
				}
			}
		}
		if last := round == c.Rounds; round == look || last {
			family.Look(last)
			look = verdict.NextLook(round)
		}
	}
	return c.count(family)
}

// planted is the slowdown of a benchmark.
func (c Cell) planted(b int) float64 {
	if b == 0 {
		return c.Planted
	}
	return 0
}

// count says what came of a family.
func (c Cell) count(f *verdict.Family) Rates {
	r := Rates{Trials: 1, Rows: len(f.Rows), Rounds: f.Rows[0].Rounds()}
	for b, row := range f.Rows {
		truth := c.planted(b)
		if row.Lo <= truth && truth <= row.Hi {
			r.Covered++
		}
		if Contradicts(row) {
			r.Contradicts++
		}
		if truth == 0 && (row.Verdict == verdict.Slower || row.Verdict == verdict.Faster) {
			r.Alarms = 1
		}
		if row.Verdict == verdict.Undecided {
			r.Open = 1
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

// Contradicts reports whether the interval, the center, or p of a decided row says
// otherwise than its verdict.
func Contradicts(r *verdict.Row) bool {
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
	return true // nothing else is said of figures with noise
}

// Rate is a part of a whole, and NaN of none.
func Rate(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}
