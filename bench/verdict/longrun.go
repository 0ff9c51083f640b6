package verdict

import (
	"math"
	"slices"
)

// LongRuns are long runs of a benchmark on both sides, by the means of an operation. Short runs show the first milliseconds
// of a benchmark, and a count its first operations: work that comes later, seldom or in the background shows in long runs
// alone. Their changes have the noise of [LongRunNoise].
type LongRuns struct{ worse []float64 } // logarithms of the ratios, positive for the worse

// Add adds a run: the mean of an operation on each side. It returns an error for a negative figure, infinity or NaN.
func (l *LongRuns) Add(before, after float64) error {
	if err := checkFigures(before, after); err != nil {
		return err
	}
	l.worse = append(l.worse, LogRatio(before, after))
	return nil
}

// N is the number of runs.
func (l *LongRuns) N() int { return len(l.worse) }

// Delta is the mean change, relative to old; NaN without a run.
func (l *LongRuns) Delta() float64 { return math.Expm1(l.mean()) }

func (l *LongRuns) mean() float64 {
	sum := 0.0
	for _, x := range l.worse {
		sum += x
	}
	return sum / float64(len(l.worse))
}

// quantiles of the normal distribution: 95 % and 90 %.
const (
	normal95 = 1.645
	normal90 = 1.282
)

// errorOf is the standard deviation of their mean.
func (l *LongRuns) errorOf(noise float64) float64 {
	const fewest = 3 // to show the noise of this benchmark
	if n := len(l.worse); n >= fewest {
		noise = max(noise, math.Sqrt(l.squares()/float64(n-1)))
	}
	return noise / math.Sqrt(float64(len(l.worse)))
}

// squares is the sum of the squared differences from the mean.
func (l *LongRuns) squares() (sum float64) {
	mean := l.mean()
	for _, x := range l.worse {
		sum += (x - mean) * (x - mean)
	}
	return sum
}

// Excludes reports whether the runs exclude a slowdown of [Blind]: in 19 of 20 runs, a benchmark that slow shows a
// larger mean.
func (l *LongRuns) Excludes(noise float64) bool {
	return len(l.worse) > 0 && l.mean() <= math.Log1p(Blind)-normal95*l.errorOf(noise)
}

// most is the largest mean that needs no further run: one that a change of the limit exceeds in one of 20 runs, if that
// excludes a slowdown of [Blind].
func (l *LongRuns) most(limit, noise float64) float64 {
	s := normal95 * l.errorOf(noise)
	return min(math.Log1p(limit)+s, math.Log1p(Blind)-s)
}

// Suspect reports whether the runs show a change for the worse that other samples do not explain: they show a change
// of their own, a logarithm that is positive for the worse.
func (l *LongRuns) Suspect(explained, limit, noise float64) bool {
	return len(l.worse) > 0 && l.mean()-explained > l.most(limit, noise)
}

// Sight is the smallest slowdown that makes the benchmark a suspect in nine of ten runs, wherever in the long run the
// work is; infinite without a run.
func (l *LongRuns) Sight(limit, noise float64) float64 {
	if len(l.worse) == 0 {
		return math.Inf(1)
	}
	return math.Expm1(l.most(limit, noise) + normal90*l.errorOf(noise))
}

// usualNoise is the noise of a change where too few runs show it: that of a shared machine with two cores, both
// of which are busy, is 0.02 to 0.05.
const usualNoise = 0.06

// LongRunNoise estimates the standard deviation of the change of a long run, a logarithm. Where benchmarks have several
// runs, their differences show it. Otherwise the middle half of all changes does, since most benchmarks are as fast as
// before, but then it is not below the usual noise.
func LongRunNoise(all []*LongRuns) float64 {
	const fewest, least, safety = 6, 0.02, 1.3
	squares, free := 0.0, 0
	var changes []float64
	for _, l := range all {
		if len(l.worse) == 0 {
			continue
		}
		squares += l.squares()
		free += len(l.worse) - 1
		changes = append(changes, l.mean()*math.Sqrt(float64(len(l.worse))))
	}
	if free >= fewest {
		return max(least, safety*math.Sqrt(squares/float64(free)))
	}
	if len(changes) < fewest {
		return usualNoise
	}
	middle := Median(changes)
	for i := range changes {
		changes[i] = math.Abs(changes[i] - middle)
	}
	slices.Sort(changes)
	return max(usualNoise, 1.4826*Median(changes))
}
