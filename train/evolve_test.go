package train

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play"
)

// smallEvolution is one that is over soon.
func smallEvolution(t testing.TB, change func(*EvolveConfig)) *evolveLearner {
	c := EvolveConfig{BrainConfig: BrainConfig{Seed: 5, Pieces: 3, Parallel: 2}, Pairs: 12, Games: 256}
	if change != nil {
		change(&c)
	}
	return learnerOf[*evolveLearner](t, &c)
}

// result lets a learner take steps and write its result.
func result(t *testing.T, l Learner, n int) {
	t.Helper()
	steps(t, l, n)
	written(t, l)
}

// measure returns the scores of a learner against its rivals, some of them with scores before.
func measure(t testing.TB, l Learner, before []Score) []Score {
	t.Helper()
	scores, _, err := l.Measure(t.Context(), before)
	testkit.NoError(t, err)
	return scores
}

func TestEvolutionLearns(t *testing.T) {
	testkit.SkipIf(t, testing.Short(), "takes 80 generations")
	e := smallEvolution(t, nil)
	before := measure(t, e, nil)
	result(t, e, 80) // all dimensions open, and a contest is held
	after := measure(t, e, nil)
	testkit.Equal(t, e.metric.dimension, e.space.dimension(), "open dimensions")
	_, high := before[0].Interval()
	low, _ := after[0].Interval()
	testkit.Equal(t, low >= high+0.1, true, "10 points more, beyond doubt: from %v to %v", before[0], after[0])
}

// TestEvolutionStart begins with a brain and wants to see it play before anything
// was learned.
func TestEvolutionStart(t *testing.T) {
	e := smallEvolution(t, func(c *EvolveConfig) { c.Start = ur.ClassicBrain(); c.Pieces = 7 })
	testkit.Near(t, measure(t, e, nil)[0].Rate(), 0.5, 0.02, "the brain's rate before the first generation")
	testkit.Must(e.Step(t.Context()))(t)
	start := e.brainAt(e.space.pointOf(ur.ClassicBrain()))
	wins, _, err := e.config.playMatch(t.Context(), duel{start, ur.ClassicBrain(), 1}, 5000, nil)
	testkit.NoError(t, err)
	testkit.Near(t, wins.Score(), 0.5, 0.02, "the score against itself of the brain to start with")
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
		testkit.MustEqual(t, testkit.Must(e.Step(t.Context()))(t), 12*256, "a step")
	}
	testkit.Equal(t, e.metric.changeLength(e.state.Point), 0, "moved by")
	score := measure(t, e, nil)[0]
	testkit.Equal(t, []any{score.Wins, score.Beaten}, []any{int64(0), false}, "a match without end: wins, beaten")
}

// TestEvolutionOfOnePiece has nothing to decide, and so nothing to learn.
func TestEvolutionOfOnePiece(t *testing.T) {
	e := smallEvolution(t, func(c *EvolveConfig) { c.Pieces, c.Pairs, c.Games = 1, 2, 16 })
	result(t, e, linearGenerations+1)
	testkit.Equal(t, e.metric.changeLength(e.state.Point), 0, "choices were learned that there are not: length")
}

// A test decides between brains of known strength.
func TestMatchOfBrainsIsDecided(t *testing.T) {
	c := BrainConfig{Engine: engine.Fastest(), Pieces: 7}
	test := rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	zero, classic := new(ur.Brain), ur.ClassicBrain()
	for d, want := range map[duel]rating.TestDecision{{classic, zero, 3}: rating.AcceptedH1, {zero, classic, 3}: rating.AcceptedH0} {
		pairs, decision, err := c.playMatch(t.Context(), d, 50_000, &test)
		testkit.Equal(t, []any{decision, pairs.N(), err}, []any{want, int64(4096), nil}, "decision after pairs")
	}
}

