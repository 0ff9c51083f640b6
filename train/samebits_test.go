package train

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// A seed names a result on every machine, whether or not the compiler fuses products and
// sums: the state of every way to learn, after some steps, has one hash.
func TestSameBits(t *testing.T) {
	solved := solvetest.Map(solvetest.Table(t, 2), func(x float64) float64 { // as a compact table does: the solution itself is fused
		return math.Round(x*(1<<16)) / (1 << 16)
	})
	plain := testkit.Must(engine.Lookup("bits/incremental"))(t)
	brain := BrainConfig{Seed: 3, Pieces: 2}
	for _, test := range []struct {
		config Config
		steps  int
		want   string
	}{
		{&TreeConfig{Seed: 3}, 8, "ba074a9c49a8898f"},
		{&FitConfig{Table: solved, Games: 3 * fitGames, BrainConfig: brain}, 3, "825535f09d7178a6"},
		{&FitConfig{Table: solved, Games: 2 * fitGames, Target: fitValue, BrainConfig: brain}, 2, "c0bfe00ae6dd8eb2"},
		{&TDConfig{Lambda: 0.7, Epsilon: 0.05, Lanes: 16, Plies: 2,
			NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8,5"}}, 4, "73e905f3b9ef9ddb"},
		{&TDConfig{Lambda: 0.7, Sequential: true, NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8"}}, 2,
			"2bb19389fc768632"},
		{&DistillConfig{Table: solved, Positions: 30_000, Order: 0.5,
			NetConfig: NetConfig{Seed: 3, Pieces: 2, Hidden: "8,5"}}, 50, "80afd3763edd47a9"},
		{&EvolveConfig{Pairs: 6, Games: 64, BrainConfig: brain}, linearGenerations + 3, "370e1378e9537154"},
		{&EvolveConfig{Pairs: 6, Games: 64, BrainConfig: BrainConfig{Seed: 3, Pieces: 2, Engine: plain}},
			linearGenerations + 3, "370e1378e9537154"},
	} {
		learner := testkit.Must(test.config.Learner(t.Context()))(t)
		for range test.steps {
			if _, err := learner.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		state := stateOf(t, learner)
		sum := sha256.Sum256([]byte(state))
		if got := hex.EncodeToString(sum[:8]); got != test.want {
			t.Errorf("%T has the state %s, want %s", learner, got, test.want)
		}
	}
}
