// Package ab answers "did my commit make it slower?" for any Go module under git, or for any
// two programs that print Go's benchmark format.
//
// It builds both sides and skips code that cannot differ: test binaries with equal bytes, packages
// whose sources differ only in comments, and benchmarks that run without executing the change. It counts the
// instructions of the others, and measures them in turns: in every round each benchmark runs once on each side, in a
// process for each, on one core, in random order, with a fixed number of iterations. After 10, 14, 20, 28, ... rounds
// package verdict judges the benchmarks. Undecided ones continue until all are decided or the time is over.
//
// It imports the standard library, golang.org/x/perf, golang.org/x/mod, pprof/profile, and packages of this module with the same restriction,
// so "go run .../cmd/benchab" downloads nothing else.
package ab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

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
	j, err := newJob(o)
	if err != nil {
		return nil, err
	}
	defer j.close(&err)
	if o.Old != "" {
		return compareCommands(ctx, j)
	}
	return compareCommits(ctx, j)
}

// describeNothing returns the report of a run whose time ended with an error before the measurement.
func (j *job) describeNothing(ctx context.Context, s *source.Sides, err error) *report.Report {
	r := j.newResult(judge.NewTable(j.rules(), nil, false), nil)
	if s != nil {
		r.Base = s.Commits[frame.Old]
		r.Head, r.Subject, r.WorkTree = s.HeadCommit()
	}
	r.Notes = append(r.Notes, err.Error())
	r.finish(ctx)
	r.Verdict = verdict.Undecided
	return r.Report
}

// compareCommits builds two commits, finds the reached benchmarks, counts their instructions, and
// then measures their times.
func compareCommits(ctx context.Context, j *job) (*report.Report, error) {
	limited, cancel := j.Begin(frame.Builds).Context(ctx)
	defer cancel()
	s, b, err := j.build(ctx, limited)
	if errors.Is(err, ErrTime) {
		return j.describeNothing(ctx, s, err), err
	} else if err != nil {
		return nil, err
	}
	reached := reach.Find(b)
	listed, err := listing.List(ctx, b, reached, j.selection())
	if err == nil {
		err = checkListed(b, reached, listed)
	}
	if err != nil {
		return nil, err
	}
	v, links := judge.NewTable(j.rules(), listed.Units, b.CPUClock != report.NoClock), build.NewLinks(b)
	t := timing.Timer{Builds: b, Judges: v, Links: links,
		Options: timing.Options{Horizon: j.Horizon, OnlyCounts: j.Judge == CountOnly, Work: j.sample, Rounds: j.rounds}}
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
	if open := v.ToCount(fast); j.Judge != TimeOnly && len(open) > 0 {
		counter, err = count.Take(ctx, j.countRequest(b, v, links.Cache), links, open)
	}
	if err != nil && counter == nil {
		return nil, err
	}
	if err == nil && j.Judge != CountOnly {
		listed, err = t.TakeTimes(ctx, listed)
	}
	r := j.newResult(v, listed.Benchmarks)
	r.Base = s.Commits[frame.Old]
	r.Head, r.Subject, r.WorkTree = s.HeadCommit()
	r.describePackages(reached)
	j.describeBuilds(&r.Measurement, links, counter)
	r.AddNew(listed.Added...)
	r.finish(ctx)
	if err == nil && j.Explain {
		explainRows(ctx, &profiler{b, j.Profiles, j.profileTime}, r.Report, listed.Benchmarks)
	}
	return r.Report, err
}

// checkListed returns an error for a run without anything to report.
func checkListed(b *build.Builds, reached reach.Packages, l *listing.Listing) error {
	if len(l.Benchmarks) == 0 && len(l.Added) == 0 && len(b.InState(report.Failed)) == 0 &&
		len(reached.InState(report.Measured)) > 0 && reached.Unreached() == 0 {
		return frame.InputErrorf("no benchmark matches %q", b.Bench)
	}
	return nil
}

// job is a run with its options.
type job struct {
	Options
	*frame.Run
	alone bool      // the head is measured alone
	load  []float64 // of the machine at the beginning
}

// request returns what the builds need of the job.
func (j *job) request() *source.Request {
	args, _ := source.ParseTestArgs(j.Args) // they were checked
	return &source.Request{Run: j.Run, Dir: j.Dir, Base: j.Base, Head: j.Head, Alone: j.alone, Packages: j.Packages,
		Bench: j.Bench, Tags: j.Tags, Prepare: j.Prepare, Tests: j.Tests, TestArgs: args, Layouts: j.layouts}
}

// build checks out the sides and builds them, in the time of the limited context.
func (j *job) build(ctx, limited context.Context) (s *source.Sides, b *build.Builds, err error) {
	if j.Judge == CountOnly { // without a counter, nothing need be built
		if _, err := count.FindCounter(limited, j.Run, true); err != nil {
			return nil, nil, err
		}
	}
	if s, err = source.CheckOut(limited, j.request()); err == nil {
		b, err = build.Build(limited, s)
	}
	if ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%w: the builds take longer than %v; what is built stays in the build cache, so another run continues there", ErrTime, j.Time)
	}
	return s, b, err
}

// procsToRun lists the values of GOMAXPROCS to run benchmarks with.
func (j *job) procsToRun() []int {
	procs, _ := j.procs() // they were checked
	switch {
	case procs != nil:
		return procs
	case len(j.Cores) > 0:
		return []int{1} // there is one core to run on
	}
	return []int{j.MostProcs()}
}

// selection returns what the user wants of the benchmarks.
func (j *job) selection() *listing.Selection {
	return &listing.Selection{Procs: j.procsToRun(), MostProcs: j.MostProcs(), SetsProcs: j.CPU != "", IsExcluded: j.isExcluded}
}

// countRequest returns what counts need of the job.
func (j *job) countRequest(b *build.Builds, v *judge.Table, c *build.Cache) count.Request {
	return count.Request{Builds: b, Cache: c, Judges: v, Bounds: j.Budget, OnlyCounts: j.Judge == CountOnly, Procs: len(j.procsToRun())}
}

// newJob opens the working folder of a run and starts its clock.
func newJob(o Options) (*job, error) {
	for o.Seed == 0 {
		o.Seed = rand.Uint64() >> 32
	}
	r, err := frame.NewRun(o.Dir, o.Seed, frame.NewBudget(o.Time, o.Explain))
	if err != nil {
		return nil, err
	}
	r.OnProgress = o.Progress
	return &job{Options: o, Run: r, load: report.Load()}, nil
}

// close removes the working folder at the end of a run with an error or nil.
func (j *job) close(err *error) {
	if removing := j.Scratch.Remove(); *err == nil {
		*err = removing
	}
}

// ExplainTime prints how a run with the options shares its time among its phases.
func (o *Options) ExplainTime(w io.Writer) error { return frame.NewBudget(o.Time, o.Explain).Write(w) }
