package ab

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// leastFactor is how many times longer than on the old side an iteration must take to be called slower
// before it ends.
const leastFactor = 20

// confirmLate runs benchmarks that took too long on the new side once more on each side, and then slow ones, unless other
// benchmarks need the time first.
func (l *listing) confirmLate(ctx context.Context, j *job, b *builds) error {
	err := runAllLate(ctx, j, b, l.late, j.Begin(frame.Late).End)
	if err != nil || j.Judge != CountOnly && countOpen(l.fast()) > 0 {
		return err
	}
	slow := l.slow
	l.slow = nil
	return runAllLate(ctx, j, b, slow, j.Begin(frame.Slow).End)
}

// fast returns the benchmarks that do not wait for the end of others.
func (l *listing) fast() []*benchmark {
	return slices.DeleteFunc(slices.Clone(l.benchmarks), func(b *benchmark) bool { return slices.Contains(l.slow, b) })
}

// runSlow runs slow benchmarks once on each side, unless the commit fails anyway.
func (l *listing) runSlow(ctx context.Context, j *job, b *builds, v *judges) error {
	end := time.Now()
	if j.Prove || !isSlower(v, l.benchmarks) {
		end = j.Begin(frame.Slow).End
	}
	return runAllLate(ctx, j, b, l.slow, end)
}

// runAllLate runs benchmarks once on each side, one at a time, and gives the new side [leastFactor] times the time of
// the old side's process, as far as the time allows. A benchmark that does not end then is slower: its sample is
// censored. One processor may be too few for a benchmark whose goroutines block it, so an old side without an end gets
// all of them.
func runAllLate(ctx context.Context, j *job, b *builds, late []*benchmark, end time.Time) error {
	for i, k := range late {
		left := func() time.Duration { return time.Until(end) / time.Duration(min(4, len(late)-i)) }
		if k.state == stateNotJudged || left() < leastLate/4 {
			k.abandon(verdict.NotJudged, "no time to run it by itself: its run with others takes longer than the time allows")
			continue
		}
		j.Show("running "+k.name+" once more", 0)
		r, err := runLate(ctx, j, b, k, left())
		if most := j.MostProcs(); err == nil && frame.IsTimeout(r.errs[frame.Old]) && j.CPU == "" && k.procs < most && left() > leastLate/4 {
			k.procs = most
			var again lateRun
			if again, err = runLate(ctx, j, b, k, left()); !frame.IsTimeout(again.errs[frame.Old]) {
				r = again
			}
		}
		if err != nil {
			return err
		}
		k.judgeLate(r)
	}
	return nil
}

// leastLate is the least time of the new side.
const leastLate = time.Second

// lateRun is the run of a late benchmark.
type lateRun struct {
	walls [2]time.Duration
	errs  [2]error
}

// runLate runs a benchmark once on each side.
func runLate(ctx context.Context, j *job, b *builds, k *benchmark, left time.Duration) (r lateRun, err error) {
	const most = 10 * time.Second
	for side := range r.walls {
		if err := b.sides.Use(side); err != nil {
			return r, err
		}
		timeout := min(most, left/3)
		if side == frame.New && r.errs[frame.Old] == nil {
			timeout = max(leastLate, min(most, left, leastFactor*r.walls[frame.Old]))
		}
		run := testRun{pkg: k.pkg, side: side, path: k.pkg.binaries[side], core: frame.NoCore, timeout: timeout,
			args: build.BenchArgs(build.JoinPatterns([]string{k.printed}, false), "1x", k.procs)}
		out, err := run.run(ctx, j)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			err = frame.FailureOf(out.Output, err)
		}
		r.walls[side], r.errs[side] = out.Wall, err
		for _, s := range parseSamples(out.Output, k.procs) {
			if s.name == k.printed {
				k.first[side] = s
			}
		}
	}
	return r, nil
}

// judgeLate ends a late benchmark, unless it goes on.
func (b *benchmark) judgeLate(r lateRun) {
	before, after := r.errs[frame.Old], r.errs[frame.New]
	switch {
	case before == nil && after == nil:
	case before != nil && after == nil: // as if the old side did not have it
		b.repaired = true
		b.abandon(verdict.NotJudged, fmt.Sprintf("an iteration with its set-up %v on the old side", before))
	case !frame.IsTimeout(after):
		b.abandon(verdict.NotJudged, "fails on the new side: "+after.Error())
	case before != nil:
		b.abandon(verdict.NotJudged, fmt.Sprintf("an iteration with its set-up %v on both sides", after))
	case r.walls[frame.New] >= leastFactor/2*r.walls[frame.Old]:
		b.first[frame.Old].run, b.atLeast = r.walls[frame.Old], r.walls[frame.New].Seconds()
		b.advance(stateJudged)
	default:
		b.abandon(verdict.NotJudged, fmt.Sprintf("an iteration with its set-up %v on the new side", after))
	}
}
