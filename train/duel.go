package train

import (
	"context"
	"errors"
	"math"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
)

// judge plays brains against each other.
type judge struct {
	engine    ur.Engine
	pieces    int
	turnLimit int // when a game is given up
	parallel  int
}

// duel plays pairs of games between two brains on shared dice, first with the one as
// Light and then with the other, and returns the wins of the first. It reports
// false, and wins that mean nothing, when a game did not end: an evolution may come
// across brains that never let it.
func (j judge) duel(first, second *ur.Brain, pairs ur.Series) (wins int64, ended bool, err error) {
	brains := [2]*ur.Brain{first, second}
	for light := range brains {
		game, err := j.engine.New(ur.Setup{Light: brains[light], Dark: brains[1-light], Pieces: j.pieces, TurnLimit: j.turnLimit})
		if err != nil {
			return 0, false, err
		}
		tally, err := game.Games(nil, pairs)
		var limit *ur.TurnLimitError
		switch {
		case errors.As(err, &limit):
			return 0, false, nil
		case err != nil:
			return 0, false, err
		}
		wins += tally.Wins[light] // 0 is Light
	}
	return wins, true, nil
}

// judgeChunk is how many pairs of games a goroutine plays at a time.
const judgeChunk = 1024

// match plays pairs of games on the dice of a seed, from a pair on, and returns the
// wins of the first brain. Where a game does not end, it has lost all of the chunk.
func (j judge) match(ctx context.Context, first, second *ur.Brain, seed uint64, from, pairs int) (wins int64, err error) {
	chunks := (pairs + judgeChunk - 1) / judgeChunk
	won := make([]int64, chunks)
	err = each(ctx, j.parallel, chunks, func(i int) error {
		at := i * judgeChunk
		series := ur.Series{Seed: seed, First: uint64(from + at), N: min(judgeChunk, pairs-at)}
		chunk, ended, err := j.duel(first, second, series)
		if ended {
			won[i] = chunk
		}
		return err
	})
	for _, w := range won {
		wins += w
	}
	return wins, err
}

// Strength is measured by so many pairs of games, and a rival is beaten when this
// test says so. The test is made at every measurement until the rival is beaten,
// so that it may err in one of a hundred cases only.
const measurePairs = 10_000

var beatenTest = sequentialTest{elo0: 0, elo1: 5, errors: 0.01, most: 200_000}

// measure returns the score of a brain against a rival. Number tells measurements of
// one run apart, and before are the scores of the one before.
func (j judge) measure(ctx context.Context, brain *ur.Brain, rival play.Brain, seed, number uint64, before []Score) (Score, error) {
	wins, err := j.match(ctx, brain, rival.Weights, seedFor(seed, seedOfMeasure, number), 0, measurePairs)
	if err != nil {
		return Score{}, err
	}
	score := Score{Rival: rival.Spec, Games: 2 * measurePairs, Wins: wins}
	score.Beaten = len(before) > 0 && before[0].Beaten
	if !score.Beaten && score.Rate() > 0.5 {
		v, _, err := j.test(ctx, beatenTest, brain, rival.Weights, seedFor(seed, seedOfBeaten, number))
		if err != nil {
			return Score{}, err
		}
		score.Beaten = v == accepted
	}
	return score, nil
}

// verdict is what a sequential test has come to.
type verdict int

const (
	undecided verdict = iota
	accepted          // the first is better by elo1 rather than by elo0
	rejected
)

// sequentialTest is how a [judge] decides whether a brain is better than another by
// elo1 rather than by elo0, at the same probability of either error.
type sequentialTest struct {
	elo0, elo1 float64
	errors     float64
	most       int // pairs of games after which it gives up
}

// test plays until the question is decided or the test gives up.
func (j judge) test(ctx context.Context, t sequentialTest, first, second *ur.Brain, seed uint64) (verdict, int64, error) {
	const step = 4 * judgeChunk
	var wins int64
	for pairs := 0; pairs < t.most; {
		n := min(step, t.most-pairs)
		won, err := j.match(ctx, first, second, seed, pairs, n)
		if err != nil {
			return undecided, 0, err
		}
		wins += won
		pairs += n
		if v := t.decide(wins, int64(2*pairs)); v != undecided {
			return v, int64(2 * pairs), nil
		}
	}
	return undecided, int64(2 * t.most), nil
}

// decide returns the verdict after so many games.
func (t sequentialTest) decide(wins, games int64) verdict {
	bound := math.Log((1 - t.errors) / t.errors)
	switch ratio := t.logLikelihoodRatio(wins, games); {
	case ratio >= bound:
		return accepted
	case ratio <= -bound:
		return rejected
	}
	return undecided
}

// logLikelihoodRatio is that of the sequential probability ratio test (Wald,
// "Sequential tests of statistical hypotheses", 1945) in the normal approximation.
// It takes games for independent. Those of a pair are not: what the dice give to one
// in the first they give to the other in the second, which makes the sum vary less,
// and the test err less often than it may.
func (t sequentialTest) logLikelihoodRatio(wins, games int64) float64 {
	n := float64(games)
	rate := (float64(wins) + 0.5) / (n + 1)
	s0, s1 := expectedScore(t.elo0), expectedScore(t.elo1)
	return n * (s1 - s0) * (2*rate - s0 - s1) / (2 * rate * (1 - rate))
}

// expectedScore returns the share of games that somebody wins who is stronger by
// so many Elo.
func expectedScore(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// seedFor returns the seed of a purpose: independent of all others.
func seedFor(seed uint64, numbers ...uint64) uint64 {
	word := board.Mix(seed + board.Gamma)
	for _, n := range numbers {
		word = board.Mix(word ^ (n+1)*board.MixFactor1)
	}
	return word
}
