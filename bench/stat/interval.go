package stat

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchmath"
)

// MinCount is the least number of samples for a ratio. With fewer, no interval is meaningful.
const MinCount = 4

// Interval is an estimate with its confidence interval, all in one unit.
type Interval struct {
	Median, Lo, Hi float64
}

// Estimate returns the median of samples and its non-parametric 95 % confidence
// interval, from order statistics, as benchstat has it. Of fewer than 6 samples no
// order statistics reach 95 %; the interval is then the range of the samples. There
// must be one sample at least.
func Estimate(samples []float64) Interval {
	s := benchmath.AssumeNothing.Summary(newSample(samples), verdict.Confidence)
	i := Interval{s.Center, s.Lo, s.Hi}
	if math.IsInf(i.Lo, 0) || math.IsInf(i.Hi, 0) {
		i.Lo, i.Hi = slices.Min(samples), slices.Max(samples)
	}
	return i
}

// Covers reports whether the interval has x inside or at its ends.
func (i Interval) Covers(x float64) bool { return i.Lo <= x && x <= i.Hi }

// Reach is how far the interval goes from the median to its further side, as a part
// of the median.
func (i Interval) Reach() float64 { return max(i.Hi-i.Median, i.Median-i.Lo) / i.Median }

// String prints the estimate with its interval: "0.25 [0.24, 0.26]".
func (i Interval) String() string {
	return fmt.Sprintf("%s [%s, %s]", text.Figure(i.Median), text.Figure(i.Lo), text.Figure(i.Hi))
}

// Rounded is the interval in the digits of [Significant].
func (i Interval) Rounded() Interval {
	return Interval{Significant(i.Median), Significant(i.Lo), Significant(i.Hi)}
}

// Median is the middle of samples, in whatever order, or the mean of the middle two.
// There must be one at least.
func Median(samples []float64) float64 {
	return Quantile(slices.Sorted(slices.Values(samples)), 0.5)
}

// Quantile returns the q-quantile, 0 <= q <= 1, of sorted numbers, with linear
// interpolation between neighbours.
func Quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low+1 == len(sorted) {
		return sorted[low]
	}
	part := at - float64(low)
	return float64(sorted[low]*(1-part)) + float64(sorted[low+1]*part)
}

// Significant rounds to five significant digits: no machine is more stable. Infinities and NaN
// become 0, since JSON has neither.
func Significant(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 5, 64), 64)
	if err != nil {
		return x
	}
	return rounded
}
