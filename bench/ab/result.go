package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// result completes the report of a run.
type result struct {
	*report.Report
	judges     *judges
	benchmarks []*benchmark
}

// newResult begins the report of a run.
func newResult(j *job, v *judges, benchmarks []*benchmark) *result {
	rule := v.family.Rule
	return &result{&report.Report{Schema: report.Schema, Date: report.DateOf(j.Begun()), Limit: rule.Limit,
		Alpha: rule.Alpha, Measurement: report.Measurement{Seed: j.Seed, Counter: "none"},
		Packages: []*report.Package{}, Rows: []report.Row{}, Units: v.units}, v, benchmarks}
}

// describeCommits adds the sides, packages and unreached benchmarks of commits.
func (r *result) describeCommits(s *source.Sides, b *builds, l *listing, links *linkPool, c *countSampler) {
	r.describeSides(s)
	r.Go, r.CPUClock, r.Layouts = b.goVersion, b.cpuClock, links.made()
	r.AddNew(l.added...)
	if c != nil {
		r.Counter, r.Seeds = c.counter.Name(), c.seeds
	}
	for _, p := range b.packages {
		r.Packages = append(r.Packages, p.Package)
		for _, function := range slices.Sorted(maps.Keys(p.reach)) {
			name := reportName(p, strings.TrimPrefix(function, "Benchmark"), 0)
			if p.reach[function].Code == report.SameCode && !r.judges.options.isExcluded(name) {
				row := report.NewRow(name, r.judges.options.limit(name), verdict.Identical, "")
				row.Code, row.Primary, row.Horizon = report.SameCode, true, p.reach[function].Ran.Seconds()
				r.Rows = append(r.Rows, row)
			}
		}
	}
}

// describeSides adds the commits.
func (r *result) describeSides(s *source.Sides) {
	r.Base, r.Head, r.WorkTree = s.Commits[frame.Old], s.Commits[frame.New], s.WorkTree
	if r.Subject = s.Subject; s.WorkTree {
		r.Head, r.Subject = "", ""
	}
}

// finish judges for the last time, and gives the verdict.
func (r *result) finish(ctx context.Context, j *job) {
	suite, means := addSuite(r.judges, r.benchmarks)
	r.judges.family.Look(true)
	r.judges.confirm.Look(true)
	for _, b := range r.benchmarks {
		f := r.judges.fileOf(b)
		if b.repaired && len(f.pairs) == 0 {
			r.AddNew(report.AddedRow(b.name, report.TimeUnit, math.NaN(), ""))
			continue
		}
		r.Rows = append(r.Rows, r.rowsOf(b)...)
		r.Rounds = max(r.Rounds, len(f.pairs))
		if len(f.pairs) > 0 {
			r.Samples = append(r.Samples, seriesOf(b, f.pairs))
		}
	}
	r.Suite = report.NewSuiteMean(suite, means)
	r.CPU, r.BuiltWith, r.GOMAXPROCS = report.CPUName(), runtime.Version(), j.MostProcs()
	r.Flags = append(r.Flags, buildFlags(j)...)
	r.Interrupted = ctx.Err() != nil
	r.Notes, r.Reused = append(r.Notes, j.Remarks...), j.ReusedParts()
	r.Decide(j.IgnoreMissing, j.Prove)
	r.Seconds = math.Round(time.Since(j.Begun()).Seconds()*1000) / 1000
}

// seriesOf returns the samples of a benchmark for the files of both sides.
func seriesOf(b *benchmark, pairs []Pair) report.SampleSet {
	s := report.SampleSet{Package: b.pkg.Path, Clock: pairs[0].clock}
	for _, p := range pairs {
		for side := range p.sides {
			s.Results[side] = append(s.Results[side], p.sides[side].result(b, p.clock))
		}
	}
	return s
}

