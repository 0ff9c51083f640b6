package judge

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// RowsOf returns the rows of a benchmark, after the last look. One of them is primary, the verdict on the benchmark: the
// time, or the count where the time cannot decide. Memory alone lets no benchmark pass.
func (t *Table) RowsOf(b *listing.Benchmark) []report.Row {
	f, primary := t.Of(b), 0
	var rows []report.Row
	switch hasFigures := len(f.Rows) > 0 || f.Counts.IsDecided(); {
	case f.state == StateLate:
		rows = []report.Row{t.lateRow(b, f.AtLeast)}
	case t.OnlyCounts && (f.IsMeasurable() || hasFigures):
		rows = []report.Row{t.countRow(b, f.Counts)}
		if more := t.MoreMemory(b); more != "" && rows[0].Verdict.Passes() {
			rows[0].Verdict, rows[0].Reason = verdict.Undecided, more
		}
	case !f.IsMeasurable() && !hasFigures:
		rows, primary = t.withCount(b, []report.Row{report.NewRow(b.Name, t.LimitOf(b.Name), f.As, f.Reason)})
	case len(f.Rows) == 0:
		rows, primary = t.withCount(b, []report.Row{t.unmeasuredRow(b)})
	default:
		if f.hasOnlyMemory() && !t.Printed { // a command, as a file, may leave the others out on purpose
			rows = append(rows, report.NewRow(b.Name, t.LimitOf(b.Name), verdict.Undecided, frame.OnlyMemory))
		}
		for _, row := range f.Rows {
			rows = append(rows, t.timeRow(b, row))
		}
		rows, primary = t.withCount(b, rows)
	}
	rows[primary].Primary = true
	t.gateByLongRuns(b, &rows[primary])
	for i := range rows {
		rows[i].Judge = cmp.Or(rows[i].Judge, verdict.ByTime)
		describeCode(b, f, &rows[i])
	}
	return rows
}

// withCount adds the row of the count to those of times, and returns which one is primary.
func (t *Table) withCount(b *listing.Benchmark, times []report.Row) (rows []report.Row, primary int) {
	f, main := t.Of(b), &times[0]
	if f.Counts == nil {
		return times, 0
	}
	row := t.countRow(b, f.Counts)
	first := main.Verdict
	if len(f.Rows) > 0 && f.Rows[0].Advisory != "" {
		first = verdict.Undecided // by the unit; the count may decide
	}
	_, judge := verdict.Combine(first, row.Verdict)
	if len(f.Rows) == 0 && row.Verdict.Passes() && t.UnseenByCount(b) != "" {
		judge = verdict.ByTime
	}
	if judge == verdict.ByCount {
		primary = len(times)
	} else if main.Reason == "" && main.Verdict == verdict.Undecided {
		main.Reason = fmt.Sprintf(frame.NoCount, row.Reason)
	}
	return append(times, row), primary
}

// unmeasuredRow is the row of a benchmark without rounds: its long runs alone may show that no large slowdown is there.
func (t *Table) unmeasuredRow(b *listing.Benchmark) report.Row {
	f, unseen := t.Of(b), t.UnseenByCount(b)
	if unseen != "" || f.LongRuns.N() == 0 {
		return report.NewRow(b.Name, t.LimitOf(b.Name), verdict.Undecided, cmp.Or(unseen, f.Reason, frame.NotMeasured))
	}
	row := report.NewRow(b.Name, t.LimitOf(b.Name), verdict.Undecided, frame.NoFurtherRounds)
	old, new := LongFigures(&f.LastLong)
	row.Clock, row.Rounds, row.Old, row.New = f.LastLong.Clock, f.LongRuns.N(), verdict.Number(old), verdict.Number(new)
	row.Delta, row.Detectable = verdict.Number(f.LongRuns.Delta()), verdict.Number(f.LongRuns.Detectable(row.Limit, t.NoiseOf(b)))
	return row
}

// gateByLongRuns lets a row pass only within the horizon of its long runs.
func (t *Table) gateByLongRuns(b *listing.Benchmark, row *report.Row) {
	f := t.Of(b)
	if row.Horizon = f.observed().Seconds(); !f.IsMeasurable() {
		return
	}
	if why := t.LacksHorizon(b); why != "" && row.MayPass(t.Prove) {
		row.Verdict, row.Reason, row.Detectable = verdict.Undecided, why, verdict.Number(math.Inf(1))
	}
}

