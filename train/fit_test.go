package train

import (
	"cmp"
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
	"github.com/seed-09dcdc84/ur/valuenet"
)

func newTestFit(t testing.TB, c FitConfig) *fitLearner {
	t.Helper()
	c.Pieces = c.Table.Pieces()
	return learnerOf[*fitLearner](t, &c)
}

func meanRegret(t *testing.T, table *solve.Table, b *ur.Brain) float64 {
	t.Helper()
	return testkit.Must(play.Regret(t.Context(), play.Brain{Spec: "fit", Weights: b}.Player(), table, nil,
		solve.DecisionOptions{Pieces: 3, Decisions: 50_000, Seed: 99}))(t).Mean
}

// A fit of the values plays better than the brain set by hand, and one of the order
// better still.
func TestFitLearns(t *testing.T) {
	testkit.NeedLong(t, "takes thousands of games")
	table := solvetest.Table(t, 3)
	classic := meanRegret(t, table, ur.ClassicBrain())
	fitted := func(c FitConfig) float64 {
		c.Seed, c.Table = 1, table
		f := newTestFit(t, c)
		finishSteps(t, f)
		return meanRegret(t, table, f.Brain())
	}
	value, order := fitted(FitConfig{Games: 2048, Target: fitValue}), fitted(FitConfig{Games: 8192})
	testkit.Equal(t, order < 0.8*value && value < 0.8*classic, true,
		"the regret falls from classic %.4f to fitted by value %.4f, and by order %.4f", classic, value, order)
}

func TestFitRefusesStates(t *testing.T) {
	f := newTestFit(t, FitConfig{Table: solvetest.Table(t, 2), Games: 1000})
	before := stateOf(t, f)
	for _, text := range []string{``, `{}`, `{"games":-1}`, `{"games":2000}`, `{"point":[1,2]}`, `[]`} {
		testkit.WantError(t, setState(f, json.RawMessage(text)), "", "state %q", text)
	}
	testkit.Equal(t, stateOf(t, f), before, "the fit after refused states")
}

// Real weights give the values that the brain of the same weights gives.
func TestBoardValue(t *testing.T) {
	brain := ur.ClassicBrain()
	weights := make([]float64, ur.Weights)
	for i, w := range brain {
		weights[i] = float64(w)
	}
	p := board.StartPosition(2)
	b := sparseOf(p)
	testkit.Equal(t, b.value(weights), float64(brain.Value(p)), "value of the start")
	f := newTestFit(t, FitConfig{Table: solvetest.Table(t, 2)})
	f.playGame(0, 1, 1)
	gradient := make([]float64, ur.Weights)
	for _, d := range f.parts[0] {
		for i := range d.n {
			b := sparseOf(d.after[i])
			clear(gradient)
			b.addGradient(gradient, 1)
			dot := 0.0
			for k, g := range gradient {
				dot += g * weights[k]
			}
			testkit.MustEqual(t, dot, b.value(weights), "the gradient behind move %d times the weights", i)
		}
	}
}

// tinyDistill is a learner of a small game that is quick to test.
func tinyDistill(t testing.TB, c DistillConfig) *distillLearner {
	t.Helper()
	c.Seed, c.Pieces, c.Table = 5, 2, solvetest.Table(t, 2)
	c.Positions, c.Hidden = cmp.Or(c.Positions, 50_000), cmp.Or(c.Hidden, "16")
	return learnerOf[*distillLearner](t, &c)
}

// TestDistillLearns holds that the regret falls to less than that of any simple player.
func TestDistillLearns(t *testing.T) {
	d := tinyDistill(t, DistillConfig{Positions: 150_000})
	finishSteps(t, d)
	q := testkit.Must(valuenet.Quantise(d.net()))(t)
	stats := testkit.Must(play.Regret(t.Context(), play.Net{Spec: "net", Value: q}.Player(), d.config.Table, nil,
		solve.DecisionOptions{Pieces: 2, Decisions: 20_000, Seed: 9}))(t)
	testkit.Near(t, stats.Mean, 0, 0.25, "the regret in points (of greedy it is above 1)")
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
			g.sign[i], g.regret[i] = float64(1-2*rng.IntN(2)), rng.Float64()
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
				chance := math.Exp(sharpness * x * g.sign[i])
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
			testkit.Near(t, float64(b.Slopes[i]), want, 1e-4, "slope %d, by differences", i)
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
		testkit.WantError(t, setState(d, testkit.Must(json.Marshal(s))(t)), "", "a state with %s is taken", name)
	}
	testkit.NoError(t, setState(d, []byte(state)))
}

// The regret of a learned brain is that of its fit, square values have one, and nets have none here.
func TestBrainRegret(t *testing.T) {
	f := learnerOf[*fitLearner](t, &FitConfig{Table: solvetest.Table(t, 2), Games: fitGames, BrainConfig: BrainConfig{Seed: 3, Pieces: 2}})
	steps(t, f, 1)
	measure(t, f, nil)
	got := testkit.Must(BrainRegret(t.Context(), f, 2, 3))(t)
	testkit.FatalIf(t, got == nil, "the brain has no regret")
	testkit.Near(t, *got, f.regret.Mean, 1e-3, "the regret of the brain")
	tree := learnerOf[*treeLearner](t, &TreeConfig{Seed: 3, Pieces: 2})
	got = testkit.Must(BrainRegret(t.Context(), tree, 2, 3))(t)
	testkit.ErrorIf(t, got == nil || *got < f.regret.Mean, "the regret of equal square values is %v", got)
	got = testkit.Must(BrainRegret(t.Context(), tinyTD(t, TDConfig{}), 2, 3))(t)
	testkit.ErrorIf(t, got != nil, "a net has the regret of a brain")
	got = testkit.Must(BrainRegret(t.Context(), tree, 1, 3))(t)
	testkit.ErrorIf(t, got != nil, "a single piece has a regret")
}
