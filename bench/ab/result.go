package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// result completes the report of a run.
type result struct {
	*report.Report
	job        *job
	judges     *judge.Table
	benchmarks []*listing.Benchmark
}

// newResult begins the report of the run.
func (j *job) newResult(v *judge.Table, benchmarks []*listing.Benchmark) *result {
	rule := v.Family.Rule
	return &result{job: j, judges: v, benchmarks: benchmarks, Report: &report.Report{Schema: report.Schema,
		Date: report.DateOf(j.Begun()), Limit: rule.Limit, Alpha: rule.Alpha, Units: v.Units,
		Measurement: j.measurement(), Packages: []*report.Package{}, Rows: []report.Row{}}}
}

// measurement returns where and how the run measures, before its builds.
func (j *job) measurement() report.Measurement {
	return report.Measurement{Seed: j.Seed, CPU: report.CPUName(), GOMAXPROCS: j.MostProcs(), Flags: j.buildFlags(),
		BuiltWith: runtime.Version(), Counter: "none"}
}

// buildFlags lists what the user adds to builds and to test programs.
func (o *Options) buildFlags() []string {
	flags := []string{}
	for _, f := range []struct{ name, value string }{{"-tags", o.Tags}, {"args", o.Args},
		{"prepare", o.Prepare}, {"GOFLAGS", os.Getenv("GOFLAGS")}} {
		if f.value != "" {
			flags = append(flags, f.name+"="+f.value)
		}
	}
	return flags
}

// describeBuilds completes a measurement by the builds, their links and counts.
func (j *job) describeBuilds(m *report.Measurement, links *build.Links, counter *count.Sampler) {
	m.Go, m.CPUClock, m.Layouts = links.GoVersion, links.CPUClock, links.Made()
	if counter != nil {
		m.Counter, m.Seeds = counter.Counter.Name(), counter.Seeds
	}
	m.Load = append(j.load, report.Load()...)
}

// seconds is the time of the run until now.
func (j *job) seconds() float64 { return math.Round(time.Since(j.Begun()).Seconds()*1000) / 1000 }

// describePackages adds the packages, and their benchmarks that the change does not reach.
func (r *result) describePackages(packages reach.Packages) {
	for _, p := range packages {
		described := *p.Package
		described.State = p.FinalState()
		r.Packages = append(r.Packages, &described)
		for _, function := range slices.Sorted(maps.Keys(p.Reach)) {
			name := p.ReportName(strings.TrimPrefix(function, "Benchmark"), 0)
			if p.Reach[function].Code == report.SameCode && !r.job.isExcluded(name) {
				row := report.NewRow(name, r.judges.LimitOf(name), verdict.Identical, "")
				row.Code, row.Primary, row.Horizon = report.SameCode, true, p.Reach[function].Ran.Seconds()
				r.Rows = append(r.Rows, row)
			}
		}
	}
}

// finish judges for the last time, and gives the verdict.
func (r *result) finish(ctx context.Context) {
	j := r.job
	suite, means := r.judges.AddSuite(r.benchmarks)
	r.judges.Family.Look(true)
	r.judges.Again.Look(true)
	for _, b := range r.benchmarks {
		f := r.judges.Of(b)
		if f.Repaired && len(f.Pairs) == 0 {
			r.AddNew(report.AddedRow(b.Name, report.TimeUnit, math.NaN(), ""))
			continue
		}
		r.Rows = append(r.Rows, r.rowsOf(b)...)
		r.Rounds = max(r.Rounds, len(f.Pairs))
		if len(f.Pairs) > 0 {
			r.Samples = append(r.Samples, seriesOf(b, f.Pairs))
		}
	}
	r.Suite = report.NewSuiteMean(suite, means)
	r.Interrupted = ctx.Err() != nil
	r.Notes, r.Reused = append(r.Notes, j.Remarks...), j.ReusedParts()
	r.Decide(j.IgnoreMissing, j.Prove)
	r.Seconds = j.seconds()
}

