package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Table holds the evidence of all benchmarks, and judges it.
type Table struct {
	Rules
	Units  map[string]int // better directions of custom units, tidied, as programs declare them
	HasCPU bool           // samples have CPU times

	NeedsHorizon bool    // benchmarks pass only after a long run
	Noise        float64 // of long runs in turns; see NoiseOf

	Family verdict.Family // times, memory and custom units
	Again  verdict.Family // rows measured again
	Known  map[*listing.Benchmark]*Evidence
}

// Evidence holds all facts known of a benchmark.
type Evidence struct {
	state           state
	listing.Failure            // of a benchmark that is not judged
	Repaired        bool       // only the old side fails
	AtLeast         [2]float64 // seconds of an operation in [StateLate]: the new side takes longer

	Rows   []*Row
	Counts *Counts
	Pairs  []Pair // of rounds

	Round time.Duration // expected time of a round
	Alone bool          // runs beside no other process

	LongRuns    verdict.LongRuns
	LastLong    Pair          // the last long run
	Length      time.Duration // planned for them
	Horizon     time.Duration // timed work in the last one
	RepeatsLong bool          // its rounds are long runs
	Operation   float64       // seconds of an operation in the fastest short run; 0 if unknown
	Starts      Processes     // runs shortly in each

	MayGrow          bool            // the long run, with another number of operations on each side, seems to show more memory
	isMoreInLongRuns map[string]bool // units of memory that grew in all long runs with one number of operations
}

// Rounds counts the rounds of times.
func (f *Evidence) Rounds() int { return len(f.Pairs) }

// hasOnlyMemory reports whether the benchmark hides its time, and has no figure of its own instead.
func (f *Evidence) hasOnlyMemory() bool { return len(f.Rows) > 0 && f.Rows[0].IsMemory() }

// HasLooked reports whether the benchmark has had its first look.
func (f *Evidence) HasLooked() bool { return f.Rounds() >= verdict.FirstLook }

// NewTable returns a table without evidence.
func NewTable(r Rules, units map[string]int, hasCPU bool) *Table {
	rule := verdict.DefaultRule()
	rule.Limit = r.Limit
	return &Table{Rules: r, Units: units, HasCPU: hasCPU, Family: verdict.Family{Rule: rule},
		Again: verdict.Family{Rule: rule},
		Known: make(map[*listing.Benchmark]*Evidence)}
}

// Of returns what is known of a benchmark.
func (t *Table) Of(b *listing.Benchmark) *Evidence {
	if t.Known[b] == nil {
		t.Known[b] = &Evidence{}
		if b.Failure != nil {
			t.Known[b].state, t.Known[b].Failure = stateNotJudged, *b.Failure
		}
	}
	return t.Known[b]
}

// TimeOfRound is the expected time of a round of benchmarks.
func (t *Table) TimeOfRound(benchmarks []*listing.Benchmark) (sum time.Duration) {
	for _, b := range benchmarks {
		sum += t.Of(b).Round
	}
	return sum
}

// TimeOfRounds is the time until a benchmark has some number of rounds. Before its first round, the first iterations are
// taken for a round.
func (t *Table) TimeOfRounds(b *listing.Benchmark, rounds int) time.Duration {
	f := t.Of(b)
	return time.Duration(max(0, rounds-f.Rounds())) * cmp.Or(f.Round, b.First[frame.Old].Run+b.First[frame.New].Run)
}

// Suspicion orders benchmarks: first those with more memory, which rounds decide soon, then those whose long runs or counts
// changed, then those without a count, then the others. Within these, near benchmarks come first, and then those with more
// changed functions.
func (t *Table) Suspicion(b *listing.Benchmark) float64 {
	near := float64(b.Reach.Near)/2 + float64(len(b.Reach.Changed))/1e6
	switch c := t.Of(b).Counts; {
	case t.MoreMemory(b) != "":
		return 4 + near
	case t.IsSuspect(b):
		return 2 + t.Of(b).LongRuns.Delta() + near
	case !c.IsDecided():
		return 1 + near
	case c.Result.Verdict == verdict.NotMoreWork:
		return near
	default:
		return 2 + math.Abs(c.Result.Delta) + near
	}
}

// NeedsMachine reports whether a benchmark runs beside no other one.
func (t *Table) NeedsMachine(b *listing.Benchmark) bool { return b.Procs > 1 || t.Of(b).Alone }

// AddTimes adds a round of times.
func (t *Table) AddTimes(pairs []Pair) {
	for i := range pairs {
		p := &pairs[i]
		f := t.Of(p.Benchmark)
		if f.Rows == nil {
			t.addRows(f, p)
		}
		if f.Rows == nil {
			f.Abandon(frame.NoFigures)
			continue
		}
		f.Pairs = append(f.Pairs, *p)
		for _, r := range f.Rows {
			before, after := r.Read(&p.Sides[frame.Old]), r.Read(&p.Sides[frame.New])
			err := r.Row.Add(before, after)
			if err == nil && r.Confirm != nil {
				err = r.Confirm.Add(before, after)
			}
			switch {
			case err == nil || r.Advisory != "":
			case t.Printed && !(r.has(&p.Sides[frame.Old]) && r.has(&p.Sides[frame.New])):
				f.Both = true
				f.Abandon(fmt.Sprintf(frame.RoundLacksUnit, r.Unit))
			case r.Unit != report.TimeUnit:
				if r.dropped++; r.dropped == constantRounds && r.Row.Rounds() == 0 {
					r.makeAdvisory(&t.Family, fmt.Sprintf("%s: %v", r.Unit, err))
				}
			default:
				f.Abandon(err.Error())
			}
		}
		if !slices.ContainsFunc(f.Rows, func(r *Row) bool { return r.Advisory == "" || r.Row.Rounds() > 0 }) {
			f.Abandon(f.Rows[0].Advisory)
		}
	}
}

