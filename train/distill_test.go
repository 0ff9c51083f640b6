package train

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// tinyDistill is a learner of a small game that is quick to test.
func tinyDistill(t testing.TB, c DistillConfig) *distillLearner {
	t.Helper()
	solution := solvetest.Table(t, 2)
	c.Seed, c.Pieces, c.Table = 5, 2, solution
	c.Positions, c.Hidden = cmp.Or(c.Positions, 50_000), cmp.Or(c.Hidden, "16")
	return testkit.Must(learnerOf[*distillLearner](t, &c))(t)
}

// TestDistillLearns holds that the regret falls to less than that of any simple player.
func TestDistillLearns(t *testing.T) {
	d := tinyDistill(t, DistillConfig{Positions: 150_000})
	finishSteps(t, d)
	q := testkit.Must(valuenet.Quantise(d.net()))(t)
	stats, err := play.Regret(t.Context(), play.Net{Spec: "net", Value: q}.Player(), d.config.Table, nil,
		solve.RegretOptions{Pieces: 2, Decisions: 20_000, Seed: 9})
	if err != nil {
		t.Fatal(err)
	}
	if stats.Mean > 0.25 {
		t.Errorf("the regret is %.3f points, of greedy it is above 1", stats.Mean)
	}
}

// TestSlopesOfOrder compares with differences of the expected regret.
func TestSlopesOfOrder(t *testing.T) {
	n := testkit.Must(valuenet.NewNet(valuenet.Shape{Hidden: []int{16}}))(t)
	m := testkit.Must(gradient.NewModel(n))(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		b := gradient.NewBatch(m, board.FinkelMoves)
		g := distillGroup{n: 2 + rng.IntN(5)}
		for i := range g.n {
			b.Add(board.StartPosition(7))
			g.again[i], g.regret[i] = rng.IntN(2) == 0, rng.Float64()
		}
		b.Forward()
		logits := make([]float64, g.n)
		for i := range logits {
			logits[i] = rng.NormFloat64() / 10
			b.Logits[i], b.Slopes[i] = float32(logits[i]), 0
		}
		const sharpness, weight = 7, 0.5
		expected := func() float64 {
			sum, regret := 0.0, 0.0
			for i, x := range logits {
				if !g.again[i] {
					x = -x
				}
				chance := math.Exp(sharpness * x)
				sum += chance
				regret += chance * g.regret[i]
			}
			return weight * regret / sum
		}
		g.addSlopes(b, sharpness, weight)
		for i := range logits {
			const step = 1e-6
			kept := logits[i]
			logits[i] = kept + step
			up := expected()
			logits[i] = kept - step
			want := (up - expected()) / (2 * step)
			logits[i] = kept
			if got := float64(b.Slopes[i]); math.Abs(got-want) > 1e-4 {
				t.Fatalf("slope %d is %v, differences say %v", i, got, want)
			}
		}
	}
}

func TestDistillRefusesStates(t *testing.T) {
	d := tinyDistill(t, DistillConfig{})
	state := stateOf(t, d)
	for name, change := range map[string]func(*distillState){
		"no numbers": func(s *distillState) { s.Params = nil },
		"no Adam":    func(s *distillState) { s.Adam = nil },
		"no games":   func(s *distillState) { s.Shards[3].Games = nil },
		"a bad game": func(s *distillState) { s.Shards[3].Games[0].State = "x" },
		"a bad turn": func(s *distillState) { s.Shards[0].At = -1 },
	} {
		var s distillState
		testkit.NoError(t, json.Unmarshal([]byte(state), &s))
		change(&s)
		text := testkit.Must(json.Marshal(s))(t)
		if err := setState(d, text); err == nil {
			t.Errorf("a state with %s is taken", name)
		}
	}
	if err := setState(d, []byte(state)); err != nil {
		t.Errorf("a good state is refused: %v", err)
	}
}
