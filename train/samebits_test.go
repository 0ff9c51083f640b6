package train

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/solvetest"
)

// A seed names a result on every machine, whether or not the compiler fuses products and
// sums: the state of every way to learn, after some steps, has one hash.
func TestSameBits(t *testing.T) {
	solved := solvetest.Values(t, 2)
	for i, x := range solved { // as a compact table does: the solution itself is fused
		solved[i] = math.Round(x*(1<<16)) / (1 << 16)
	}
	brain := BrainConfig{Seed: 3, Pieces: 2}
	for _, test := range []struct {
		config Config
		steps  int
		want   string
	}{
		{&TreeConfig{Seed: 3}, 8, "ba074a9c49a8898f"},
		{&FitConfig{Table: solved, Games: 3 * fitGames, BrainConfig: brain}, 3, "30e0fd595b998643"},
		{&FitConfig{Table: solved, Games: 2 * fitGames, Target: FitValue, BrainConfig: brain}, 2, "c0df4ffadd2b0fe5"},
		{&EvolveConfig{Pairs: 6, Games: 64, BrainConfig: brain}, linearGenerations + 3, "bed5fcf6b10fa64e"},
	} {
		learner, err := test.config.Learner(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for range test.steps {
			if _, err := learner.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		state, err := learner.State()
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(state)
		if got := hex.EncodeToString(sum[:8]); got != test.want {
			t.Errorf("%s has the state %s, want %s", learner.Method(), got, test.want)
		}
	}
}
