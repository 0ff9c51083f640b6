package listing

import (
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

// ending is how a benchmark, or a function, ended on a side.
type ending struct {
	sample  Sample // if it ran
	ran     bool
	failed  error
	skipped bool
	atEnd   error // why the new side alone fails after it ran
}

// pair matches the benchmarks of both sides: those that ran on a side, functions without any on the old side, and what the
// new side skips.
func (l *Listing) pair(p *Package, sides [2]*Found) {
	before, after := sides[frame.Old], sides[frame.New]
	maps.Copy(l.Units, before.Units)
	maps.Copy(l.Units, after.Units)
	seen := make(map[Variant]bool)
	for _, k := range slices.Concat(before.Order, after.Order) {
		if !seen[k] {
			seen[k] = true
			endingOn := func(f *Found) ending {
				sample, ran := f.Ran[k]
				return ending{sample, ran, f.Failed[TopLevel(k.Name)], slices.Contains(f.Skipped, k.Name), nil}
			}
			old, new := endingOn(before), endingOn(after)
			new.atEnd = after.failsAtEnd(TopLevel(k.Name), before)
			b := newBenchmark(p, k)
			b.Name += l.Suffix(k.Procs)
			l.addPair(b, old, new)
		}
	}
	for _, function := range slices.Sorted(maps.Keys(after.Failed)) {
		isFunction := func(k Variant) bool { return TopLevel(k.Name) == function }
		if !slices.ContainsFunc(before.Order, isFunction) { // otherwise its benchmarks are known
			b := newBenchmark(p, Variant{Name: function, Procs: 1})
			l.addPair(b, ending{failed: before.Failed[function]}, ending{failed: after.Failed[function]})
		}
	}
	for _, name := range after.Skipped {
		old := ending{failed: before.Failed[TopLevel(name)], skipped: slices.Contains(before.Skipped, name)}
		if old.failed != nil || old.skipped { // otherwise its old side is known, or does not have it
			l.addPair(newBenchmark(p, Variant{Name: name, Procs: 1}), old, ending{skipped: true})
		}
	}
}

// newBenchmark returns a benchmark of a package without samples.
func newBenchmark(p *Package, k Variant) *Benchmark {
	b := &Benchmark{Pkg: p, Printed: k.Name, Nth: k.Nth, Procs: k.Procs, Name: p.ReportName(k.Name, k.Nth)}
	b.Reach = p.Reach[b.Function()]
	return b
}

// addPair adds a benchmark by its endings on both sides. One without figures on a side is not judged.
func (l *Listing) addPair(b *Benchmark, old, new ending) {
	notJudged := func(neither bool, reason string, cause error) *Failure {
		if cause != nil {
			reason += ": " + cause.Error()
		}
		return &Failure{As: verdict.NotJudged, Reason: reason, Neither: neither}
	}
	switch {
	case new.ran && new.atEnd != nil:
		b.Failure = notJudged(false, frame.FailsAtEnd, new.atEnd)
	case old.ran && new.ran:
		b.First = [2]Sample{old.sample, new.sample}
		if b.Parallel = old.sample.Parallel || new.sample.Parallel; b.Parallel && !l.SetsProcs {
			b.Procs = l.MostProcs
		}
	case frame.IsTimeout(old.failed) && (old.ran || !new.skipped):
		l.Slow = append(l.Slow, b)
	case new.ran: // the old side does not have it, or fails
		l.Added = append(l.Added, report.AddedRow(b.Name, report.TimeUnit, new.sample.Wall, ""))
		return
	case frame.IsTimeout(new.failed) && !old.ran && old.failed == nil: // the old side does not have it, or skips it
		l.Added = append(l.Added, report.AddedRow(b.Name, report.TimeUnit, math.NaN(), new.failed.Error()))
		return
	case frame.IsTimeout(new.failed):
		l.Late = append(l.Late, b)
	case new.failed != nil && old.ran:
		b.Failure = notJudged(false, frame.FailsOnNew, new.failed)
	case new.failed != nil && old.failed == nil:
		b.Failure = notJudged(false, frame.FailsOnNewly, new.failed)
	case new.failed != nil:
		b.Failure = notJudged(true, frame.FailsOnBoth, new.failed)
	case new.skipped && old.ran:
		b.Failure = notJudged(false, frame.SkipsOnNew, nil)
	case new.skipped && old.skipped:
		b.Failure = notJudged(true, frame.SkipsOnBoth, nil)
	case new.skipped:
		b.Failure = notJudged(true, frame.SkipsAndFails, nil)
	default:
		b.Failure = &Failure{As: verdict.Missing, Reason: frame.NotOnNew}
	}
	l.add(b)
}

// addGone adds functions missing on the new side.
func (l *Listing) addGone(p *build.TestPackage, functions []string, why string) {
	for _, function := range functions {
		gone := newBenchmark(&Package{Package: &reach.Package{TestPackage: p}},
			Variant{Name: strings.TrimPrefix(function, "Benchmark"), Procs: 1})
		gone.Reach.Code, gone.Failure = report.UnknownCode, &Failure{As: verdict.Missing, Reason: why}
		l.add(gone)
	}
}

// add adds a benchmark unless the user excludes it.
func (l *Listing) add(b *Benchmark) {
	if !l.IsExcluded(b.Name) && b.Reach.Code != report.SameCode {
		l.Benchmarks = append(l.Benchmarks, b)
	}
}
