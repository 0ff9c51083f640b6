// Package ab answers "did my commit make it slower?" for any Go module under git, or for any
// two programs that print Go's benchmark format.
//
// It builds both sides and skips code that cannot differ: test binaries with equal bytes, packages
// whose sources differ only in comments, and benchmarks that run without executing the change. It counts the
// instructions of the others, and measures them in turns: in every round each benchmark runs once on each side, in a
// process for each, on one core, in random order, with a fixed number of iterations. After 10, 14, 20, 28, ... rounds
// package verdict judges the benchmarks. Undecided ones continue until all are decided or the time is over.
//
// It imports the standard library, golang.org/x/perf, x/mod and x/sys, pprof/profile, and packages of this module with the
// same restriction, so "go run .../cmd/benchab" downloads nothing else.
package ab

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/count"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/timing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Run compares two sides. It returns an error if nothing can be compared at all, an
// [*InputError] if the user caused it. If ctx ends during the measurement, the report holds the
// results so far, and the error is that of ctx. If the time ends during the builds, it holds none, and the error is
// [ErrTime].
func Run(ctx context.Context, o Options) (r *report.Report, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Old == "" && len(o.Ignore) > 0 {
		return nil, frame.FieldErrorf("Ignore", "commits have no settings to leave out: both sides are measured with the same (want files or commands)")
	}
	run, err := o.begin()
	if err != nil {
		return nil, err
	}
	defer run.Close(&err)
	if o.Old != "" {
		return compareCommands(ctx, &o, run)
	}
	return compareCommits(ctx, &o, run)
}

// begin opens the working folder of a run and starts its clock.
func (o *Options) begin() (*frame.Run, error) {
	r, err := frame.NewRun(o.Dir, o.Seed, frame.NewBudget(o.Time, o.Explain))
	if err == nil {
		r.OnProgress, r.Load = o.Progress, report.Load()
	}
	return r, err
}

// compareCommits builds two commits, finds the reached benchmarks, counts their instructions, and
// then measures their times.
func compareCommits(ctx context.Context, o *Options, run *frame.Run) (*report.Report, error) {
	limited, cancel := run.Begin(frame.Builds).Context(ctx)
	defer cancel()
	s, b, err := buildSides(ctx, limited, o.request(run), o.Judge == CountOnly)
	if errors.Is(err, ErrTime) {
		r := o.newReport(run)
		r.Notes = append([]string{err.Error()}, r.Notes...)
		describeSides(r, s)
		r.Load = nil // nothing was measured
		o.decide(ctx, r, judge.NewTable(o.rules(), nil, false), nil)
		r.Verdict = verdict.Undecided
		return r, err
	} else if err != nil {
		return nil, err
	}
	reached, selection := reach.Find(b), o.selection(len(run.Cores), run.MostProcs())
	listed, err := listing.List(ctx, b, reached, selection)
	if err == nil {
		err = checkListed(b, reached, listed)
	}
	if err != nil {
		return nil, err
	}
	v, links := judge.NewTable(o.rules(), listed.Units, b.CPUClock != report.NoClock), build.NewLinks(b)
	t := timing.Timer{Links: links, Judges: v,
		Options: timing.Options{Horizon: o.Horizon, OnlyCounts: o.Judge == CountOnly, Work: o.sample, Rounds: o.rounds}}
	quiet := t.FindQuiet(limited, listed)
	reached, listed = reached.Without(quiet), listed.Without(quiet)
	t.Unreached = reached.Unreached()
	if listed, err = t.ConfirmLate(ctx, listed); err != nil {
		return nil, err
	}
	fast := listed.Fast()
	if err := t.FindChances(ctx, fast); err != nil {
		return nil, err
	}
	if err := t.TakeLongRuns(ctx, fast); err != nil {
		return nil, err
	}
	var counter *count.Sampler
	if open := v.ToCount(fast); o.Judge != TimeOnly && len(open) > 0 {
		counter, err = count.Take(ctx, o.countRequest(links, v, len(selection.Procs)), links, open)
	}
	if err != nil && counter == nil {
		return nil, err
	}
	if err == nil && o.Judge != CountOnly {
		listed, err = t.TakeTimes(ctx, listed)
	}
	r := o.newReport(run)
	describeSides(r, s)
	describeBuilds(&r.Measurement, links, counter)
	o.describePackages(r, reached)
	r.AddNew(listed.Added...)
	o.decide(ctx, r, v, listed.Benchmarks)
	if err == nil && o.Explain {
		explainRows(ctx, &profiler{b, o.Profiles, o.profileTime}, r, listed.Benchmarks)
	}
	return r, err
}

// checkListed returns an error for a run without anything to report.
func checkListed(b *build.Builds, reached reach.Packages, l *listing.Listing) error {
	if len(l.Benchmarks) == 0 && len(l.Added) == 0 && len(b.InState(report.Failed)) == 0 &&
		len(reached.InState(report.Measured)) > 0 && reached.Unreached() == 0 {
		return frame.InputErrorf("no benchmark matches %q", b.Bench)
	}
	return nil
}

// request returns what the builds need to know.
func (o *Options) request(run *frame.Run) *source.Request {
	args, _ := source.ParseTestArgs(o.Args) // they were checked
	return &source.Request{Run: run, Dir: o.Dir, Base: o.Base, Head: o.Head, Packages: o.Packages,
		Bench: o.Bench, Tags: o.Tags, Prepare: o.Prepare, Tests: o.Tests, TestArgs: args, Layouts: o.layouts}
}

// buildSides checks out the sides and builds them, in the time of the limited context.
func buildSides(ctx, limited context.Context, of *source.Request, onlyCounts bool) (s *source.Sides, b *build.Builds, err error) {
	if onlyCounts { // without a counter, nothing need be built
		if _, err := count.FindCounter(limited, of.Run, true); err != nil {
			return nil, nil, err
		}
	}
	if s, err = source.CheckOut(limited, of); err == nil {
		b, err = build.Build(limited, s)
	}
	if ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%w: the builds take longer than %v; what is built stays in the build cache, so another run continues there", ErrTime, of.Total())
	}
	return s, b, err
}

// selection returns what the user wants of the benchmarks, on a machine with some cores to choose from.
func (o *Options) selection(cores, mostProcs int) *listing.Selection {
	procs, _ := o.procs() // they were checked
	switch {
	case procs != nil:
	case cores > 0:
		procs = []int{1} // there is one core to run on
	default:
		procs = []int{mostProcs}
	}
	return &listing.Selection{Procs: procs, MostProcs: mostProcs, SetsProcs: o.CPU != "", IsExcluded: o.isExcluded}
}

// countRequest returns what counts need to know.
func (o *Options) countRequest(links *build.Links, v *judge.Table, procs int) count.Request {
	return count.Request{Builds: links.Builds, Cache: links.Cache, Judges: v, Bounds: links.Budget, OnlyCounts: o.Judge == CountOnly, Procs: procs}
}

// ExplainTime prints how a run with the options shares its time among its phases.
func (o *Options) ExplainTime(w io.Writer) error { return frame.NewBudget(o.Time, o.Explain).Write(w) }
