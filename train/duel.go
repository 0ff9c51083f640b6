package train

import (
	"context"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/rating"
)

// judge plays brains against each other.
type judge struct {
	engine    ur.Engine
	pieces    int
	turnLimit int // when a game is given up
	parallel  int
	arena     Arena // nil when games are played here
}

// duel plays pairs of games between two brains, here or in the arena.
func (j judge) duel(ctx context.Context, first, second *ur.Brain, series ur.Series) (DuelResult, error) {
	d := Duel{First: first, Second: second, Series: series, Pieces: j.pieces, TurnLimit: j.turnLimit}
	if j.arena != nil {
		return j.arena.Duel(ctx, d)
	}
	return Fight(j.engine, d)
}

// judgeChunk is how many pairs of games a goroutine plays at a time.
const judgeChunk = 1024

// match plays pairs of games on the dice of a seed, from a pair on. Where a game does not
// end, the first brain has lost all of the chunk.
func (j judge) match(ctx context.Context, first, second *ur.Brain, seed uint64, from, n int) (pairs rating.Pairs, err error) {
	chunks := make([]rating.Pairs, (n+judgeChunk-1)/judgeChunk)
	err = each(ctx, j.parallel, len(chunks), func(i int) error {
		at := i * judgeChunk
		series := ur.Series{Seed: seed, First: uint64(from + at), N: min(judgeChunk, n-at)}
		duel, err := j.duel(ctx, first, second, series)
		chunks[i] = duel.Pairs
		if !duel.Ended {
			chunks[i] = rating.Pairs{0: int64(series.N)}
		}
		return err
	})
	for _, chunk := range chunks {
		pairs.Add(chunk)
	}
	return pairs, err
}

// The number of pairs of a strength measurement, and the test of beating a rival with its
// limit. Every measurement repeats the test until the rival is beaten, so its error rate is one
// in a hundred.
const (
	measurePairs = 10_000
	beatenPairs  = 200_000
)

var beatenTest = rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.01, Beta: 0.01}

// measure returns the score of a brain against a rival. Number distinguishes the measurements
// of a run, and before holds the previous scores.
func (j judge) measure(ctx context.Context, brain *ur.Brain, rival play.Brain, seed, number uint64, before []Score) (Score, error) {
	pairs, err := j.match(ctx, brain, rival.Weights, seedFor(seed, seedOfMeasure, number), 0, measurePairs)
	if err != nil {
		return Score{}, err
	}
	score := Score{Rival: rival.Spec, Games: 2 * measurePairs, Wins: pairs.Wins()}
	score.Beaten = len(before) > 0 && before[0].Beaten
	if !score.Beaten && score.Rate() > 0.5 {
		d, _, err := j.test(ctx, beatenTest, beatenPairs, brain, rival.Weights, seedFor(seed, seedOfBeaten, number))
		if err != nil {
			return Score{}, err
		}
		score.Beaten = d == rating.AcceptedH1
	}
	return score, nil
}

// test plays until the question is decided, or until the most pairs are played.
func (j judge) test(ctx context.Context, t rating.SPRT, most int, first, second *ur.Brain, seed uint64) (rating.TestDecision, rating.Pairs, error) {
	const step = 4 * judgeChunk
	var pairs rating.Pairs
	for from := 0; from < most; from += step {
		more, err := j.match(ctx, first, second, seed, from, min(step, most-from))
		if err != nil {
			return rating.Undecided, pairs, err
		}
		pairs.Add(more)
		if d := t.Decide(pairs); d != rating.Undecided {
			return d, pairs, nil
		}
	}
	return rating.Undecided, pairs, nil
}

// seedFor returns the seed of a purpose: independent of all others.
func seedFor(seed uint64, numbers ...uint64) uint64 {
	word := board.Mix(seed + board.Gamma)
	for _, n := range numbers {
		word = board.Mix(word ^ (n+1)*board.MixFactor1)
	}
	return word
}
