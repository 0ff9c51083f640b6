// Package samebits computes with floating-point numbers to the same bits on every machine.
//
// Addition, multiplication, division and [math.Sqrt] are rounded alike everywhere. Two things are not: a compiler may
// fuse a product and a sum into one operation, as Go does on arm64, s390x, and amd64 from GOAMD64=v3 on, unless the
// product is converted by float64(x*y); and the elementary functions of package math are assembly on some machines, and
// fused on others. Results of a seed, and printed results to be compared, use the functions here and such conversions.
// (An assignment does not prevent fusing: a product may be fused with the sum of a later statement, or of the caller.)
//
// The functions are short rather than fast. Their errors are a few units in the last place.
package samebits

import (
	"math"
	"slices"
)

// The logarithm of 2 in two parts: the upper has few digits, so its product with any exponent is exact.
const (
	ln2High = 0x1.62e42fee00000p-1
	ln2Low  = 0x1.a39ef35793c76p-33
)

// Exp returns e to the power of x. It is a power of 2 times the series of a remainder of at most half of ln 2.
func Exp(x float64) float64 {
	const lowest, highest = -746, 710 // beyond, the result is 0 or infinite
	switch {
	case math.IsNaN(x):
		return x
	case x < lowest:
		return 0
	case x > highest:
		return math.Inf(1)
	}
	exponent := math.Round(x / math.Ln2)
	r := x - float64(exponent*ln2High) - float64(exponent*ln2Low)
	const terms = 14 // 0.35^15/15! is below 2^-60
	sum := 1.0
	for n := terms; n > 0; n-- {
		sum = 1 + float64(sum*r)/float64(n)
	}
	return math.Ldexp(sum, int(exponent))
}

// Logistic returns 1 / (1 + exp(-x)), the probability to odds whose logarithm is x. Learners need
// it for every position: unlike [Exp] it multiplies with reciprocal factorials, and sums even and
// odd powers apart. Its error is below 1e-15.
func Logistic(x float64) float64 {
	const far = 700 // beyond, the result is 0 or 1 to 300 digits
	switch {
	case x < -far:
		return 0
	case x > far:
		return 1
	case math.IsNaN(x):
		return x
	}
	exponent := math.RoundToEven(float64(-x * (1 / math.Ln2)))
	r := -x - float64(exponent*ln2High) - float64(exponent*ln2Low)
	square := float64(r * r)
	even, odd := reciprocals[12], reciprocals[13]
	for n := 10; n >= 0; n -= 2 {
		even = reciprocals[n] + float64(even*square)
		odd = reciprocals[n+1] + float64(odd*square)
	}
	power := math.Float64frombits(uint64(int64(exponent)+1023) << 52)
	return 1 / (1 + float64((even+float64(odd*r))*power))
}

// reciprocals are those of the factorials of 0 to 13: 0.35^14/14! is below 2^-57.
var reciprocals = [14]float64{
	1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800,
	1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800,
}

// Log returns the natural logarithm of x: that of its exponent, and the series of the
// inverse hyperbolic tangent for its fraction.
func Log(x float64) float64 {
	switch {
	case math.IsNaN(x) || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction *= 2
		exponent--
	}
	s := (fraction - 1) / (fraction + 1) // 0.172 at most
	square := s * s
	const terms = 12 // 0.172^25/25 is below 2^-65
	sum := 0.0
	for n := terms; n > 0; n-- {
		sum = float64(sum*square) + 1/float64(2*n-1)
	}
	k := float64(exponent)
	return float64(k*ln2High) + (float64(k*ln2Low) + float64(2*s*sum))
}

// Log1p returns the natural logarithm of 1+x, exactly also for small x: a factor corrects the
// rounding of the sum (William Kahan).
func Log1p(x float64) float64 {
	sum := 1 + x
	switch {
	case sum == 1:
		return x
	case math.IsInf(sum, 1):
		return sum
	}
	return float64(Log(sum) * (x / (sum - 1)))
}

// Cos returns the cosine of x from -pi to pi, by its series.
func Cos(x float64) float64 {
	const terms = 16 // pi^34/34! is below 2^-70
	square := x * x
	sum := 1.0
	for n := terms; n > 0; n-- {
		sum = 1 - float64(sum*square)/float64((2*n-1)*(2*n))
	}
	return sum
}

