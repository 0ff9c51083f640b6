package timing

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// On a shared machine, the speed of a core changes by a tenth and more from second to second, with what other machines do on
// the same hardware. Two processes on one core that run at the same time share its changes: CPU times of the sides then
// differ by one percent where they would by 17 in turns. So long runs of both sides that keep a core busy run at once. Work of
// a clock, such as a ticker's, comes twice as often beside that of operations then, so rounds, which make claims, take turns.

// sidesAtOnce keeps whether both sides of long runs may run at once.
type sidesAtOnce struct {
	isPossible      bool // neither side needs its files in place
	taken, rejected int  // pairs
}

// HaveSameFiles reports whether benchmarks of both sides read the same files.
func (t *Timer) HaveSameFiles() bool { return t.Sides.Prepare == "" && len(t.Sides.ChangedData()) == 0 }

// mayRunAtOnce reports whether both sides of all parts may run at the same time: each keeps one core busy, as far as is known,
// and does not start processes.
func (t *Sampler) mayRunAtOnce(runs []*PartRun) bool {
	const fewest = 4 // pairs that show that nothing can be taken
	if !t.isLong || !t.hasCPU || !t.atOnce.isPossible || t.atOnce.taken == 0 && t.atOnce.rejected >= fewest {
		return false
	}
	return !slices.ContainsFunc(runs, func(r *PartRun) bool {
		return r.Core == frame.NoCore || slices.ContainsFunc(r.Benchmarks, func(b *listing.Benchmark) bool {
			z, starts := t.Sizes[b], b.First[frame.Old].Children || b.First[frame.New].Children
			isWaiting := isLong(b.First) && t.chooseClock(b, [][2]listing.Sample{b.First}) == report.Wall
			return z.iterations == 0 && z.each == 0 || z.isApart || starts || isWaiting || t.Judges.NeedsMachine(b)
		})
	})
}

// runAtOnce runs both sides of each part at the same time, on the core of the part. The files of a side make room for those of
// the other one when its processes have started: these keep their folder.
func (t *Sampler) runAtOnce(ctx context.Context, runs []*PartRun, paths [2]string) {
	var all sync.WaitGroup
	for _, side := range t.Rand.Perm(2) {
		err := t.Sides.Use(side)
		var starting sync.WaitGroup
		for _, r := range runs {
			r.AtOnce = true
			if r.Failures[side] = err; err != nil {
				continue
			}
			starting.Add(1)
			all.Go(func() {
				started := sync.OnceFunc(starting.Done)
				defer started()
				r.Samples[side], r.Failures[side] = t.RunSide(ctx, r, side, paths[side], started)
			})
		}
		starting.Wait()
	}
	all.Wait()
}

// takeAtOnce takes the wait for the core from the times of both sides, and reports whether they kept it busy. Otherwise the
// benchmark runs in turns.
func (t *Sampler) takeAtOnce(b *listing.Benchmark, before, after *listing.Sample) bool {
	for _, s := range []*listing.Sample{before, after} {
		s.Wall = max(s.CPU, s.Wall-s.Queued.Seconds()/float64(s.Iterations))
		s.Run, s.Queued = max(s.Busy, s.Run-s.Queued), time.Duration(0)
	}
	pair := [2]listing.Sample{frame.Old: *before, frame.New: *after}
	if t.chooseClock(b, [][2]listing.Sample{pair}) == report.Wall || waitsMore(pair) {
		t.Sizes[b].isApart = true
		t.atOnce.rejected++
		return false
	}
	t.atOnce.taken++
	return true
}
