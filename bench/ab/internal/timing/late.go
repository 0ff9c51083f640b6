package timing

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

// leastFactor is how many times longer than on the old side an iteration must take to be called slower
// before it ends.
const leastFactor = 20

// ConfirmLate runs benchmarks that took too long on the new side once more on each side, and then slow ones, unless other
// benchmarks need the time first. It returns the listing with their samples.
func (t *Timer) ConfirmLate(ctx context.Context, l *listing.Listing) (*listing.Listing, error) {
	l, err := t.sampleLate(ctx, l, l.Late, t.Begin(frame.Late).End)
	if err != nil || !t.OnlyCounts && len(t.Judges.Open(l.Fast())) > 0 {
		return l, err
	}
	l, err = t.sampleLate(ctx, l, l.Slow, t.Begin(frame.Slow).End)
	l.Slow = nil
	return l, err
}

// sampleLate runs benchmarks of a listing once on each side, one at a time, and gives the new side [leastFactor] times the
// time of the old side's process, as far as the time allows. A benchmark that does not end then is slower: its sample is
// censored. One processor may be too few for a benchmark whose goroutines block it, so an old side without an end gets
// all of them. The result is the listing with the samples and processors of those that ran.
func (t *Timer) sampleLate(ctx context.Context, l *listing.Listing, late []*listing.Benchmark, end time.Time) (*listing.Listing, error) {
	ran := make(map[*listing.Benchmark]*listing.Benchmark)
	for i, b := range late {
		left := func() time.Duration { return time.Until(end) / time.Duration(min(4, len(late)-i)) }
		if f := t.Judges.Of(b); !f.IsMeasurable() || left() < leastLate/4 {
			f.Abandon(frame.NoTimeAlone)
			continue
		}
		t.Show("running "+b.Name+" once more", 0)
		r, err := t.runLate(ctx, b, b.Procs, left())
		if most := t.MostProcs(); err == nil && frame.IsTimeout(r.errs[frame.Old]) && !l.SetsProcs && b.Procs < most && left() > leastLate/4 {
			var again lateRun
			if again, err = t.runLate(ctx, b, most, left()); !frame.IsTimeout(again.errs[frame.Old]) {
				r = again
			}
			r.procs = most
		}
		if err != nil {
			return l.Replace(ran), err
		}
		now := *b
		now.Procs, now.First = r.procs, r.samples
		ran[b] = &now
		judgeLate(t.Judges.Of(&now), r)
	}
	return l.Replace(ran), nil
}

// leastLate is the least time of the new side.
const leastLate = time.Second

// lateRun is the run of a late benchmark.
type lateRun struct {
	procs   int
	samples [2]listing.Sample
	walls   [2]time.Duration
	errs    [2]error
}

// runLate runs a benchmark once on each side.
func (t *Timer) runLate(ctx context.Context, b *listing.Benchmark, procs int, left time.Duration) (r lateRun, err error) {
	const most = 10 * time.Second
	r.procs, r.samples = procs, b.First
	for side := range r.walls {
		if err := t.Sides.Use(side); err != nil {
			return r, err
		}
		timeout := min(most, left/3)
		if side == frame.New && r.errs[frame.Old] == nil {
			timeout = max(leastLate, min(most, left, leastFactor*r.walls[frame.Old]))
		}
		out, err := t.RunTest(ctx, build.TestRun{Pkg: b.Pkg.TestPackage, Side: side, Core: frame.NoCore, Timeout: timeout,
			Args: build.BenchArgs(build.JoinPatterns([]string{b.Printed}, false), "1x", procs)})
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			err = frame.FailureOf(out.Output, err)
		}
		r.walls[side], r.errs[side] = out.Wall, err
		for _, one := range listing.ParseSamples(out.Output, procs) {
			if one.Name == b.Printed {
				r.samples[side] = one
			}
		}
	}
	return r, nil
}

// judgeLate gives a late benchmark its verdict, unless both sides have ended this time.
func judgeLate(f *judge.Evidence, r lateRun) {
	before, after := r.errs[frame.Old], r.errs[frame.New]
	switch {
	case before == nil && after == nil:
	case before != nil && after == nil: // as if the old side did not have it
		f.Repaired = true
		f.Abandon(fmt.Sprintf(frame.TakesLong, before, "the old side"))
	case !frame.IsTimeout(after):
		f.Abandon(frame.FailsOnNew + ": " + after.Error())
	case before != nil:
		f.Abandon(fmt.Sprintf(frame.TakesLong, after, "both sides"))
	case r.walls[frame.New] >= leastFactor/2*r.walls[frame.Old]:
		f.AtLeast = [2]float64{r.walls[frame.Old].Seconds(), r.walls[frame.New].Seconds()}
		f.Advance(judge.StateLate)
	default:
		f.Abandon(fmt.Sprintf(frame.TakesLong, after, "the new side"))
	}
}
