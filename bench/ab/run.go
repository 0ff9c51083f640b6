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

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
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
	defer func() {
		if removing := j.Scratch.Remove(); err == nil && removing != nil {
			err = removing
		}
	}()
	if o.Old != "" {
		return compareCommands(ctx, j)
	}
	return compareCommits(ctx, j)
}

// describeNothing returns the report of a run whose time ended with an error before the measurement.
func describeNothing(ctx context.Context, j *job, s *source.Sides, err error) *report.Report {
	r := newResult(j, newJudges(&j.Options, nil, false), nil)
	if s != nil {
		r.describeSides(s)
	}
	r.Notes = append(r.Notes, err.Error())
	r.finish(ctx, j)
	r.Verdict = verdict.Undecided
	return r.Report
}

// compareCommits builds two commits, finds the reached benchmarks, counts their instructions, and
// then measures their times.
func compareCommits(ctx context.Context, j *job) (*report.Report, error) {
	load := report.Load()
	limited, cancel := j.Begin(frame.Builds).Context(ctx)
	defer cancel()
	if j.Judge == CountOnly { // without a counter, nothing need be built
		if _, err := findCounter(limited, j); err != nil {
			return nil, err
		}
	}
	var b *builds
	s, err := source.CheckOut(limited, j.request())
	if err == nil {
		b, err = buildSides(limited, j, s)
	}
	if err = timeError(ctx, limited, j, err); errors.Is(err, ErrTime) {
		return describeNothing(ctx, j, s, err), err
	} else if err != nil {
		return nil, err
	}
	findReach(j, b)
	listed, err := listBenchmarks(ctx, j, b)
	if err != nil {
		return nil, err
	}
	if err := checkListed(j, b, listed); err != nil {
		return nil, err
	}
	findExecuted(limited, j, b, listed)
	findExecutedSlow(limited, j, b, listed)
	if err := listed.confirmLate(ctx, j, b); err != nil {
		return nil, err
	}
	links := newLinkPool(j, b)
	v := newJudges(&j.Options, listed.units, b.cpuClock != report.NoClock)
	if err := findChances(ctx, j, b, listed.fast(), v); err != nil {
		return nil, err
	}
	if err := takeLongRuns(ctx, j, b, links, listed.fast(), v); err != nil {
		return nil, err
	}
	counter, err := countBenchmarks(ctx, j, b, links, listed.fast(), v)
	if err != nil && counter == nil {
		return nil, err
	}
	if err == nil && j.Judge != CountOnly {
		err = takeTimes(ctx, j, b, links, listed, v)
	}
	r := newResult(j, v, listed.benchmarks)
	r.describeCommits(s, b, listed, links, counter)
	r.Load = append(load, report.Load()...)
	r.finish(ctx, j)
	if err == nil && j.Explain {
		explainRows(ctx, j, b, r.Report, listed.benchmarks)
	}
	return r.Report, err
}

// timeError explains an error of a step without time left.
func timeError(ctx, limited context.Context, j *job, err error) error {
	if ctx.Err() == nil && limited.Err() != nil {
		return fmt.Errorf("%w: the builds take longer than %v; what is built stays in the build cache, so another run continues there", ErrTime, j.Time)
	}
	return err
}

// checkListed returns an error for a run without anything to report.
func checkListed(j *job, b *builds, l *listing) error {
	if len(l.benchmarks) == 0 && len(l.added) == 0 && len(b.inState(report.Failed)) == 0 &&
		len(b.inState(report.Measured)) > 0 && b.unreached() == 0 {
		return frame.InputErrorf("no benchmark matches %q", j.Bench)
	}
	return nil
}
