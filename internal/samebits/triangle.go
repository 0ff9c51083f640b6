package samebits

import (
	"math"
	"slices"
)

// Triangle is the lower triangle of a square matrix, row by row: the entry in row i and column
// j <= i has index i*(i+1)/2+j. It represents a symmetric matrix or one that is 0 above the
// diagonal, as documented at its use.
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

// AddSquare adds to the symmetric matrix t the products of all pairs of a sparse list of
// numbers.
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