// result returns the sample for a file, in ten-thousandths of a nanosecond. The first time is the judged one.
func (s *sample) result(b *benchmark, clock report.Clock) report.Result {
	judged, other, unit := s.wall, s.cpu, "cpu-ns/op"
	if clock == report.CPU {
		judged, other, unit = s.cpu, s.wall, "wall-ns/op"
	}
	r := report.Result{BenchmarkID: report.BenchmarkID{Name: strings.TrimPrefix(b.fullName(), "Benchmark")},
		Iterations: s.iterations}
	add := func(x float64, unit string) { r.Metrics = append(r.Metrics, report.Metric{Value: x, Unit: unit}) }
	if s.hasTime() {
		add(math.Round(judged*1e13)/1e4, timePrinted)
	}
	if !math.IsNaN(other) {
		add(math.Round(other*1e13)/1e4, unit)
	}
	for _, unit := range slices.Sorted(maps.Keys(s.figures)) {
		if unit != timePrinted {
			add(s.figures[unit], unit)
		}
	}
	return r
}

// mostFunctions bounds the functions of a row.
const mostFunctions = 5

// rowsOf returns the rows of a benchmark. One of them is primary: the time, or the count where the time cannot
// decide.
func (r *result) rowsOf(b *benchmark) []report.Row {
	f := r.judges.fileOf(b)
	var rows []report.Row
	unmeasured := ""
	switch {
	case b.atLeast > 0:
		rows = []report.Row{r.censoredRow(b)}
	case b.state == stateNotJudged && len(f.rows) == 0 && !f.counts.isDecided():
		rows = []report.Row{report.NewRow(b.name, r.judges.options.limit(b.name), b.as, b.reason)}
	case r.judges.options.Judge == CountOnly:
		row := r.countRow(b, f.counts)
		row.Primary = true
		r.gateByLongRuns(b, &row)
		r.describeCode(b, f, &row)
		return []report.Row{row}
	case len(f.rows) == 0:
		if unmeasured = r.judges.unseenByCount(b); unmeasured == "" && f.longRuns.N() > 0 {
			rows = []report.Row{r.longRunRow(b, f)}
			break
		}
		rows = []report.Row{report.NewRow(b.name, r.judges.options.limit(b.name), verdict.Undecided,
			cmp.Or(unmeasured, b.reason, "there was no time to measure it"))}
	}
	for _, row := range f.rows {
		rows = append(rows, r.timeRow(b, row))
	}
	main, primary := &rows[0], 0
	for i := range rows {
		rows[i].Judge = verdict.ByTime
	}
	if f.counts != nil && b.atLeast == 0 {
		row := r.countRow(b, f.counts)
		first := main.Verdict
		if len(f.rows) > 0 && f.rows[0].advisory != "" {
			first = verdict.Undecided // by the unit; the count may decide
		}
		_, judge := verdict.Combine(first, row.Verdict)
		if unmeasured != "" && row.Verdict.Passes() {
			judge = verdict.ByTime
		}
		if judge == verdict.ByCount {
			primary = len(rows)
		} else if main.Reason == "" && main.Verdict == verdict.Undecided {
			main.Reason = "no count: " + row.Reason
		}
		rows = append(rows, row)
	}
	rows[primary].Primary = true
	r.gateByLongRuns(b, &rows[primary])
	for i := range rows {
		r.describeCode(b, f, &rows[i])
	}
	return rows
}

// longRunRow is the row of a benchmark without rounds: its long runs alone may show that no large slowdown is there.
func (r *result) longRunRow(b *benchmark, f *file) report.Row {
	row := report.NewRow(b.name, r.judges.options.limit(b.name), verdict.Undecided, "there was no time for further rounds")
	old, new := longFigures(&f.lastLong)
	row.Clock, row.Rounds, row.Old, row.New = f.lastLong.clock, f.longRuns.N(), verdict.Number(old), verdict.Number(new)
	row.Delta, row.Detectable = verdict.Number(f.longRuns.Delta()), verdict.Number(f.longRuns.Detectable(row.Limit, r.judges.noise))
	return row
}

// gateByLongRuns lets a row pass only within the horizon of its long runs.
func (r *result) gateByLongRuns(b *benchmark, row *report.Row) {
	if row.Horizon = r.judges.fileOf(b).horizon.Seconds(); b.atLeast > 0 || b.state == stateNotJudged {
		return
	}
	if why := r.judges.lacksHorizon(b); why != "" && row.MayPass(r.judges.options.Prove) {
		row.Verdict, row.Reason, row.Detectable = verdict.Undecided, why, verdict.Number(math.Inf(1))
	}
}

