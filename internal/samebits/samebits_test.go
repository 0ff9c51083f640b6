package samebits

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Each function against that of package math, on numbers of all sizes that are of use.
func TestAgainstMath(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tests := []struct {
		name      string
		got, want func(float64) float64
		draw      func() float64
		most      float64 // relative error
	}{
		{"exp", Exp, math.Exp, func() float64 { return 1400*rng.Float64() - 700 }, 1e-15},
		{"exp of little", Exp, math.Exp, func() float64 { return 2*rng.Float64() - 1 }, 5e-16},
		{"log", Log, math.Log, func() float64 { return math.Exp(1400*rng.Float64() - 700) }, 5e-16},
		{"log near 1", Log, math.Log, func() float64 { return 0.9 + 0.2*rng.Float64() }, 1e-15},
		{"log1p", Log1p, math.Log1p, func() float64 { return math.Exp(100*rng.Float64() - 50) }, 1e-15},
		{"log1p below 0", Log1p, math.Log1p, func() float64 { return -rng.Float64() }, 1e-15},
		{"normal", Normal, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 },
			func() float64 { return 12*rng.Float64() - 6 }, 2e-14},
		{"normal far out", Normal, func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 },
			func() float64 { return -30 * rng.Float64() }, 3e-13},
	}
	for _, test := range tests {
		for range 20_000 {
			x := test.draw()
			got, want := test.got(x), test.want(x)
			testkit.Near(t, got, want, test.most*math.Abs(want), "%s(%g)", test.name, x)
		}
	}
	for range 20_000 {
		x := math.Pi * (2*rng.Float64() - 1)
		testkit.Near(t, Cos(x), math.Cos(x), 2e-15, "cos(%g)", x)
		x, n := rng.Float64(), rng.IntN(1000)
		want := math.Pow(x, float64(n))
		testkit.Near(t, Power(x, n), want, 1e-13*want, "%g to the power of %d", x, n)
	}
}

func TestLogistic(t *testing.T) {
	for x := -750.0; x < 750; x += 0.37 {
		want := 1 / (1 + math.Exp(-x))
		testkit.Near(t, Logistic(x), want, 1e-15*max(want, 1e-3), "Logistic(%v)", x)
	}
	testkit.ErrorIf(t, !math.IsNaN(Logistic(math.NaN())), "Logistic(NaN) is a number")
}

func TestEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for name, pair := range map[string][2]float64{
		"exp of -inf": {Exp(-inf), 0}, "exp of inf": {Exp(inf), inf}, "exp of 0": {Exp(0), 1},
		"exp of nan": {Exp(nan), nan},
		"exp of 800": {Exp(800), inf}, "exp of -800": {Exp(-800), 0}, "exp of -745": {Exp(-745), 5e-324},
		"log of 0": {Log(0), -inf}, "log of 1": {Log(1), 0}, "log of inf": {Log(inf), inf}, "log of -1": {Log(-1), nan},
		"log1p of 0": {Log1p(0), 0}, "log1p of inf": {Log1p(inf), inf}, "log1p of -1": {Log1p(-1), -inf},
		"log1p of 1e-300": {Log1p(1e-300), 1e-300},
		"normal of 0":     {Normal(0), 0.5}, "normal of inf": {Normal(inf), 1}, "normal of -inf": {Normal(-inf), 0},
		"x to 0": {Power(0.3, 0), 1}, "cos of 0": {Cos(0), 1},
	} {
		got, want := pair[0], pair[1]
		testkit.ErrorIf(t, got != want && !(math.IsNaN(got) && math.IsNaN(want)), "%s is %g, want %g", name, got, want)
	}
}

// One number for the bits of very many results: it is the same on every machine and with
// every setting of the compiler, fused operations or not.
func TestSameBits(t *testing.T) {
	sum := fnv.New64a()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		x := rng.Float64()
		for _, y := range []float64{Exp(float64(1400*x) - 700), Log(1e9 * x), Log1p(x - 1),
			Cos(float64(6*x) - 3), Power(x, 1000), Normal(float64(20*x) - 10)} {
			fmt.Fprintf(sum, "%016x", math.Float64bits(y))
		}
	}
	testkit.Equal(t, sum.Sum64(), uint64(0xb16de51dea3bf3fa), "the bits")
}

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
		testkit.MustEqual(t, matrix.Rows(), n, "rows")
		factor, ok := matrix.Factor()
		testkit.FatalIf(t, !ok, "no factor of %d rows", n)
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
		testkit.Near(t, matrix.Square(want), square, 1e-9*math.Abs(square), "%d rows: square of a list", n)
		sum := NewTriangle(n)
		sum.AddSquare(want)
		product := 0.0
		for _, x := range want {
			product += x * x
		}
		product *= product
		testkit.Near(t, sum.Square(want), product, 1e-9*product, "%d rows: square by its own products", n)
		for i, x := range factor.Solve(b) {
			testkit.Near(t, x, want[i], 1e-6, "%d rows: number %d", n, i)
		}
	}
	for _, bad := range []Triangle{{0}, {-1}, {1, 2, 1}, {math.NaN()}} {
		_, ok := bad.Factor()
		testkit.ErrorIf(t, ok, "%v has a factor", bad)
	}
	for _, n := range []int{242, 561, 4096} {
		testkit.Equal(t, NewTriangle(n).Rows(), n, "%d rows", n)
	}
}
