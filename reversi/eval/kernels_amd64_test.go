//go:build !purego

package eval

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// updates is the one implementation that calls kernels.
type updates struct{}

func (updates) Name() string         { return "patterns/avx2" }
func (updates) Needs() []cpu.Feature { return needs }

func TestKernelsAndGates(t *testing.T) {
	testkit.CheckKernels(t, []updates{{}}, map[string]string{"patterns/avx2": `eval\.(play(First|Second)AVX2|sumWeights)`}, ".")
}

// The kernels may read and write only the features they are given.
func TestKernelsStopAtGuardPages(t *testing.T) {
	for _, atEnd := range []bool{false, true} {
		from, to := testkit.Guarded[Features](t, atEnd), testkit.Guarded[Features](t, atEnd)
		walk(20, func(b board.Board, s board.Square, flips uint64) {
			if s == board.Pass {
				return
			}
			*from = FeaturesOf(b)
			for side := range 2 {
				var want Features
				from.Play(to, side, s, flips)
				from.playPlain(&want, side, s, flips)
				testkit.FatalIf(t, *to != want, "side %d, square %v of %+v: features differ", side, s, b)
			}
		})
	}
}

// The kernel adds up the weights that plain Go does, with any index in each lane.
func TestSumKernelEqualsPlain(t *testing.T) {
	random := rand.New(rand.NewPCG(48, 11))
	weights := new(table)
	testkit.Fill(weights[:], func() int8 { return int8(random.Uint32()) })
	f := testkit.Guarded[Features](t, true)
	for range 1000 {
		testkit.Fill(f[:], random.Uint64)
		testkit.MustEqual(t, sumOf(weights, f), sum(weights, f), "sum")
	}
}
