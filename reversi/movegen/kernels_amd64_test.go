//go:build !purego

package movegen

import (
	"math/rand/v2"
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
		for range 1000 {
			own, opp := rng.Uint64(), rng.Uint64()
			testkit.NoError(t, compare(Available(), board.Board{Own: own &^ opp, Opp: opp &^ own}, c))
		}
	}
}
