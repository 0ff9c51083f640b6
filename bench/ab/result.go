package ab

import (
	"context"
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
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// newReport begins the report of a run that has measured what it can.
func (o *Options) newReport(run *frame.Run) *report.Report {
	return &report.Report{Schema: report.Schema, Date: report.DateOf(run.Begun()), Packages: []*report.Package{},
		Rows: []report.Row{}, Notes: slices.Clone(run.Remarks), Reused: run.ReusedParts(),
		Measurement: report.Measurement{Seed: run.Seed, CPU: report.CPUName(), GOMAXPROCS: run.MostProcs(), Flags: o.buildFlags(),
			Load: append(run.Load, report.Load()...), BuiltWith: runtime.Version(), Counter: "none", Seconds: math.Round(time.Since(run.Begun()).Seconds()*1000) / 1000}}
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

// describeSides names the commits of a report; those of nil are not known.
func describeSides(r *report.Report, s *source.Sides) {
	if s != nil {
		r.Base = s.Commits[frame.Old]
		r.Head, r.Subject, r.WorkTree = s.HeadCommit()
	}
}

// describeBuilds completes a measurement by the builds, their links and counts.
func describeBuilds(m *report.Measurement, links *build.Links, counter *count.Sampler) {
	m.Go, m.CPUClock, m.Layouts = links.GoVersion, links.CPUClock, links.Made()
	if counter != nil {
		m.Counter, m.Seeds = counter.Counter.Name(), counter.Seeds
	}
}

// describePackages adds the packages, and their benchmarks that the change does not reach.
func (o *Options) describePackages(r *report.Report, packages reach.Packages) {
	rules := o.rules()
	for _, p := range packages {
		described := *p.Package
		described.State = p.FinalState()
		r.Packages = append(r.Packages, &described)
		for _, function := range slices.Sorted(maps.Keys(p.Reach)) {
			name := p.ReportName(strings.TrimPrefix(function, "Benchmark"), 0)
			if p.Reach[function].Code == report.SameCode && !o.isExcluded(name) {
				row := report.NewRow(name, rules.LimitOf(name), verdict.Identical, "")
				row.Code, row.Primary, row.Horizon = report.SameCode, true, p.Reach[function].Ran.Seconds()
				r.Rows = append(r.Rows, row)
			}
		}
	}
}

// decide judges for the last time, adds the rows and samples of benchmarks, and gives the verdict.
func (o *Options) decide(ctx context.Context, r *report.Report, v *judge.Table, benchmarks []*listing.Benchmark) {
	const mostFunctions = 5 // of a row, unless all are explained
	r.Limit, r.Alpha, r.Units = v.Family.Limit, v.Family.Alpha, v.Units
	suite, means := v.AddSuite(benchmarks)
	v.Family.Look(true)
	v.Again.Look(true)
	for _, b := range benchmarks {
		f := v.Of(b)
		if f.Repaired && len(f.Pairs) == 0 {
			r.AddNew(report.AddedRow(b.Name, report.TimeUnit, math.NaN(), ""))
			continue
		}
		for _, row := range v.RowsOf(b) {
			if !o.Explain {
				row.Functions = row.Functions[:min(mostFunctions, len(row.Functions))]
			}
			r.Rows = append(r.Rows, row)
		}
		r.Rounds = max(r.Rounds, len(f.Pairs))
		if len(f.Pairs) > 0 {
			r.Samples = append(r.Samples, seriesOf(b, f.Pairs))
		}
	}
	r.Suite = report.NewSuiteMean(suite, means)
	r.Interrupted = ctx.Err() != nil
	r.Decide(o.IgnoreMissing, o.Prove)
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