// describeCode adds the code behind a row, with the functions of a failing one.
func (r *result) describeCode(b *benchmark, f *file, row *report.Row) {
	row.Neither, row.Both = b.neither, row.Both || b.both
	row.Code, row.Tests = cmp.Or(b.reach.Code, report.UnknownCode), b.pkg.tests
	if row.Primary {
		row.Changed = b.reach.Changed[:min(len(b.reach.Changed), report.MostChanged)]
	}
	if row.Verdict != verdict.Slower && row.Verdict != verdict.MoreWork {
		return
	}
	row.Places = b.reach.Places
	if f.counts.isDecided() && (row.Unit == report.TimeUnit || row.Unit == report.CountUnit) {
		most := mostFunctions
		if r.judges.options.Explain {
			most = math.MaxInt
		}
		row.Functions = f.counts.functionsBehind(most)
	}
}

// censoredRow is the row of a benchmark whose new side did not end in time.
func (r *result) censoredRow(b *benchmark) report.Row {
	before := b.first[frame.Old].run.Seconds()
	row := report.NewRow(b.name, r.judges.options.limit(b.name), verdict.Slower,
		fmt.Sprintf("an iteration did not end within %v: at least %.0f times longer",
			time.Duration(b.atLeast*1e9).Round(time.Millisecond), b.atLeast/before))
	row.Clock, row.Rounds, row.P, row.Family = report.Wall, 1, 0, 0
	row.Old, row.New = verdict.Number(before), verdict.Number(b.atLeast)
	row.Delta = row.New/row.Old - 1
	row.Lo = row.Delta
	return row
}

// countRow is the row of counted instructions.
func (r *result) countRow(b *benchmark, c *countRow) report.Row {
	row := report.NewRow(b.name, r.judges.options.limit(b.name), verdict.Undecided, c.reason)
	row.Unit, row.Judge = report.CountUnit, verdict.ByCount
	if n := c.result.Pairs(); n > 0 {
		before, after := c.result.Sides()
		row.Old, row.New = verdict.Number(before), verdict.Number(after)
		row.Delta, row.Lo, row.Hi = verdict.Number(c.result.Delta), verdict.Number(c.result.Lo), verdict.Number(c.result.Hi)
		row.Verdict, row.Rounds, row.Reason = c.result.Verdict, n, cmp.Or(c.reason, c.result.Reason)
	} else if c.reason == "" {
		row.Reason = "there was no time to count it"
	}
	return row
}

// timeRow is a row of times, memory, or a custom unit.
func (r *result) timeRow(b *benchmark, row *judgedRow) report.Row {
	out := copyRow(row.row)
	out.Name, out.Unit, out.Clock = b.name, row.unit, row.clock
	if from, to := row.medians(); row.memory && from == to { // a few allocations more or less are no change
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), 0
		out.Lo, out.Hi = min(out.Lo, 0), max(out.Hi, 0)
	}
	switch {
	case row.advisory != "":
		from, to := row.medians()
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), verdict.Number(math.Expm1(verdict.LogRatio(from, to)))
		out.Lo, out.Hi = verdict.Number(math.NaN()), verdict.Number(math.NaN())
		out.Verdict, out.Reason, out.Both = verdict.NotJudged, row.advisory, true
	case b.state == stateNotJudged && out.Verdict != verdict.Slower:
		out.Verdict, out.Reason, out.Detectable = b.as, b.reason, verdict.Number(math.Inf(1))
	case r.judges.options.isWithinFloor(row.unit, &out):
		out.Verdict = verdict.NotSlower
	case row.isSlower() && row.confirm != nil:
		row.confirmRow(&out)
	}
	if f := r.judges.fileOf(b); f.longRuns.N() > 0 && !f.repeatsLong && strings.HasPrefix(row.unit, "sec/") {
		out.Detectable = max(out.Detectable, verdict.Number(f.longRuns.Detectable(out.Limit, r.judges.noise)))
		if row.row.Rounds() < roundsToPass && b.state != stateNotJudged && r.judges.unseenByCount(b) == "" { // the long runs stand alone
			out.Detectable = verdict.Number(f.longRuns.Detectable(out.Limit, r.judges.noise))
		}
	}
	return out
}

// copyRow copies the results of a row.
func copyRow(row *verdict.Row) report.Row {
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
		out.Reason = cmp.Or(out.Reason, "there was no time to measure it")
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
