package samebits

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomMatrix returns a random matrix and the lower triangle of it times its transpose,
// which is positive definite.
func randomMatrix(rng *rand.Rand, n int) Triangle {
	rows := make([][]float64, n)
	for i := range rows {
		for range n + 3 {
			rows[i] = append(rows[i], rng.NormFloat64())
		}
	}
	t := NewTriangle(n)
	for i := range n {
		for j := range i + 1 {
			t.Row(i)[j] = dotProduct(rows[i], rows[j])
		}
	}
	return t
}

func TestTriangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 40 {
		matrix := randomMatrix(rng, n)
		if matrix.Rows() != n {
			t.Fatalf("%d rows, want %d", matrix.Rows(), n)
		}
		factor, ok := matrix.Factor()
		if !ok {
			t.Fatalf("no factor of %d rows", n)
		}
		want, b := make([]float64, n), make([]float64, n)
		for i := range want {
			want[i] = rng.NormFloat64()
		}
		for i := range n {
			for j := range n {
				b[i] += matrix.Row(max(i, j))[min(i, j)] * want[j]
			}
		}
		square := 0.0
		for i, x := range want {
			square += x * b[i]
		}
		if got := matrix.Square(want); math.Abs(got-square) > 1e-9*math.Abs(square) {
			t.Fatalf("%d rows: the square of a list is %g, want %g", n, got, square)
		}
		sum := NewTriangle(n)
		sum.AddSquare(want)
		product := 0.0
		for _, x := range want {
			product += x * x
		}
		if got := sum.Square(want); math.Abs(got-product*product) > 1e-9*product*product {
			t.Fatalf("%d rows: the square by its own products is %g, want %g", n, got, product*product)
		}
		for i, x := range factor.Solve(b) {
			if math.Abs(x-want[i]) > 1e-6 {
				t.Fatalf("%d rows: number %d is %g, want %g", n, i, x, want[i])
			}
		}
	}
	for _, bad := range []Triangle{{0}, {-1}, {1, 2, 1}, {math.NaN()}} {
		if _, ok := bad.Factor(); ok {
			t.Errorf("%v has a factor", bad)
		}
	}
	for _, n := range []int{242, 561, 4096} {
		if got := NewTriangle(n).Rows(); got != n {
			t.Errorf("%d rows are counted as %d", n, got)
		}
	}
}