// Power returns x to the power of n >= 0, by squaring.
func Power(x float64, n int) float64 {
	product := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			product = float64(product * x)
		}
		x = float64(x * x)
	}
	return product
}

// Normal returns the probability that a standard normal number is at most x: up to 2 deviations by
// the series x + x^3/3 + x^5/(3*5) + ... of the probability between 0 and x over the density at x,
// beyond by Laplace's continued fraction 1/(x+1/(x+2/(x+3/(x+...)))) of the probability above x over
// the density, which from x = 2 on converges within 200 levels.
func Normal(deviations float64) float64 {
	x := math.Abs(deviations)
	density := Exp(-float64(x*x)/2) / math.Sqrt(2*math.Pi)
	var above float64
	if x < 2 {
		term, sum := x, x
		for n := 3.0; term > 1e-17*sum; n += 2 {
			term = float64(term * (x * x / n))
			sum += term
		}
		above = 0.5 - float64(density*sum)
	} else {
		sum := x
		for n := 200.0; n > 0; n-- {
			sum = x + n/sum
		}
		above = float64(density * (1 / sum))
	}
	if deviations > 0 {
		return 1 - above
	}
	return above
}

// Triangle is the lower triangle of a square matrix, row by row: the entry in row i and column j <= i has index
// i*(i+1)/2+j. It represents a symmetric matrix or one that is 0 above the diagonal, as documented at its use.
type Triangle []float64

// NewTriangle returns the triangle of n rows, all 0.
func NewTriangle(n int) Triangle { return make(Triangle, n*(n+1)/2) }

// Row returns the part of row i up to the diagonal.
func (t Triangle) Row(i int) []float64 { return t[i*(i+1)/2:][:i+1] }

// Rows returns the number of rows.
func (t Triangle) Rows() int { return int(math.Sqrt(float64(2 * len(t)))) }

// Factor returns the L of Cholesky, 0 above the diagonal, with L times its transpose the
// symmetric matrix t; false when t is not positive definite.
func (t Triangle) Factor() (factor Triangle, positive bool) {
	n := t.Rows()
	factor = NewTriangle(n)
	for i := range n {
		row := factor.Row(i)
		for j := range i + 1 {
			other := factor.Row(j)
			rest := t.Row(i)[j] - dotProduct(row[:j], other[:j])
			if j < i {
				row[j] = rest / other[j]
				continue
			}
			if !(rest > 0) {
				return nil, false
			}
			row[i] = math.Sqrt(rest)
		}
	}
	return factor, true
}

// Solve returns the x with A x = b, for the matrix A whose [Triangle.Factor] is t.
func (t Triangle) Solve(b []float64) []float64 {
	x := make([]float64, len(b))
	for i := range x {
		row := t.Row(i)
		x[i] = (b[i] - dotProduct(row[:i], x[:i])) / row[i]
	}
	return t.SolveTransposed(x)
}

// SolveTransposed returns the x with U x = b, for the transpose U of t, 0 above the diagonal.
func (t Triangle) SolveTransposed(b []float64) []float64 {
	x := slices.Clone(b)
	for i := len(x) - 1; i >= 0; i-- {
		row := t.Row(i)
		x[i] /= row[i]
		for j := range i {
			x[j] -= float64(row[j] * x[i])
		}
	}
	return x
}

// Square returns x times the symmetric matrix t times x.
func (t Triangle) Square(x []float64) float64 {
	sum := 0.0
	for i, v := range x {
		row := t.Row(i)
		sum += float64(v * (float64(2*dotProduct(row[:i], x[:i])) + float64(row[i]*v)))
	}
	return sum
}

// AddSquare adds to the symmetric matrix t the products of all pairs of a sparse list of numbers.
func (t Triangle) AddSquare(x []float64) {
	some := make([]int, 0, len(x))
	for i, v := range x {
		if v == 0 {
			continue
		}
		some = append(some, i)
		row := t.Row(i)
		for _, j := range some {
			row[j] += float64(v * x[j])
		}
	}
}

// dotProduct returns the sum of the products of two equally long lists, in their order.
func dotProduct(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}
