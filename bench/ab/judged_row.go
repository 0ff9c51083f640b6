package ab

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// judgedRow is a benchmark in one unit.
type judgedRow struct {
	unit     string       // unit in reports
	clock    report.Clock // clock of a time
	read     func(s *sample) float64
	row      *verdict.Row
	memory   bool
	confirm  *verdict.Row // confirmation run
	advisory string       // reason of a row that is shown and not judged
	printed  string       // unit as printed; "" of a time of the timers
	dropped  int          // rounds without a measurement
}

// has reports whether a sample has the figure, which may be no measurement.
func (r *judgedRow) has(s *sample) bool {
	_, ok := s.figures[r.printed]
	return ok || r.printed == ""
}

// makeAdvisory makes a row one that is shown and not judged.
func (r *judgedRow) makeAdvisory(family *verdict.Family, reason string) {
	r.advisory = reason
	family.Rows = slices.DeleteFunc(family.Rows, func(row *verdict.Row) bool { return row == r.row })
}

// isOpen reports whether the row needs more rounds, to see a slowdown of a size. Memory keeps a
// benchmark running only while it looks worse. Where a count is more exact, a decided change may have a wide interval.
func (r *judgedRow) isOpen(target float64) bool {
	switch {
	case r.advisory != "" || r.isConstant():
		return false
	case r.memory:
		target = math.Inf(1)
	}
	if r.confirm != nil {
		if _, open := r.confirm.Confirms(); open {
			return true
		}
	}
	return r.row.Open(target) || r.row.Rough() && target < verdict.MustDetect
}

// constantRounds are enough to decide memory that was the same in all of them.
const constantRounds = 3

// isConstant reports whether memory was the same in three rounds, on each side.
func (r *judgedRow) isConstant() bool {
	before, after := r.row.Samples()
	return r.memory && r.row.Rounds() >= constantRounds && slices.Min(before) == slices.Max(before) &&
		slices.Min(after) == slices.Max(after)
}

// isSlower reports whether the row is about to fail.
func (r *judgedRow) isSlower() bool {
	return r.advisory == "" && r.row.Verdict == verdict.Slower && !r.row.Exact
}

// isSurelySlower reports whether the row fails: memory without noise, or a time that was slower again, by far more than
// the limit where not in each round.
func (r *judgedRow) isSurelySlower() bool {
	switch {
	case r.row.Exact:
		return r.row.Verdict == verdict.Slower
	case !r.isSlower():
		return false
	case r.confirm == nil:
		return true
	}
	if worse, _ := r.confirm.Confirms(); !worse {
		return false
	}
	before, after := r.confirm.Samples()
	return r.confirm.AllWorse() || !r.row.Higher && verdict.Median(after) > (1+2*r.row.Limit)*verdict.Median(before)
}

// roundsLeft is how many rounds a row is likely to need: until its interval leaves out the limit,
// or until it detects a slowdown of a size.
func (r *judgedRow) roundsLeft(target float64) int {
	row := r.row
	ratio := row.Detectable / max(target, row.Limit)
	if target == 0 || row.Suspect {
		width, room := row.Hi-row.Delta, math.Abs(row.Limit-row.Delta)
		ratio = 1.5 * width / max(room, row.Limit/8)
	}
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
		return 1000
	}
	return int(max(4, min(1000, float64(row.Rounds())*(ratio*ratio-1))))
}

// medians returns the medians of both sides.
func (r *judgedRow) medians() (from, to float64) {
	before, after := r.row.Samples()
	return verdict.Median(before), verdict.Median(after)
}

// confirmRow compares a slower row with its confirmation run, which must show the change by itself: what runs before a
// benchmark in its process, or beside it, may have changed the first one.
func (r *judgedRow) confirmRow(out *report.Row) {
	again := r.confirm
	switch worse, open := again.Confirms(); {
	case worse:
	case open && again.Rounds() < verdict.FirstLook:
		out.Reason = "there was no time to measure it again"
	default:
		out.Verdict = verdict.Undecided
		out.Reason = fmt.Sprintf("slower in %d rounds, but %d from new links do not confirm it: %s", out.Rounds,
			again.Rounds(), report.Percent(again.Delta))
	}
}