// Look judges the rows whose look is due, and lets failing rows be measured again. Where the count works more, both
// judges have shown the change.
func (t *Table) Look(benchmarks []*listing.Benchmark) {
	t.Family.Look(false)
	for _, b := range benchmarks {
		f := t.Of(b)
		again := t.Confirm && f.IsMeasurable() && !f.Counts.worksMore() && !f.RepeatsLong
		for _, r := range f.Rows {
			if again && r.IsSlower() && r.Confirm == nil {
				r.Confirm = t.Again.Add(r.Row.Higher)
				r.Confirm.Limit = r.Row.Limit
				f.Alone = true // a neighbour that changed may have changed it
			}
		}
		switch {
		case !f.IsOpen() || !t.isDecided(b):
		case t.NeedsHorizon && !f.RepeatsLong && !slices.ContainsFunc(f.Rows, (*Row).IsSlower) && t.differsInLongRuns(b):
			t.repeatLongRuns(b)
		default:
			f.Advance(StateJudged)
		}
	}
}

// isDecided reports whether times need no further rounds. Where the count works more, they need not confirm it.
func (t *Table) isDecided(b *listing.Benchmark) bool {
	f := t.Of(b)
	target, agree := t.Target(b), !t.Prove && f.Counts.worksMore()
	return f.Rows != nil && !slices.ContainsFunc(f.Rows, func(r *Row) bool {
		return r.IsOpen(target) && !(agree && t.Family.WouldFail(r.Row))
	})
}

// Target is the slowdown that a benchmark's times must show: 0 goes on until every row is decided. Where
// the count has decided, they need not see more than [verdict.MustDetect].
func (t *Table) Target(b *listing.Benchmark) float64 {
	limit := t.LimitOf(b.Name)
	switch {
	case t.Prove:
		return 0
	case t.Of(b).Counts.IsDecided():
		return max(verdict.MustDetect, 2*limit)
	}
	return max(verdict.ShouldDetect, 2*limit)
}

// RoundsToPass are often enough for a benchmark with little noise to pass; see [verdict.Row.RuledOut].
const RoundsToPass = 6

// IsEnough reports whether an open benchmark would pass as it is: no slowdown is likely, and a large one would have been
// seen.
func (t *Table) IsEnough(b *listing.Benchmark) bool {
	target, rows := t.Target(b), t.Of(b).Rows
	return target > 0 && len(rows) > 0 && !slices.ContainsFunc(rows, func(r *Row) bool {
		return r.IsOpen(target) && (r.Row.LikelyAbove || r.Row.RuledOut() > verdict.MustDetect)
	})
}

// IsSlower reports whether a benchmark is slower, and was when measured again.
func (t *Table) IsSlower(benchmarks []*listing.Benchmark) bool {
	return slices.ContainsFunc(benchmarks, func(b *listing.Benchmark) bool {
		f := t.Of(b)
		return f.IsMeasurable() && slices.ContainsFunc(f.Rows, (*Row).isSurelySlower)
	})
}

// PassesByCount reports whether a benchmark's count passes, and no more memory than the limit was seen with it.
func (t *Table) PassesByCount(b *listing.Benchmark) bool {
	return t.Of(b).Counts.passes() && t.UnseenByCount(b) == "" && !t.IsSuspect(b)
}

// UnseenByCount describes a change for the worse beyond the limit that no count sees; "" without one: more memory in
// the counting processes or in long runs, or another unit of the first operation. It is no verdict: later operations may differ.
func (t *Table) UnseenByCount(b *listing.Benchmark) string {
	if more := t.MoreMemory(b); more != "" {
		return more
	}
	for _, unit := range slices.Sorted(maps.Keys(b.First[frame.Old].Figures)) {
		from, to := b.First[frame.Old].Figures[unit], b.First[frame.New].Figures[unit]
		_, tidied := report.Tidy(1, unit)
		if strings.Contains(tidied, "sec") || strings.HasSuffix(tidied, "/s") || slices.Contains(report.BuiltinUnits, unit) ||
			!report.IsMeasurement(from) || !report.IsMeasurement(to) {
			continue
		}
		if worse := float64(t.direction(unit, t.Units)) * (from - to); worse > t.LimitOf(b.Name)*math.Abs(from) {
			return fmt.Sprintf(frame.SeenInOne, to, unit, from)
		}
	}
	return ""
}

// Sampler measures benchmarks on both sides. It returns pairs in the order taken, and abandons a benchmark that cannot
// be measured. A benchmark without a pair in the result needs another call.
type Sampler = verdict.Sampler[*listing.Benchmark, Pair]

// Pair holds a sample of each side, taken side by side or with the same seed.
type Pair struct {
	Benchmark *listing.Benchmark
	Sides     [2]listing.Sample
	Clock     report.Clock        // judged clock
	AtOnce    bool                // the sides ran at the same time on one core
	Earlier   [][2]listing.Sample // shorter runs before the first pair
}

// seen returns the runs of a pair, and those before it.
func (p *Pair) seen() [][2]listing.Sample { return append(slices.Clone(p.Earlier), p.Sides) }
