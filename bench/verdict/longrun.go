package verdict

import "math"

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

// Delta is the change, relative to old; NaN without a run.
func (l *LongRuns) Delta() float64 { return math.Expm1(l.center()) }

// center is the median of the changes, and of two the one for the worse: a disturbance of the old side must not hide a
// slowdown.
func (l *LongRuns) center() float64 {
	if len(l.worse) == 2 {
		return max(l.worse[0], l.worse[1])
	}
	return Median(l.worse)
}

// quantiles of the normal distribution: 95 % and 90 %.
const (
	normal95 = 1.645
	normal90 = 1.282
)

// fewestRuns show the noise of a benchmark, and their median is less noisy than one of them.
const fewestRuns = 3

// errorOf is the standard deviation of the center.
func (l *LongRuns) errorOf(noise float64) float64 {
	const median = 1.2 // times the standard deviation of the mean
	n := len(l.worse)
	if n < fewestRuns {
		return noise
	}
	return median * max(noise, math.Sqrt(l.squares()/float64(n-1))) / math.Sqrt(float64(n))
}

// squares is the sum of the squared differences from the center, and of two from their mean.
func (l *LongRuns) squares() (sum float64) {
	center := l.center()
	if len(l.worse) == 2 {
		center = (l.worse[0] + l.worse[1]) / 2
	}
	for _, x := range l.worse {
		sum += (x - center) * (x - center)
	}
	return sum
}

// Disturbed reports whether the new side was so much faster that a disturbance of the old one may hide a slowdown. A
// further run shows it.
func (l *LongRuns) Disturbed(noise float64) bool {
	return len(l.worse) == 1 && l.center() < -2*noise
}

// Excludes reports whether the runs exclude a slowdown of [MustDetect]: in 19 of 20 runs, a benchmark that slow shows a
// larger change.
func (l *LongRuns) Excludes(noise float64) bool {
	return len(l.worse) > 0 && l.center() <= math.Log1p(MustDetect)-normal95*l.errorOf(noise)
}

// most is the largest change that needs no further run: one that a change of the limit exceeds in one of 20 runs, if that
// excludes a slowdown of [MustDetect].
func (l *LongRuns) most(limit, noise float64) float64 {
	s := normal95 * l.errorOf(noise)
	return min(math.Log1p(limit)+s, math.Log1p(MustDetect)-s)
}

// Suspect reports whether the runs show a change for the worse that other samples do not explain: they show a change
// of their own, a logarithm that is positive for the worse.
func (l *LongRuns) Suspect(explained, limit, noise float64) bool {
	return len(l.worse) > 0 && l.center()-explained > l.most(limit, noise)
}

// Detectable is the smallest slowdown that makes the benchmark a suspect in nine of ten runs, wherever in the long run
// the work is; infinite without a run.
func (l *LongRuns) Detectable(limit, noise float64) float64 {
	if len(l.worse) == 0 {
		return math.Inf(1)
	}
	return math.Expm1(l.most(limit, noise) + normal90*l.errorOf(noise))
}

// UsualNoise is the noise of a change where too few runs show it: that of a shared machine with two cores, both
// of which are busy, is 0.02 to 0.05.
const UsualNoise = 0.06

// LongRunNoise estimates the standard deviation of the change of a long run, a logarithm. Where enough benchmarks have
// several runs, their differences show it. Otherwise the middle half of all changes does, since most benchmarks are as fast as
// before, or a few such differences, if they show less: benchmarks that change by unequal amounts look like noise. Then it is
// not below the usual noise.
func LongRunNoise(all []*LongRuns) float64 {
	const fewest, least = 6, 0.02
	squares, free := 0.0, 0
	var changes []float64
	for _, l := range all {
		if len(l.worse) == 0 {
			continue
		}
		if n := len(l.worse); n > 1 {
			squares += l.squares()
			free += n - 1
		}
		changes = append(changes, l.worse[0])
	}
	differences := math.Inf(1)
	if free > 0 {
		differences = safetyOf(free) * math.Sqrt(squares/float64(free))
	}
	if free >= fewest {
		return max(least, differences)
	}
	if len(changes) < fewest {
		return UsualNoise
	}
	middle := Median(changes)
	for i := range changes {
		changes[i] = math.Abs(changes[i] - middle)
	}
	return max(UsualNoise, min(1.4826*Median(changes), differences))
}

// safetyOf is how many times larger than estimated from a few differences, one or more, a standard deviation may be, in nine
// of ten runs of normal noise; less of many.
func safetyOf(differences int) float64 {
	return [...]float64{8, 3.1, 2.3, 1.9, 1.8, 1.3}[min(differences, 6)-1]
}
