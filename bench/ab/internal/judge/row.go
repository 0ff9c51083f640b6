package judge

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Row is a benchmark in one unit.
type Row struct {
	Reading
	Row      *verdict.Row
	Memory   bool
	Confirm  *verdict.Row // confirmation run
	Advisory string       // reason of a row that is shown and not judged
	dropped  int          // rounds without a measurement
	growth   float64      // by which memory may grow and pass
}

// has reports whether a sample has the figure, which may be no measurement.
func (r *Row) has(s *listing.Sample) bool {
	_, ok := s.Figures[r.printed]
	return ok || r.printed == ""
}

// makeAdvisory makes a row one that is shown and not judged.
func (r *Row) makeAdvisory(family *verdict.Family, reason string) {
	r.Advisory = reason
	family.Rows = slices.DeleteFunc(family.Rows, func(row *verdict.Row) bool { return row == r.Row })
}

// IsOpen reports whether the row needs more rounds, to see a slowdown of a size. Memory keeps a
// benchmark running only while it looks worse. Where a count is more exact, a decided change may have a wide interval.
func (r *Row) IsOpen(target float64) bool {
	switch {
	case r.Advisory != "" || r.isConstant():
		return false
	case r.Memory:
		target = math.Inf(1)
	}
	if r.Confirm != nil {
		if _, open := r.Confirm.Confirms(); open {
			return true
		}
	}
	return r.Row.Open(target) || r.Row.Rough() && target < verdict.MustDetect
}

// constantRounds are enough to decide memory that was the same in all of them.
const constantRounds = 3

// isConstant reports whether memory was the same in three rounds, on each side.
func (r *Row) isConstant() bool {
	before, after := r.Row.Samples()
	return r.Memory && r.Row.Rounds() >= constantRounds && slices.Min(before) == slices.Max(before) &&
		slices.Min(after) == slices.Max(after)
}

// IsSlower reports whether the row is about to fail.
func (r *Row) IsSlower() bool {
	return r.Advisory == "" && r.Row.Verdict == verdict.Slower && !r.Row.Exact
}

// isSurelySlower reports whether the row fails: memory without noise, or a time that was slower again, by far more than
// the limit where not in each round.
func (r *Row) isSurelySlower() bool {
	switch {
	case r.Row.Exact:
		before, after := r.Medians()
		return r.Row.Verdict == verdict.Slower && (r.growth == 0 || math.Abs(after-before) > r.growth)
	case !r.IsSlower():
		return false
	case r.Confirm == nil:
		return true
	}
	if worse, _ := r.Confirm.Confirms(); !worse {
		return false
	}
	before, after := r.Confirm.Samples()
	return r.Confirm.AllWorse() || !r.Row.Higher && verdict.Median(after) > (1+2*r.Row.Limit)*verdict.Median(before)
}

// RoundsLeft is how many rounds a row is likely to need: until its interval leaves out the limit,
// or until it detects a slowdown of a size.
func (r *Row) RoundsLeft(target float64) int {
	row := r.Row
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

// Medians returns the medians of both sides.
func (r *Row) Medians() (from, to float64) {
	before, after := r.Row.Samples()
	return verdict.Median(before), verdict.Median(after)
}

// ConfirmRow compares a slower row with its confirmation run, which must show the change by itself: what runs before a
// benchmark in its process, or beside it, may have changed the first one.
func (r *Row) ConfirmRow(out *report.Row) {
	again := r.Confirm
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

// CopyRow copies the results of a row.
func CopyRow(row *verdict.Row) report.Row {
	before, after := row.Samples()
	from, to := estimateSides(before, after, row.Delta)
	number := func(x float64) verdict.Number { return verdict.Number(x) }
	out := report.Row{
		Rounds: row.Rounds(), Old: number(from), New: number(to), Limit: row.Limit, Detectable: number(row.RuledOut()), Delta: number(row.Delta),
		Lo: number(row.Lo), Hi: number(row.Hi), P: number(row.P), Family: number(row.Family), Verdict: row.Verdict, Reason: row.Reason,
	}
	switch nothing, most := number(math.NaN()), number(math.Inf(1)); {
	case out.Rounds == 0:
		out.Delta, out.Lo, out.Hi, out.P, out.Family = nothing, nothing, nothing, 1, 1
		out.Reason = cmp.Or(out.Reason, frame.NotMeasured)
	case from == 0 && to > 0: // there is no ratio to nothing
		out.Delta, out.Lo, out.Hi = most, most, most
	}
	return out
}

// estimateSides returns figures of both sides whose ratio is 1+delta: their geometric mean is
// the median over the pairs. Where a figure is 0, or the medians have that ratio, as constants
// have, they are medians; NaN of none.
func estimateSides(before, after []float64, delta float64) (float64, float64) {
	from, to := verdict.Median(before), verdict.Median(after)
	if math.Abs(from*(1+delta)-to) <= 1e-9*to {
		return from, to
	}
	var logs []float64
	for k := range min(len(before), len(after)) {
		if !(before[k] > 0 && after[k] > 0) {
			logs = nil
			break
		}
		logs = append(logs, (math.Log(before[k])+math.Log(after[k]))/2)
	}
	if logs == nil {
		return from, to
	}
	half := math.Sqrt(1 + delta)
	middle := math.Exp(verdict.Median(logs))
	return middle / half, middle * half
}