// Pairs are counted as a match does.
func TestBrainsCountPairs(t *testing.T) {
	c := BrainConfig{Engine: engine.Fastest(), Pieces: 3, Parallel: 2}
	first, second := ur.ClassicBrain(), ur.DefaultBrain()
	pairs, _, err := c.playMatch(t.Context(), duel{first, second, 5}, 3000, nil)
	testkit.NoError(t, err)
	want := testkit.Must(play.Match(t.Context(), play.MatchConfig{
		Players: []play.Player{play.Brain{Spec: "a", Weights: first}.Player(),
			play.Brain{Spec: "b", Weights: second}.Player()},
		Games: 6000, Seed: 5, Pieces: 3,
	}))(t)
	testkit.Equal(t, pairs, want.Pairs, "pairs")
	testkit.Equal(t, pairs.Wins(), want.Wins[0], "wins")
}

// randomPositions returns positions of random games.
func randomPositions(pieces, n int) []board.Position {
	random := rand.New(rand.NewPCG(1, uint64(pieces)))
	var positions []board.Position
	for p := board.StartPosition(pieces); len(positions) < n; {
		futures := board.Finkel().Futures(nil, p, random.IntN(5))
		if len(futures) == 0 {
			p = board.StartPosition(pieces)
			continue
		}
		p = futures[random.IntN(len(futures))]
		positions = append(positions, p)
	}
	return positions
}

// TestSpaceIsAntisymmetric compares positions with their mirror images, by the
// brain and by the features, which must agree but for a constant.
func TestSpaceIsAntisymmetric(t *testing.T) {
	for _, pieces := range []int{1, 4, 7} {
		s := newSpace(pieces)
		random := rand.New(rand.NewPCG(2, 3))
		point := make([]float64, s.dimension())
		for k := range point {
			point[k] = float64(pieces * (random.IntN(200) - 100)) // whole weights at home too
		}
		b := s.brainAt(point, 1)
		features := make([]float64, s.dimension())
		var sum float64
		for n, p := range randomPositions(pieces, 500) {
			s.writeFeatures(p, features)
			value := 0.0
			for k, f := range features {
				value += f * point[k]
			}
			testkit.Near(t, value, float64(b.Value(p)), 1e-6, "%v: value by features", p.Numbers())
			both := float64(b.Value(p) + b.Value(p.Mirror()))
			if n == 0 {
				sum = both
			}
			testkit.MustEqual(t, both, sum, "%d pieces, %v: value and mirrored value sum", pieces, p.Numbers())
		}
	}
}

// TestSpacePoint takes a brain of both kinds apart and puts it together again: what
// a move changes must stay.
func TestSpacePoint(t *testing.T) {
	for _, pieces := range []int{3, 7} {
		s := newSpace(pieces)
		classic := ur.ClassicBrain() // antisymmetric
		again := s.brainAt(s.pointOf(classic), float64(pieces))
		var base int32
		for n, p := range randomPositions(pieces, 1000) {
			difference := again.Value(p) - int32(pieces)*classic.Value(p)
			if n == 0 {
				base = difference
			}
			testkit.MustEqual(t, difference, base, "%d pieces, %v: differs by", pieces, p.Numbers())
		}
	}
}

// TestSpacePointOfAnyBrain wants a point of the space to be found again, also when
// something that prefers a player is added to it.
func TestSpacePointOfAnyBrain(t *testing.T) {
	s := newSpace(7)
	random := rand.New(rand.NewPCG(4, 5))
	want := make([]float64, s.dimension())
	testkit.Fill(want, func() float64 { return float64(7 * (random.IntN(200) - 100)) })
	b := s.brainAt(want, 1)
	for i := 1; i <= board.Finish; i++ { // liked in both players' pieces
		b[ur.WeightIndex(i, i)] += 5
		b[ur.WeightIndex(16+i, 16+i)] += 5
	}
	for k, got := range s.pointOf(b) {
		testkit.Near(t, got, want[k], 1e-9, "coordinate %d", k)
	}
}
