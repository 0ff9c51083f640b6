package f32

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// tiers calls test a number of times for every tier in assembly that runs here, with random numbers.
func tiers(t *testing.T, trials int, test func(t *testing.T, k *Kernels, rng *rand.Rand)) {
	t.Helper()
	testkit.NoError(t, cpu.CheckRequired(All()))
	for _, k := range All()[1:] {
		t.Run(k.Name(), func(t *testing.T) {
			testkit.SkipOn(t, cpu.Available(k.Name(), k.Needs()))
			rng := rand.New(rand.NewPCG(1, 2))
			for range trials {
				test(t, k, rng)
			}
		})
	}
}

// numbers returns random numbers, some of them zero.
func numbers(rng *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		if rng.IntN(4) > 0 {
			list[i] = float32(rng.NormFloat64())
		}
	}
	return list
}

// same fails unless two lists have the same bits.
func same(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestMultiply(t *testing.T) {
	tiers(t, 60, func(t *testing.T, k *Kernels, rng *rand.Rand) {
		m, n, depth := 1+rng.IntN(20), Width*(1+rng.IntN(5)), 1+rng.IntN(40)
		a := Rows(numbers(rng, m*depth), depth)
		if rng.IntN(2) == 0 {
			a = Rows(a.Data, m).Transposed()
		}
		b, c := Rows(numbers(rng, depth*n), n), numbers(rng, m*n)
		want := slices.Clone(c)
		plain.Multiply(Rows(want, n), a, b, m, n, depth)
		k.Multiply(Rows(c, n), a, b, m, n, depth)
		same(t, fmt.Sprintf("%d x %d x %d", m, n, depth), c, want)
	})
}

func TestSets(t *testing.T) {
	tiers(t, 60, func(t *testing.T, k *Kernels, rng *rand.Rand) {
		n, width := rng.IntN(9), Width*(1+rng.IntN(11))
		sets := make([]uint64, n)
		testkit.Fill(sets, func() uint64 { return rng.Uint64() & rng.Uint64() >> 4 })
		table, bias := numbers(rng, 60*width), numbers(rng, width)
		got, want := make([]float32, n*width), make([]float32, n*width)
		plain.SumSets(want, bias, table, sets)
		k.SumSets(got, bias, table, sets)
		same(t, "sum of rows", got, want)
		other := slices.Clone(table)
		plain.AddToSets(table, want, sets, width)
		k.AddToSets(other, want, sets, width)
		same(t, "rows", other, table)
	})
}

func TestElements(t *testing.T) {
	tiers(t, 60, func(t *testing.T, k *Kernels, rng *rand.Rand) {
		n, width := rng.IntN(5), Width*(1+rng.IntN(9))
		x, d := numbers(rng, n*width), numbers(rng, n*width)
		y, e := slices.Clone(x), slices.Clone(d)
		plain.Clip(x)
		k.Clip(y)
		same(t, "clip", y, x)
		plain.ClipBack(d, x)
		k.ClipBack(e, x)
		same(t, "derivative of clip", e, d)
		weights := numbers(rng, width)
		got, want := make([]float32, n), make([]float32, n)
		plain.Dots(want, d, weights)
		k.Dots(got, d, weights)
		same(t, "dots", got, want)
		step := float32(rng.NormFloat64())
		plain.AddScaled(x, d, step)
		k.AddScaled(y, d, step)
		same(t, "scaled sum", y, x)
		plain.Follow(x, d, step, 0.7)
		k.Follow(y, e, step, 0.7)
		same(t, "weights", y, x)
		same(t, "traces", e, d)
	})
}

// TestAdam takes some steps on every tier.
func TestAdam(t *testing.T) {
	tiers(t, 20, func(t *testing.T, k *Kernels, rng *rand.Rand) {
		n := Width * rng.IntN(9)
		var want, got [3][]float32 // weights and the two means
		want[0], want[1], want[2] = numbers(rng, n), make([]float32, n), make([]float32, n)
		for i := range want {
			got[i] = slices.Clone(want[i])
		}
		for range 3 {
			gradient := numbers(rng, n)
			plain.Adam(want[0], gradient, want[1], want[2], 0.01, 0.3)
			k.Adam(got[0], gradient, got[1], got[2], 0.01, 0.3)
			for i := range want {
				same(t, fmt.Sprintf("list %d of Adam", i), got[i], want[i])
			}
		}
	})
}

// TestFused compares with exact arithmetic, above all where the sum is nearly halfway
// between two numbers.
func TestFused(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200_000 {
		x := math.Float32frombits(rng.Uint32()&0x807fffff | uint32(100+rng.IntN(54))<<23)
		y := math.Float32frombits(rng.Uint32()&0x80700fff | uint32(100+rng.IntN(54))<<23)
		z := math.Float32frombits(rng.Uint32()&0x807f000f | uint32(80+rng.IntN(90))<<23)
		sum := new(big.Float).SetPrec(500).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
		sum.SetPrec(500).Add(sum, big.NewFloat(float64(z)))
		want, _ := sum.Float32()
		if got := fusedMultiplyAdd(x, y, z); got != want {
			t.Fatalf("%v * %v + %v is %v, want %v", x, y, z, got, want)
		}
	}
}

func BenchmarkMultiply(b *testing.B) {
	for _, k := range All() {
		b.Run("eval="+k.Name(), func(b *testing.B) {
			testkit.SkipOn(b, cpu.Available(k.Name(), k.Needs()))
			const m, n, depth = 512, 32, 256
			rng := rand.New(rand.NewPCG(1, 2))
			x, y, z := numbers(rng, m*depth), numbers(rng, depth*n), make([]float32, m*n)
			for b.Loop() {
				k.Multiply(Rows(z, n), Rows(x, depth), Rows(y, n), m, n, depth)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(m*n*depth), "ns/product")
		})
	}
}
