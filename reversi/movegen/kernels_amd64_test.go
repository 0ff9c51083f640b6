//go:build !purego

package movegen

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func TestKernelsAndGates(t *testing.T) {
	testkit.CheckKernels(t, All(), map[string]string{
		"lanes/avx2":   `movegen\.expandAVX2`,
		"lanes/avx512": `movegen\.expandAVX512`,
	}, ".")
}

// No generator may write beyond the children it is given.
func TestGeneratorsStopAtGuardPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	for _, atEnd := range []bool{false, true} {
		c := testkit.Guarded[Children](t, atEnd)
		for _, g := range Available() {
			for range 1000 {
				own, opp := rng.Uint64(), rng.Uint64()
				b := board.Board{Own: own &^ opp, Opp: opp &^ own}
				want := new(Children)
				All()[0].Expand(b, All()[0].Moves(b), want)
				g.Expand(b, All()[0].Moves(b), c)
				if n := want.N; c.N != n || !slices.Equal(c.Flips[:n], want.Flips[:n]) || !slices.Equal(c.Moves[:n], want.Moves[:n]) {
					t.Fatalf("%s: the children of %+v differ from the oracle's", g.Name(), b)
				}
			}
		}
	}
}
