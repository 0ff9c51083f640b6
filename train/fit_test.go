package train

import (
	"encoding/json"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func newTestFit(t testing.TB, c FitConfig) *fitLearner {
	t.Helper()
	c.Pieces = 3
	return testkit.Must(learnerOf[*fitLearner](t, &c))(t)
}

// finish takes all steps of a fit.
func finish(t testing.TB, f *fitLearner) *ur.Brain {
	t.Helper()
	finishSteps(t, f)
	return f.Brain()
}

func meanRegret(t *testing.T, table *solve.Table, b *ur.Brain) float64 {
	t.Helper()
	s, err := play.Regret(t.Context(), play.Brain{Spec: "fit", Weights: b}.Player(), table, nil,
		solve.RegretOptions{Pieces: 3, Decisions: 50_000, Seed: 99})
	if err != nil {
		t.Fatal(err)
	}
	return s.Mean
}

// A fit of the values plays better than the brain set by hand, and one of the order
// better still.
func TestFitLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes thousands of games")
	}
	table := solvetest.Table(t, 3)
	classic := meanRegret(t, table, ur.ClassicBrain())
	value := meanRegret(t, table, finish(t,
		newTestFit(t, FitConfig{BrainConfig: BrainConfig{Seed: 1}, Table: table, Games: 2048, Target: fitValue})))
	order := meanRegret(t, table, finish(t,
		newTestFit(t, FitConfig{BrainConfig: BrainConfig{Seed: 1}, Table: table, Games: 8192})))
	if !(order < 0.8*value && value < 0.8*classic) {
		t.Errorf("regret of classic %.4f, fitted by value %.4f, by order %.4f", classic, value, order)
	}
}

func TestFitRefusesStates(t *testing.T) {
	f := newTestFit(t, FitConfig{Table: solvetest.Table(t, 3), Games: 1000})
	before := stateOf(t, f)
	for _, text := range []string{``, `{}`, `{"games":-1}`, `{"games":2000}`, `{"point":[1,2]}`, `[]`} {
		if err := setState(f, json.RawMessage(text)); err == nil {
			t.Errorf("state %q is accepted", text)
		}
	}
	if after := stateOf(t, f); after != before {
		t.Errorf("a refused state changes the fit")
	}
}

// Real weights give the values that the brain of the same weights gives.
func TestAlternativeValue(t *testing.T) {
	brain := ur.ClassicBrain()
	weights := make([]float64, ur.Weights)
	for i, w := range brain {
		weights[i] = float64(w)
	}
	var d decisions
	three := testkit.Must(board.Finkel().WithPieces(3))(t)
	d.playGame(solvetest.Table(t, 3), three, 1, 1)
	p := board.StartPosition(3)
	var a alternative
	a.setNumbers(p)
	if got, want := a.value(weights), float64(brain.Value(p)); got != want {
		t.Errorf("value of the start is %v, want %v", got, want)
	}
	gradient := make([]float64, ur.Weights)
	for i := range d.alternatives {
		a := &d.alternatives[i]
		clear(gradient)
		a.addGradient(gradient, 1)
		dot := 0.0
		for k, g := range gradient {
			dot += g * weights[k]
		}
		if value := a.value(weights); dot != value {
			t.Fatalf("alternative %d: the gradient times the weights is %v, the value %v", i, dot, value)
		}
	}
}
