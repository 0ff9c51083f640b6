package trials

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Late is an experiment on the long runs of benchab: the slowdown of the first benchmark is in work that comes in
// periods.
type Late struct {
	Machine    Machine
	Benchmarks int
	LongRuns   int // of each side
	Planted    float64
	Period     time.Duration
}

// The lengths of runs, and the most rounds.
const (
	horizon    = time.Second
	shortRun   = 8 * time.Millisecond
	lateRounds = 20
)

// lateExperiments returns the experiments with late work: few benchmarks have several long runs, and many one.
func lateExperiments() (all []Late) {
	for _, size := range [][2]int{{3, 3}, {20, 1}} {
		for _, machine := range machines() {
			all = append(all, Late{machine, size[0], size[1], 0, horizon})
			for _, part := range []float64{0.1, verdict.MustDetect} {
				for period := horizon; period >= 100*time.Microsecond; period /= 10 {
					all = append(all, Late{machine, size[0], size[1], part, period})
				}
			}
		}
	}
	return all
}

// Name is the name of the experiment's row in a record.
func (l Late) Name() string {
	return fmt.Sprintf("Late/noise=%s/benchmarks=%d/planted=%g/period=%v", l.Machine.Name, l.Benchmarks, l.Planted, l.Period)
}

// ratio is the slowdown of a benchmark within a run that begins at any moment of a period.
func (l Late) ratio(rng *rand.Rand, b int, run time.Duration) float64 {
	if b > 0 {
		return 1
	}
	phase := time.Duration(rng.Int64N(int64(l.Period)))
	times := math.Floor(float64(run-phase)/float64(l.Period)) + 1
	return 1 + l.Planted*max(0, times)*float64(l.Period)/float64(run)
}

// trial runs the benchmarks until the horizon and then in rounds, as benchab does: as long where the short ones do not
// explain a slowdown. The counts are trials, and of these: alarms with an unchanged benchmark called slower; repeated
// ones of an unchanged first benchmark; slower, passed and undecided ones by the first benchmark; seen, if the planted
// change is detectable; and missed, those seen that pass.
func (l Late) trial(seed uint64) Counts {
	rng := rand.New(rand.NewPCG(seed, 11))
	factor := l.Machine.factors(rng, 2*l.Benchmarks*(l.LongRuns+2*lateRounds+2))
	runs := make([]*verdict.LongRuns, l.Benchmarks)
	for b := range runs {
		runs[b] = &verdict.LongRuns{}
		for range l.LongRuns {
			mustAdd(runs[b].Add(factor(), factor()*l.ratio(rng, b, horizon)))
		}
	}
	rule, noise := verdict.DefaultRule(), verdict.LongRunNoise(runs)
	for b := range runs {
		if runs[b].Disturbed(noise) {
			mustAdd(runs[b].Add(factor(), factor()*l.ratio(rng, b, horizon)))
		}
	}
	family := &verdict.Family{Rule: rule}
	for b := range runs {
		row := family.Add(false)
		if runs[b].Suspect(math.Log(factor()*l.fastest(rng, b)/factor()), rule.Limit, noise) {
			row.Suspected, row.Noise = true, noise
		}
	}
	l.takeRounds(rng, family, factor)
	for b, row := range family.Rows {
		before, after := row.Samples()
		short := verdict.LogRatio(verdict.Median(before), verdict.Median(after))
		if !row.Suspected && row.Verdict != verdict.Slower && runs[b].Suspect(short, rule.Limit, noise) {
			*row = verdict.Row{Limit: row.Limit, Suspected: true, Noise: noise, Detectable: math.Inf(1), Verdict: verdict.Undecided}
		}
	}
	l.takeRounds(rng, family, factor)
	family.Look(true)
	return l.count(family, runs[0].Detectable(rule.Limit, noise))
}

// takeRounds takes rounds for the open rows, as long as long runs for the suspected ones.
func (l Late) takeRounds(rng *rand.Rand, family *verdict.Family, factor func() float64) {
	for range lateRounds {
		for b, row := range family.Rows {
			if row.Open(verdict.ShouldDetect) {
				change := l.fastest(rng, b)
				if row.Suspected {
					change = l.ratio(rng, b, horizon)
				}
				mustAdd(row.Add(factor(), factor()*change))
			}
		}
		family.Look(false)
	}
}

// fastest is the slowdown in the fastest of several short runs.
func (l Late) fastest(rng *rand.Rand, b int) float64 {
	const repeats = 4
	least := math.Inf(1)
	for range repeats {
		least = min(least, l.ratio(rng, b, shortRun))
	}
	return least
}

// mustAdd panics on an error: simulated figures are positive numbers.
func mustAdd(err error) {
	if err != nil {
		panic(err)
	}
}

// count returns the outcome of one trial, whose long runs have a smallest detectable slowdown.
func (l Late) count(f *verdict.Family, detectable float64) Counts {
	first := f.Rows[0]
	r := Counts{"trials": 1}
	add := func(name string, is bool) {
		if r[name] += 0; is {
			r[name]++
		}
	}
	alarm := false
	for b, row := range f.Rows {
		alarm = alarm || row.Verdict == verdict.Slower && (b > 0 || l.Planted == 0)
	}
	if !first.Suspected {
		detectable = max(detectable, first.RuledOut())
	} else {
		detectable = first.RuledOut()
	}
	slower := first.Verdict == verdict.Slower
	passed := !slower && (first.Verdict.Passes() || detectable <= verdict.MustDetect)
	add("alarms", alarm)
	add("repeated", first.Suspected)
	add("slower", slower)
	add("passed", passed)
	add("undecided", !slower && !passed)
	add("seen", l.Planted > 0 && detectable <= l.Planted)
	add("missed", l.Planted > 0 && detectable <= l.Planted && passed)
	return r
}
