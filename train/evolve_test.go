package train

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/rating"
)

// smallEvolution is one that is over soon.
func smallEvolution(t testing.TB, change func(*EvolveConfig)) *evolveLearner {
	c := EvolveConfig{BrainConfig: BrainConfig{Seed: 5, Pieces: 3, Parallel: 2}, Pairs: 12, Games: 256}
	if change != nil {
		change(&c)
	}
	return testkit.Must(learnerOf[*evolveLearner](t, &c))(t)
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
	testkit.NoError(t, (&Run{Learner: l}).WriteResult(&out, Provenance{}))
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
	start := e.brainAt(e.space.pointOf(ur.ClassicBrain()))
	wins := testkit.Must(e.config.playMatch(t.Context(), start, ur.ClassicBrain(), 1, 0, 5000))(t)
	if rate := wins.Score(); math.Abs(rate-0.5) > 0.02 {
		t.Errorf("the brain to start with wins %.3f against itself", rate)
	}
}

// impatient is a backend that gives games up before they can end.
type impatient struct{}

func (impatient) Runner(ctx context.Context, c play.MatchConfig) (match.SpanRunner[play.Score], error) {
	c.TurnLimit = 5
	return play.NewRunner(ctx, c)
}

// TestEndlessGames gives games up before they can end. Nothing can be learned from
// them, and nothing may go wrong.
func TestEndlessGames(t *testing.T) {
	e := smallEvolution(t, func(c *EvolveConfig) { c.Backend = impatient{} })
	for range 2 {
		if games, err := e.Step(t.Context()); err != nil || games != 12*256 {
			t.Fatalf("a step of %d games: %v", games, err)
		}
	}
	if length := e.metric.changeLength(e.state.Point); length != 0 {
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
	if length := e.metric.changeLength(e.state.Point); length != 0 {
		t.Errorf("choices were learned that there are not: length %g", length)
	}
}

// TestIsBetter decides between brains of known strength.
func TestIsBetter(t *testing.T) {
	c := BrainConfig{Engine: engine.Fastest(), Pieces: 7}
	test := rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	zero, classic := new(ur.Brain), ur.ClassicBrain()
	for _, meeting := range []struct {
		first, second *ur.Brain
		want          bool
	}{{classic, zero, true}, {zero, classic, false}} {
		got, err := c.isBetter(t.Context(), test, 50_000, meeting.first, meeting.second, 3)
		if err != nil || got != meeting.want {
			t.Errorf("better: %t, want %t, error %v", got, meeting.want, err)
		}
	}
}

// Pairs are counted as a match does.
func TestBrainsCountPairs(t *testing.T) {
	c := BrainConfig{Engine: engine.Fastest(), Pieces: 3, Parallel: 2}
	first, second := ur.ClassicBrain(), ur.DefaultBrain()
	pairs := testkit.Must(c.playMatch(t.Context(), first, second, 5, 0, 3000))(t)
	want, err := play.Match(t.Context(), play.MatchConfig{
		Players: []play.Player{play.Brain{Spec: "a", Weights: first}.Player(),
			play.Brain{Spec: "b", Weights: second}.Player()},
		Games: 6000, Seed: 5, Pieces: 3,
	})
	if err != nil || pairs != want.Pairs || pairs.Wins() != want.Wins[0] {
		t.Errorf("pairs %v and %d wins, of a match %v and %d, %v", pairs, pairs.Wins(), want.Pairs, want.Wins[0], err)
	}
}
