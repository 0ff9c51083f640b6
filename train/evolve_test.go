package train

import (
	"bytes"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
)

// smallEvolution is one that is over soon.
func smallEvolution(t testing.TB, change func(*EvolveConfig)) *evolveLearner {
	c := EvolveConfig{BrainConfig: BrainConfig{Seed: 5, Pieces: 3, Parallel: 2}, Pairs: 12, Games: 256}
	if change != nil {
		change(&c)
	}
	e, err := learnerOf[*evolveLearner](t, &c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// result lets a learner take steps and returns what it then writes.
func result(t testing.TB, l Learner, steps int) string {
	t.Helper()
	for range steps {
		if _, err := l.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := (&Run{Learner: l}).WriteResult(&out, Provenance{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestEvolutionLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 80 generations")
	}
	e := smallEvolution(t, nil)
	before, _, err := e.Measure(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	result(t, e, 80) // all dimensions open, and a contest is held
	after, _, err := e.Measure(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.metric.dimension != e.space.dimension() {
		t.Errorf("only %d dimensions have opened", e.metric.dimension)
	}
	_, high := before[0].Interval()
	low, _ := after[0].Interval()
	if low < high+0.1 {
		t.Errorf("from %v to %v: want 10 points more, beyond doubt", before[0], after[0])
	}
}

// TestEvolutionDependsOnNothingElse wants the same bytes from every number of
// threads, engine, and after an interruption at any step; and others from another
// seed.
func TestEvolutionDependsOnNothingElse(t *testing.T) {
	if testing.Short() {
		t.Skip("evolves again and again")
	}
	const generations = 66
	small := func(c *EvolveConfig) { c.Pieces, c.Pairs, c.Games = 2, 4, 64 }
	want := result(t, smallEvolution(t, small), generations)
	same := map[string]func(*EvolveConfig){
		"one thread":     func(c *EvolveConfig) { small(c); c.Parallel = 1 },
		"five threads":   func(c *EvolveConfig) { small(c); c.Parallel = 5 },
		"a plain engine": func(c *EvolveConfig) { small(c); c.Engine, _ = engine.Lookup("bits/incremental") },
	}
	for name, change := range same {
		if got := result(t, smallEvolution(t, change), generations); got != want {
			t.Errorf("%s: another brain", name)
		}
	}
	if got := result(t, smallEvolution(t, func(c *EvolveConfig) { small(c); c.Seed = 6 }), generations); got == want {
		t.Error("another seed gives the same brain")
	}
	for _, steps := range []int{1, 65} { // about openings and contests
		e := smallEvolution(t, small)
		result(t, e, steps)
		state := stateOf(t, e)
		resumed := smallEvolution(t, small)
		if err := setState(resumed, []byte(state)); err != nil {
			t.Fatal(err)
		}
		if result(t, resumed, generations-steps) != want {
			t.Errorf("resumed after %d generations: another brain", steps)
		}
	}
}

// TestEvolutionStart begins with a brain and wants to see it play before anything
// was learned.
func TestEvolutionStart(t *testing.T) {
	e := smallEvolution(t, func(c *EvolveConfig) { c.Start = ur.ClassicBrain(); c.Pieces = 7 })
	if scores, _, err := e.Measure(t.Context(), nil); err != nil || math.Abs(scores[0].Rate()-0.5) > 0.02 {
		t.Errorf("before the first generation the brain scores %v, error %v", scores, err)
	}
	if _, err := e.Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := e.brain(e.space.point(ur.ClassicBrain()))
	wins, err := e.judge.match(t.Context(), start, ur.ClassicBrain(), 1, 0, 5000)
	if err != nil {
		t.Fatal(err)
	}
	if rate := wins.Score(); math.Abs(rate-0.5) > 0.02 {
		t.Errorf("the brain to start with wins %.3f against itself", rate)
	}
}

// TestEndlessGames gives games up before they can end. Nothing can be learned from
// them, and nothing may go wrong.
func TestEndlessGames(t *testing.T) {
	e := smallEvolution(t, func(c *EvolveConfig) { c.TurnLimit = 5 })
	for range 2 {
		if games, err := e.Step(t.Context()); err != nil || games != 12*256 {
			t.Fatalf("a step of %d games: %v", games, err)
		}
	}
	if e.state.Unfinished != 24 {
		t.Errorf("%d trials were void, want all 24", e.state.Unfinished)
	}
	if length := e.metric.length(e.state.Point); length != 0 {
		t.Errorf("moved by %g for nothing", length)
	}
	scores, _, err := e.Measure(t.Context(), nil)
	if err != nil || scores[0].Wins != 0 || scores[0].Beaten {
		t.Errorf("a match without end is scored %v, error %v", scores, err)
	}
}

// TestEvolutionOfOnePiece has nothing to decide, and so nothing to learn.
func TestEvolutionOfOnePiece(t *testing.T) {
	e := smallEvolution(t, func(c *EvolveConfig) { c.Pieces, c.Pairs, c.Games = 1, 2, 16 })
	result(t, e, linearGenerations+1)
	if length := e.metric.length(e.state.Point); length != 0 {
		t.Errorf("choices were learned that there are not: length %g", length)
	}
}

func TestEvolveConfigRefuses(t *testing.T) {
	for name, c := range map[string]EvolveConfig{
		"pieces":  {BrainConfig: BrainConfig{Pieces: 8}},
		"pairs":   {Pairs: -1},
		"odd":     {Games: 3},
		"limit":   {TurnLimit: -1},
		"spread":  {Spread: 2},
		"nan":     {Spread: math.NaN()},
		"threads": {BrainConfig: BrainConfig{Parallel: -1}},
	} {
		if _, err := learnerOf[*evolveLearner](t, &c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// FuzzEvolutionState wants any state to be refused or taken up.
func FuzzEvolutionState(f *testing.F) {
	e := smallEvolution(f, func(c *EvolveConfig) { c.Pairs, c.Games = 1, 2 })
	before := stateOf(f, e)
	f.Add([]byte(before))
	if _, err := e.Step(f.Context()); err != nil {
		f.Fatal(err)
	}
	after := stateOf(f, e)
	f.Add([]byte(after))
	f.Add([]byte(`{"metric_brain":[1]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if setState(e, text) == nil && e.Brain() == nil {
			t.Error("no brain")
		}
	})
}