// describeCode adds the code behind a row, with the functions of a failing one.
func describeCode(b *listing.Benchmark, f *Evidence, row *report.Row) {
	row.Neither, row.Both = f.Neither, row.Both || f.Both
	row.Code, row.Tests = cmp.Or(b.Reach.Code, report.UnknownCode), b.Pkg.Tests
	if row.Primary {
		row.Changed = b.Reach.Changed[:min(len(b.Reach.Changed), report.MostChanged)]
	}
	if row.Verdict != verdict.Slower && row.Verdict != verdict.MoreWork {
		return
	}
	row.Places = b.Reach.Places
	if f.Counts.IsDecided() && (row.Unit == report.TimeUnit || row.Unit == report.CountUnit) {
		row.Functions = count.Compare(f.Counts.Functions[frame.Old], f.Counts.Functions[frame.New])
	}
}

// lateRow is the row of a benchmark whose new side did not end in time.
func (t *Table) lateRow(b *listing.Benchmark, seconds [2]float64) report.Row {
	before, after := seconds[frame.Old], seconds[frame.New]
	row := report.NewRow(b.Name, t.LimitOf(b.Name), verdict.Slower,
		fmt.Sprintf(frame.NotEnded, time.Duration(after*1e9).Round(time.Millisecond), after/before))
	row.Clock, row.Rounds, row.P, row.Family = report.Wall, 1, 0, 0
	row.Old, row.New = verdict.Number(before), verdict.Number(after)
	row.Delta = row.New/row.Old - 1
	row.Lo = row.Delta
	return row
}

// countRow is the row of counted instructions.
func (t *Table) countRow(b *listing.Benchmark, c *Counts) report.Row {
	row := report.NewRow(b.Name, t.LimitOf(b.Name), verdict.Undecided, c.Reason)
	row.Unit, row.Judge = report.CountUnit, verdict.ByCount
	if n := c.Result.Pairs(); n > 0 {
		before, after := c.Result.Sides()
		row.Old, row.New = verdict.Number(before), verdict.Number(after)
		row.Delta, row.Lo, row.Hi = verdict.Number(c.Result.Delta), verdict.Number(c.Result.Lo), verdict.Number(c.Result.Hi)
		row.Verdict, row.Rounds, row.Reason = c.Result.Verdict, n, cmp.Or(c.Reason, c.Result.Reason)
	} else if c.Reason == "" {
		row.Reason = frame.UncountedYet
	}
	return row
}

// timeRow is a row of times, memory, or a custom unit.
func (t *Table) timeRow(b *listing.Benchmark, row *Row) report.Row {
	f, out := t.Of(b), copyRow(row.Row)
	out.Name, out.Unit, out.Clock = b.Name, row.Unit, row.Clock
	row.dropSeldom(&out)
	switch {
	case row.Advisory != "":
		from, to := row.Medians()
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), verdict.Number(math.Expm1(verdict.LogRatio(from, to)))
		out.Lo, out.Hi = verdict.Number(math.NaN()), verdict.Number(math.NaN())
		out.Verdict, out.Reason, out.Both = verdict.NotJudged, row.Advisory, true
	case !f.IsMeasurable() && out.Verdict != verdict.Slower:
		out.Verdict, out.Reason, out.Detectable = f.As, f.Reason, verdict.Number(math.Inf(1))
	case t.memoryRule(b.Name, row.Unit).passes(&out):
		out.Verdict = verdict.NotSlower
	case row.IsSlower() && row.Confirm != nil:
		row.confirmRow(&out)
	}
	if f.LongRuns.N() > 0 && !f.RepeatsLong && strings.HasPrefix(row.Unit, "sec/") {
		out.Detectable = max(out.Detectable, verdict.Number(f.LongRuns.Detectable(out.Limit, t.NoiseOf(b))))
		if row.Row.Rounds() < RoundsToPass && f.IsMeasurable() && t.UnseenByCount(b) == "" { // the long runs stand alone
			out.Detectable = verdict.Number(f.LongRuns.Detectable(out.Limit, t.NoiseOf(b)))
		}
	}
	return out
}
