package listing

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// pair matches the benchmarks of both sides. Those without figures on one side are not judged.
func (l *Listing) pair(p *Package, sides [2]*Found) {
	before, after := sides[frame.Old], sides[frame.New]
	maps.Copy(l.Units, before.Units)
	maps.Copy(l.Units, after.Units)
	seen := make(map[Variant]bool)
	for _, k := range slices.Concat(before.Order, after.Order) {
		if seen[k] {
			continue
		}
		seen[k] = true
		b := &Benchmark{Pkg: p, Printed: k.Name, Nth: k.Nth, Procs: k.Procs, Name: p.ReportName(k.Name, k.Nth) + l.Suffix(k.Procs)}
		b.Reach = p.Reach[b.Function()]
		first, ok := before.Ran[k]
		second, also := after.Ran[k]
		failed, isSkipped := after.Failed[TopLevel(k.Name)], slices.Contains(after.Skipped, k.Name)
		_, isLate := errors.AsType[frame.TimeoutError](failed)
		switch {
		case ok && also:
			b.First = [2]Sample{first, second}
			if b.Parallel = first.Parallel || second.Parallel; b.Parallel && !l.SetsProcs {
				b.Procs = l.MostProcs
			}
		case frame.IsTimeout(before.Failed[TopLevel(k.Name)]):
			l.Slow = append(l.Slow, b)
		case also: // the old side does not have it, or fails
			l.Added = append(l.Added, report.AddedRow(b.Name, report.TimeUnit, second.Wall, ""))
			continue
		case isLate:
			l.Late = append(l.Late, b)
		case failed != nil:
			b.Failure = &Failure{As: verdict.NotJudged, Reason: frame.FailsOnNew + ": " + failed.Error()}
		case isSkipped:
			b.Failure = &Failure{As: verdict.NotJudged, Reason: frame.SkipsOnNew}
		default:
			b.Failure = &Failure{As: verdict.Missing, Reason: frame.NotOnNew}
		}
		l.add(b)
	}
	l.addFailures(p, sides)
}

// addFailures adds the functions without figures on the old side.
func (l *Listing) addFailures(p *Package, sides [2]*Found) {
	before, after := sides[frame.Old], sides[frame.New]
	hasRun := func(f *Found, function string) bool {
		return slices.ContainsFunc(f.Order, func(k Variant) bool { return TopLevel(k.Name) == function })
	}
	for _, function := range slices.Sorted(maps.Keys(after.Failed)) {
		if hasRun(before, function) {
			continue // its benchmarks are known
		}
		b := &Benchmark{Pkg: p, Printed: function, Procs: 1, Name: p.ReportName(function, 0),
			Reach: p.Reach["Benchmark"+function]}
		failed, other := after.Failed[function], before.Failed[function]
		switch {
		case frame.IsTimeout(other):
			l.Slow = append(l.Slow, b)
		case frame.IsTimeout(failed) && other == nil: // the old side does not have it, or skips it
			l.Added = append(l.Added, report.AddedRow(b.Name, report.TimeUnit, math.NaN(), failed.Error()))
			continue
		case frame.IsTimeout(failed):
			l.Late = append(l.Late, b)
		case other == nil:
			b.Failure = &Failure{As: verdict.NotJudged, Reason: "fails on the new side, and the old side does not have it: " + failed.Error()}
		default:
			b.Failure = &Failure{As: verdict.NotJudged, Reason: frame.FailsOnBoth + ": " + failed.Error(), Neither: true}
		}
		l.add(b)
	}
	for _, name := range after.Skipped {
		b := &Benchmark{Pkg: p, Printed: name, Procs: 1, Name: p.ReportName(name, 0),
			Reach: p.Reach["Benchmark"+TopLevel(name)]}
		switch {
		case slices.Contains(before.Skipped, name):
			b.Failure = &Failure{As: verdict.NotJudged, Reason: "skips on both sides", Neither: true}
		case before.Failed[TopLevel(name)] != nil:
			b.Failure = &Failure{As: verdict.NotJudged, Reason: "skips on the new side, and fails on the old one", Neither: true}
		default:
			continue // its old side is known, or does not have it
		}
		l.add(b)
	}
}

// addGone adds functions missing on the new side.
func (l *Listing) addGone(p *build.TestPackage, functions []string, why string) {
	for _, function := range functions {
		gone := &Benchmark{Pkg: &Package{Package: &reach.Package{TestPackage: p}}, Printed: strings.TrimPrefix(function, "Benchmark"), Procs: 1,
			Reach: reach.Change{Code: report.UnknownCode}}
		gone.Name = p.ReportName(gone.Printed, 0)
		gone.Failure = &Failure{As: verdict.Missing, Reason: why}
		l.add(gone)
	}
}

// add adds a benchmark unless the user excludes it.
func (l *Listing) add(b *Benchmark) {
	if !l.IsExcluded(b.Name) && b.Reach.Code != report.SameCode {
		l.Benchmarks = append(l.Benchmarks, b)
	}
}
