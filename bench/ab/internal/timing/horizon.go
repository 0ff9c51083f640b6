package timing

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// waitsMore reports whether an operation of the new side waits longer, by a part of its timed work, as for a retry: CPU
// times do not show it.
func waitsMore(pair [2]listing.Sample) bool {
	const part = 0.1
	idle := func(s *listing.Sample) float64 {
		return max(0, (s.Run-s.Queued-s.Busy).Seconds()) / float64(max(1, s.Iterations))
	}
	return idle(&pair[frame.New])-idle(&pair[frame.Old]) > part*pair[frame.Old].Wall
}

// lengthen makes the samples of a benchmark longer, by its first short one, and reports whether it has: long runs
// where the short sample does not explain the slowdown that these show, and as long as the time allows where an operation
// takes another time in long runs on one side.
func (t *Sampler) lengthen(b *listing.Benchmark, pair [2]listing.Sample) bool {
	f, z := t.Judges.Of(b), t.Sizes[b]
	if f.LongRuns.N() == 0 || f.RepeatsLong || t.Judges.IsFixed {
		return false
	}
	read := func(s *listing.Sample) float64 { return s.CPU }
	if z.Clock == report.Wall {
		read = func(s *listing.Sample) float64 { return s.Wall }
	}
	if t.Judges.IsUnexplained(b, verdict.LogRatio(read(&pair[frame.Old]), read(&pair[frame.New]))) {
		f.RepeatsLong = true // the next sample begins so
		return true
	}
	const least, safety = 0.15, 2.5
	tolerance := max(least, safety*t.Judges.Noise)
	for side := range pair {
		if change := verdict.LogRatio(read(&pair[side]), read(&f.LastLong.Sides[side])); !b.Parallel && math.Abs(change) > tolerance {
			open := max(1, len(t.Judges.Open(slices.Collect(maps.Keys(t.Sizes)))))
			each := time.Duration(frame.Share(frame.PartLongSamples) * float64(t.Left()) / float64(2*PlannedRounds*open))
			z.Total, z.Full, z.iterations = max(2*leastSample, min(f.Length, each)), false, 0
			return true
		}
	}
	return false
}
