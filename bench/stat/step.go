package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// Two tests missing from benchmath: of a step between two series measured one after the other,
// and of pairs measured side by side. Both are t-tests on logarithms, made robust against
// outliers and dependent neighbours.

// Step is an estimated change of a logarithm, new over old.
type Step struct {
	Size  float64
	Sigma float64 // standard error of Size
	DF    float64 // degrees of freedom of Sigma
}

// StepBetween estimates the change between two series measured one after the other, corrected
// for a steady drift through both. It fits one straight line through the logarithms, broken
// where the second series begins: an analysis of covariance with time as the covariate
// (Cochran, "Analysis of covariance", Biometrics 13, 1957). The two series differ in time, so
// the error of the slope adds to that of the step: for steady samples the standard error is
// twice that of a difference of means. See [newStep] for the rest.
//
// All values must be positive, and each side needs 4 samples; otherwise ok is false.
func StepBetween(old, new []float64) (s Step, ok bool) {
	if len(old) < MinCount || len(new) < MinCount || slices.Min(old) <= 0 || slices.Min(new) <= 0 {
		return Step{}, false
	}
	a, insideA := pulledIn(logarithms(old))
	b, insideB := pulledIn(logarithms(new))
	n1, n2 := float64(len(a)), float64(len(b))
	slope, spread := commonSlope(a, b)
	between := (n1 + n2) / 2 // between the middles of both
	size := mean(b) - mean(a) - float64(slope*between)
	weight := 1/n1 + 1/n2 + float64(between*between)/spread
	return newStep(size, weight, insideA+insideB, 3, residuals(a, slope), residuals(b, slope))
}

// StepOfPairs estimates the mean of the differences of logarithms of pairs measured
// side by side. It needs 4 pairs of positive values.
func StepOfPairs(old, new []float64) (s Step, ok bool) {
	if len(old) < MinCount || slices.Min(old) <= 0 || slices.Min(new) <= 0 {
		return Step{}, false
	}
	d := logarithms(new)
	for k, x := range logarithms(old) {
		d[k] -= x
	}
	d, inside := pulledIn(d)
	return newStep(mean(d), 1/float64(len(d)), inside, 1, residuals(d, 0))
}

// newStep computes the standard error of a step from the residuals of a model with the given
// number of parameters and of samples that were not pulled in. The variance of the step is
// weight times that of a sample.
//
// Pulled-in samples widen the error and have no degrees of freedom (Tukey and McLaughlin, "Less
// vulnerable confidence and significance procedures for location based on a single sample",
// Sankhya A 25, 1963). The error is also widened for correlated neighbours, by (1+r)/(1-r) with
// r their correlation (Bartlett, "Some aspects of the time-correlation problem", Journal of the
// Royal Statistical Society 98, 1935).
func newStep(size, weight float64, inside, parameters int, rest ...[]float64) (s Step, ok bool) {
	n, squares := 0, 0.0
	for _, r := range rest {
		n += len(r)
		squares += sumOfSquares(r)
	}
	if inside <= parameters {
		return Step{}, false
	}
	r := max(0, min(0.9, neighbours(rest...)))
	variance := squares / float64(n-parameters) * weight * (1 + r) / (1 - r)
	return Step{
		Size:  size,
		Sigma: math.Sqrt(variance) * float64(n) / float64(inside),
		DF:    float64(inside - parameters),
	}, true
}

// P is the two-sided p-value of there being no change, by Student's t.
func (s Step) P() float64 {
	if s.Size == 0 {
		return 1
	}
	return min(1, 2*s.student().Survival(math.Abs(s.Size)/s.Sigma))
}

// Reach is how large a change must be to be significant at a level with a power.
func (s Step) Reach(level, power float64) float64 {
	return (s.student().Quantile(1-level/2) + mathext.NormalQuantile(power)) * s.Sigma
}

func (s Step) student() student { return student{s.DF} }

func mean(x []float64) float64 { return floats.Sum(x) / float64(len(x)) }

func logarithms(x []float64) []float64 {
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.Log(v)
	}
	return logs
}

// pulledIn moves values more than three standard deviations from the median to that distance,
// and counts the values inside. The deviation is estimated from their median absolute
// deviation, so a few outliers do not inflate it.
func pulledIn(x []float64) (pulled []float64, inside int) {
	center := Median(x)
	distances := make([]float64, len(x))
	for i, v := range x {
		distances[i] = math.Abs(v - center)
	}
	const toDeviation = 1.4826 // of a normal distribution
	reach := 3 * toDeviation * Median(distances)
	if reach == 0 {
		return x, len(x) // more than half of them are the same
	}
	for i, v := range x {
		x[i] = max(center-reach, min(center+reach, v))
		if x[i] == v {
			inside++
		}
	}
	return x, inside
}

// commonSlope is the slope for each sample of parallel lines through two series, and
// the sum of the squared distances of their times from the middle.
func commonSlope(a, b []float64) (slope, spread float64) {
	for _, x := range [][]float64{a, b} {
		middle := float64(len(x)-1) / 2
		for i, v := range x {
			t := float64(i) - middle
			slope += float64(t * v)
			spread += float64(t * t)
		}
	}
	return slope / spread, spread
}

// residuals are the deviations of a series from the line of a slope through the mean.
func residuals(x []float64, slope float64) []float64 {
	center, middle := mean(x), float64(len(x)-1)/2
	rest := make([]float64, len(x))
	for i, v := range x {
		rest[i] = v - center - float64(slope*(float64(i)-middle))
	}
	return rest
}

func sumOfSquares(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += float64(v * v)
	}
	return sum
}

// minNeighbours is the number of samples in both series together from which the correlation of
// neighbours is estimated. With fewer, the estimate is mostly noise, and widening the error by
// it costs more power than it saves false alarms.
const minNeighbours = 40

// neighbours estimates the correlation of residuals with the next ones of the same series.
// Residuals of a fitted line are less correlated than the noise, by (2+4r)/n (Marriott and
// Pope, "Bias in the estimation of autocorrelations", Biometrika 41, 1954); the estimate is
// corrected for that.
func neighbours(series ...[]float64) float64 {
	products, squares, n := 0.0, 0.0, 0
	for _, x := range series {
		for i := 1; i < len(x); i++ {
			products += float64(x[i] * x[i-1])
		}
		squares += sumOfSquares(x)
		n += len(x)
	}
	if n < minNeighbours || squares == 0 {
		return 0
	}
	perSeries := float64(n) / float64(len(series))
	return (products/squares*perSeries + 2) / (perSeries - 4)
}