// seriesOf returns the samples of a benchmark for the files of both sides.
func seriesOf(b *listing.Benchmark, pairs []judge.Pair) report.SampleSet {
	s := report.SampleSet{Package: b.Pkg.Path, Clock: pairs[0].Clock}
	for _, p := range pairs {
		for side := range p.Sides {
			s.Results[side] = append(s.Results[side], resultOf(&p.Sides[side], b, p.Clock))
		}
	}
	return s
}

// resultOf returns a sample for a file, in ten-thousandths of a nanosecond. The first time is the judged one.
func resultOf(s *listing.Sample, b *listing.Benchmark, clock report.Clock) report.Result {
	judged, other, unit := s.Wall, s.CPU, "cpu-ns/op"
	if clock == report.CPU {
		judged, other, unit = s.CPU, s.Wall, "wall-ns/op"
	}
	r := report.Result{BenchmarkID: report.BenchmarkID{Name: strings.TrimPrefix(b.FullName(), "Benchmark")},
		Iterations: s.Iterations}
	add := func(x float64, unit string) { r.Metrics = append(r.Metrics, report.Metric{Value: x, Unit: unit}) }
	if s.HasTime() {
		add(math.Round(judged*1e13)/1e4, listing.TimePrinted)
	}
	if !math.IsNaN(other) {
		add(math.Round(other*1e13)/1e4, unit)
	}
	for _, unit := range slices.Sorted(maps.Keys(s.Figures)) {
		if unit != listing.TimePrinted {
			add(s.Figures[unit], unit)
		}
	}
	return r
}

// mostFunctions bounds the functions of a row.
const mostFunctions = 5

