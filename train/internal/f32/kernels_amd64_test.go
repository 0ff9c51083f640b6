//go:build !purego

package f32

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestKernelsAndGates(t *testing.T) {
	testkit.CheckKernels(t, All(), map[string]string{
		"avx2":   `f32\..*AVX2`,
		"avx512": `f32\..*(AVX2|AVX512)`,
	}, ".")
}

// Kernels must keep to the numbers they are given, on whichever side of them a page lies
// that cannot be touched.
func TestKernelsStopAtGuardPages(t *testing.T) {
	tiers(t, 1, func(t *testing.T, k *Kernels, rng *rand.Rand) {
		for _, atEnd := range []bool{false, true} {
			list := func(n int) []float32 {
				guarded := testkit.GuardedSlice[float32](t, n, atEnd)
				copy(guarded, numbers(rng, n))
				return guarded
			}
			for range 20 {
				n, width, depth := 1+rng.IntN(9), Width*(1+rng.IntN(5)), 1+rng.IntN(9)
				k.Multiply(Rows(list(n*width), width), Rows(list(n*depth), depth), Rows(list(depth*width), width), n,
					width, depth)
				sets := testkit.GuardedSlice[uint64](t, n, atEnd)
				testkit.Fill(sets, func() uint64 { return rng.Uint64() >> 56 })
				k.SumSets(list(n*width), list(width), list(8*width), sets)
				k.AddToSets(list(8*width), list(n*width), sets, width)
				k.Clip(list(width))
				k.ClipBack(list(width), list(width))
				k.Dots(list(n), list(n*width), list(width))
				k.AddScaled(list(width), list(width), 0.5)
				k.Follow(list(width), list(width), 0.5, 0.9)
				k.Adam(list(width), list(width), list(width), list(width), 1, 0.01)
			}
		}
	})
}
