//go:build !purego && (amd64 || (arm64 && go1.27))

package valuenet

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestKernelsAndGates(t *testing.T) {
	uses := map[string]string{"avx2": `valuenet\..*AVX2`, "avx512": `valuenet\..*AVX512`}
	if runtime.GOARCH == "arm64" {
		uses = map[string]string{"neon": `valuenet\..*NEON`}
	}
	testkit.CheckKernels(t, Engines(), uses, ".")
}

// Kernels must keep to the numbers they are given, of the sizes that their declarations
// name, and equal plain Go there.
func TestKernelsStopAtGuardPages(t *testing.T) {
	const inputs = 60
	engines(t, func(t *testing.T, e *Engine) {
		rng := rand.New(rand.NewPCG(2, 4))
		for _, atEnd := range []bool{false, true} {
			for _, units := range []int{32, 96} {
				width := uintptr(2 * units)
				list := func(n, limit int) []int16 {
					numbers := testkit.GuardedSlice[int16](t, n, atEnd)
					testkit.Fill(numbers, func() int16 { return int16(rng.IntN(limit)) })
					return numbers
				}
				for n := 1; n <= 5; n++ {
					table, bias := list(inputs*units, 50), list(units, 50)
					sets := testkit.GuardedSlice[uint64](t, n, atEnd)
					testkit.Fill(sets, func() uint64 { return rng.Uint64() >> (64 - inputs) })
					got, want := list(n*units, 1), make([]int16, n*units)
					e.sets(&got[0], &bias[0], &table[0], &sets[0], uintptr(n), width, 0)
					setsGo(&want[0], &bias[0], &table[0], &sets[0], uintptr(n), width, 0)
					testkit.Equal(t, got, want, "%d sets of %d units", n, units)
					values, wantValues := testkit.GuardedSlice[int32](t, n, atEnd), make([]int32, n)
					e.outputs(&values[0], &got[0], &bias[0], uintptr(n), width, 7)
					outputsGo(&wantValues[0], &got[0], &bias[0], uintptr(n), width, 7)
					testkit.Equal(t, values, wantValues, "%d outputs of %d units", n, units)
				}
				checkHidden(t, e, units, list, atEnd)
			}
		}
	})
}

// checkHidden calls the kernels of a second layer on rows that end at guard pages.
func checkHidden(t *testing.T, e *Engine, units int, list func(n, limit int) []int16, atEnd bool) {
	t.Helper()
	plain := incremental.hidden
	for i, rows := range []int{4, 2} {
		for _, blocks := range []int{1, 2} {
			hidden := blocks * columnUnits
			row, weights := list(rows*units, 100), list(units*hidden, 50)
			bias, last := testkit.GuardedSlice[int32](t, hidden, atEnd), testkit.GuardedSlice[int32](t, hidden, atEnd)
			for k := range bias {
				bias[k], last[k] = int32(k), int32(3*k-20)
			}
			room := testkit.GuardedSlice[uint32](t, units/2+16, atEnd)
			got, want := testkit.GuardedSlice[int32](t, rows, atEnd), make([]int32, rows)
			for k, kernel := range []hiddenKernel{e.hidden[i], plain[i]} {
				to := [][]int32{got, want}[k]
				kernel(&to[0], &row[0], &weights[0], &bias[0], &last[0], &room[0], 1, uintptr(2*units),
					uintptr(blocks), 3, 11)
			}
			testkit.Equal(t, got, want, "%d rows of %d units, %d blocks", rows, units, blocks)
		}
	}
}