// rowsOf returns the rows of a benchmark. One of them is primary: the time, or the count where the time cannot
// decide.
func (r *result) rowsOf(b *listing.Benchmark) []report.Row {
	f := r.judges.Of(b)
	var rows []report.Row
	unmeasured := ""
	switch {
	case f.IsCensored():
		rows = []report.Row{r.censoredRow(b, f.AtLeast)}
	case !f.IsMeasurable() && len(f.Rows) == 0 && !f.Counts.IsDecided():
		rows = []report.Row{report.NewRow(b.Name, r.judges.LimitOf(b.Name), f.As, f.Reason)}
	case r.job.Judge == CountOnly:
		row := r.countRow(b, f.Counts)
		row.Primary = true
		r.gateByLongRuns(b, &row)
		r.describeCode(b, f, &row)
		return []report.Row{row}
	case len(f.Rows) == 0:
		if unmeasured = r.judges.UnseenByCount(b); unmeasured == "" && f.LongRuns.N() > 0 {
			rows = []report.Row{r.longRunRow(b, f)}
			break
		}
		rows = []report.Row{report.NewRow(b.Name, r.judges.LimitOf(b.Name), verdict.Undecided,
			cmp.Or(unmeasured, f.Reason, frame.NotMeasured))}
	}
	for _, row := range f.Rows {
		rows = append(rows, r.timeRow(b, row))
	}
	main, primary := &rows[0], 0
	for i := range rows {
		rows[i].Judge = verdict.ByTime
	}
	if f.Counts != nil && !f.IsCensored() {
		row := r.countRow(b, f.Counts)
		first := main.Verdict
		if len(f.Rows) > 0 && f.Rows[0].Advisory != "" {
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
func (r *result) longRunRow(b *listing.Benchmark, f *judge.Evidence) report.Row {
	row := report.NewRow(b.Name, r.judges.LimitOf(b.Name), verdict.Undecided, "there was no time for further rounds")
	old, new := judge.LongFigures(&f.LastLong)
	row.Clock, row.Rounds, row.Old, row.New = f.LastLong.Clock, f.LongRuns.N(), verdict.Number(old), verdict.Number(new)
	row.Delta, row.Detectable = verdict.Number(f.LongRuns.Delta()), verdict.Number(f.LongRuns.Detectable(row.Limit, r.judges.Noise))
	return row
}

// gateByLongRuns lets a row pass only within the horizon of its long runs.
func (r *result) gateByLongRuns(b *listing.Benchmark, row *report.Row) {
	f := r.judges.Of(b)
	if row.Horizon = f.Horizon.Seconds(); f.IsCensored() || !f.IsMeasurable() {
		return
	}
	if why := r.judges.LacksHorizon(b); why != "" && row.MayPass(r.job.Prove) {
		row.Verdict, row.Reason, row.Detectable = verdict.Undecided, why, verdict.Number(math.Inf(1))
	}
}

// describeCode adds the code behind a row, with the functions of a failing one.
func (r *result) describeCode(b *listing.Benchmark, f *judge.Evidence, row *report.Row) {
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
		most := mostFunctions
		if r.job.Explain {
			most = math.MaxInt
		}
		row.Functions = f.Counts.FunctionsBehind(most)
	}
}

// censoredRow is the row of a benchmark whose new side did not end in time.
func (r *result) censoredRow(b *listing.Benchmark, seconds [2]float64) report.Row {
	before, after := seconds[frame.Old], seconds[frame.New]
	row := report.NewRow(b.Name, r.judges.LimitOf(b.Name), verdict.Slower,
		fmt.Sprintf("an iteration did not end within %v: at least %.0f times longer",
			time.Duration(after*1e9).Round(time.Millisecond), after/before))
	row.Clock, row.Rounds, row.P, row.Family = report.Wall, 1, 0, 0
	row.Old, row.New = verdict.Number(before), verdict.Number(after)
	row.Delta = row.New/row.Old - 1
	row.Lo = row.Delta
	return row
}

// countRow is the row of counted instructions.
func (r *result) countRow(b *listing.Benchmark, c *judge.Counts) report.Row {
	row := report.NewRow(b.Name, r.judges.LimitOf(b.Name), verdict.Undecided, c.Reason)
	row.Unit, row.Judge = report.CountUnit, verdict.ByCount
	if n := c.Result.Pairs(); n > 0 {
		before, after := c.Result.Sides()
		row.Old, row.New = verdict.Number(before), verdict.Number(after)
		row.Delta, row.Lo, row.Hi = verdict.Number(c.Result.Delta), verdict.Number(c.Result.Lo), verdict.Number(c.Result.Hi)
		row.Verdict, row.Rounds, row.Reason = c.Result.Verdict, n, cmp.Or(c.Reason, c.Result.Reason)
	} else if c.Reason == "" {
		row.Reason = "there was no time to count it"
	}
	return row
}

// timeRow is a row of times, memory, or a custom unit.
func (r *result) timeRow(b *listing.Benchmark, row *judge.Row) report.Row {
	f, out := r.judges.Of(b), judge.CopyRow(row.Row)
	out.Name, out.Unit, out.Clock = b.Name, row.Unit, row.Clock
	if from, to := row.Medians(); row.Memory && from == to { // a few allocations more or less are no change
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), 0
		out.Lo, out.Hi = min(out.Lo, 0), max(out.Hi, 0)
	}
	switch {
	case row.Advisory != "":
		from, to := row.Medians()
		out.Old, out.New, out.Delta = verdict.Number(from), verdict.Number(to), verdict.Number(math.Expm1(verdict.LogRatio(from, to)))
		out.Lo, out.Hi = verdict.Number(math.NaN()), verdict.Number(math.NaN())
		out.Verdict, out.Reason, out.Both = verdict.NotJudged, row.Advisory, true
	case !f.IsMeasurable() && out.Verdict != verdict.Slower:
		out.Verdict, out.Reason, out.Detectable = f.As, f.Reason, verdict.Number(math.Inf(1))
	case r.judges.IsWithinFloor(row.Unit, &out):
		out.Verdict = verdict.NotSlower
	case row.IsSlower() && row.Confirm != nil:
		row.ConfirmRow(&out)
	}
	if f.LongRuns.N() > 0 && !f.RepeatsLong && strings.HasPrefix(row.Unit, "sec/") {
		out.Detectable = max(out.Detectable, verdict.Number(f.LongRuns.Detectable(out.Limit, r.judges.Noise)))
		if row.Row.Rounds() < judge.RoundsToPass && f.IsMeasurable() && r.judges.UnseenByCount(b) == "" { // the long runs stand alone
			out.Detectable = verdict.Number(f.LongRuns.Detectable(out.Limit, r.judges.Noise))
		}
	}
	return out
}
