package verdict

import (
	"context"
	"math"
	"slices"
)

// Sampler takes samples of benchmarks: pairs on two sides by processes, commands or counts, or a suite's times
// in this process.
type Sampler[B, S any] interface {
	Sample(ctx context.Context, benchmarks []B) ([]S, error)
}

// Median returns the middle value, or the mean of the middle two; NaN for nothing.
func Median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	return sorted[(len(x)-1)/2]/2 + sorted[len(x)/2]/2
}

// Interval returns the median's interval with [Confidence], from order statistics: it holds
// for any distribution. With fewer than 6 samples none reaches the confidence; the result is then
// their range. It is NaN for nothing.
func Interval(x []float64) (lo, hi float64) {
	n := len(x)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	sorted := slices.Sorted(slices.Values(x))
	// The median is below the k-th smallest value, from 0, if at most k of n coins show heads.
	k, sum := 0, math.Pow(2, -float64(n))
	for term := sum; ; k++ {
		term *= float64(n-k) / float64(k+1)
		if sum+term > even.lower || 2*(k+1) >= n {
			break
		}
		sum += term
	}
	if sum > even.lower {
		k = 0
	}
	return sorted[k], sorted[n-1-k]
}

// Ratio returns the ratio between the second side and the first with its [Confidence] interval.
// Sample k on both sides was measured in one round. Figures must be at least 0; NaN for nothing.
func Ratio(before, after []float64) (ratio, lo, hi float64) {
	if len(before) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	d := make([]float64, len(before))
	for k := range d {
		d[k] = LogRatio(before[k], after[k])
	}
	s := NewShift(d)
	return math.Exp(s.Center()), math.Exp(s.Lower(even.lower)), math.Exp(s.Upper(even.upper))
}

// logs returns logarithms, with a finite number for 0.
func logs(figures []float64) []float64 {
	out := make([]float64, len(figures))
	for k, x := range figures {
		out[k] = max(-mostLog, math.Log(x))
	}
	return out
}

// mostLog bounds a ratio's logarithm, so a ratio with 0 is a finite number.
const mostLog = 30

// LogRatio returns the logarithm of after over before, for figures of at least 0. It is 0 if
// both are 0, and limited to ±30.
func LogRatio(before, after float64) float64 {
	if before == after {
		return 0
	}
	return max(-mostLog, min(mostLog, math.Log(after/before)))
}
