package ab

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// pair matches the benchmarks of both sides. Those without figures on one side are not judged.
func (l *listing) pair(j *job, p *testPackage, sides [2]*found) {
	before, after := sides[frame.Old], sides[frame.New]
	maps.Copy(l.units, before.units)
	maps.Copy(l.units, after.units)
	seen := make(map[variant]bool)
	for _, k := range slices.Concat(before.order, after.order) {
		if seen[k] {
			continue
		}
		seen[k] = true
		b := &benchmark{pkg: p, printed: k.name, nth: k.nth, procs: k.procs, name: reportName(p, k.name, k.nth)}
		if len(j.procsToRun()) > 1 || j.CPU != "" && k.procs != 1 {
			b.name += "-" + strconv.Itoa(k.procs)
		}
		b.reach = p.reach[b.function()]
		first, ok := before.ran[k]
		second, also := after.ran[k]
		failure, isSkipped := after.failed[topLevel(k.name)], slices.Contains(after.skipped, k.name)
		_, isLate := errors.AsType[frame.TimeoutError](failure)
		switch {
		case ok && also:
			b.first = [2]sample{first, second}
			if b.parallel = first.parallel || second.parallel; b.parallel && j.CPU == "" {
				b.procs = j.MostProcs()
			}
		case frame.IsTimeout(before.failed[topLevel(k.name)]):
			l.slow = append(l.slow, b)
		case also: // the old side does not have it, or fails
			l.added = append(l.added, report.AddedRow(b.name, report.TimeUnit, second.wall, ""))
			continue
		case isLate:
			l.late = append(l.late, b)
		case failure != nil:
			b.abandon(verdict.NotJudged, "fails on the new side: "+failure.Error())
		case isSkipped:
			b.abandon(verdict.NotJudged, "skips on the new side")
		default:
			b.abandon(verdict.Missing, "the new side does not have it")
		}
		l.add(j, b)
	}
	l.addFailures(j, p, sides)
}

// addFailures adds the functions without figures on the old side.
func (l *listing) addFailures(j *job, p *testPackage, sides [2]*found) {
	before, after := sides[frame.Old], sides[frame.New]
	hasRun := func(f *found, function string) bool {
		return slices.ContainsFunc(f.order, func(k variant) bool { return topLevel(k.name) == function })
	}
	for _, function := range slices.Sorted(maps.Keys(after.failed)) {
		if hasRun(before, function) {
			continue // its benchmarks are known
		}
		b := &benchmark{pkg: p, printed: function, procs: 1, name: reportName(p, function, 0),
			reach: p.reach["Benchmark"+function]}
		failure, other := after.failed[function], before.failed[function]
		switch {
		case frame.IsTimeout(other):
			l.slow = append(l.slow, b)
		case frame.IsTimeout(failure) && other == nil: // the old side does not have it, or skips it
			l.added = append(l.added, report.AddedRow(b.name, report.TimeUnit, math.NaN(), failure.Error()))
			continue
		case frame.IsTimeout(failure):
			l.late = append(l.late, b)
		case other == nil:
			b.abandon(verdict.NotJudged, "fails on the new side, and the old side does not have it: "+failure.Error())
		default:
			b.neither = true
			b.abandon(verdict.NotJudged, "fails on both sides: "+failure.Error())
		}
		l.add(j, b)
	}
	for _, name := range after.skipped {
		b := &benchmark{pkg: p, printed: name, procs: 1, name: reportName(p, name, 0),
			reach: p.reach["Benchmark"+topLevel(name)], neither: true}
		switch {
		case slices.Contains(before.skipped, name):
			b.abandon(verdict.NotJudged, "skips on both sides")
		case before.failed[topLevel(name)] != nil:
			b.abandon(verdict.NotJudged, "skips on the new side, and fails on the old one")
		default:
			continue // its old side is known, or does not have it
		}
		l.add(j, b)
	}
}

// addGone adds functions missing on the new side.
func (l *listing) addGone(j *job, p *testPackage, functions []string, why string) {
	for _, function := range functions {
		gone := &benchmark{pkg: p, printed: strings.TrimPrefix(function, "Benchmark"), procs: 1,
			reach: reach.Change{Code: report.UnknownCode}}
		gone.name = reportName(p, gone.printed, 0)
		gone.abandon(verdict.Missing, why)
		l.add(j, gone)
	}
}

// add adds a benchmark unless the user excludes it.
func (l *listing) add(j *job, b *benchmark) {
	if !j.isExcluded(b.name) && b.reach.Code != report.SameCode {
		l.benchmarks = append(l.benchmarks, b)
	}
}
