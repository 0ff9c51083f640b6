package train

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play"
)

// BrainConfig holds the settings shared by all brain learners. A zero number means the default.
type BrainConfig struct {
	Seed   uint64 `flag:"seed" help:"seed of all random choices" default:"1" json:"seed"`
	Pieces int    `flag:"pieces" help:"pieces of each player, 1 to 7" default:"7" range:"[1,7]" json:"pieces"`

	// Start is the brain to begin with; nil means none.
	Start *ur.Brain `flag:"start" help:"player to begin with, as in brain or brain:FILE (default: nothing learned)" json:"start"`

	// Rival is the player to measure the strength against. Nothing is learned from
	// it. Without weights it is brain:classic.
	Rival play.Brain `flag:"rival" help:"player to measure the strength against" json:"rival"`

	// Engine and Parallel do not change the result. Nil means the fastest engine, and 0 threads one for each processor.
	Engine   ur.Engine
	Parallel int `flag:"parallel" help:"threads to play with (default one per processor)"`

	// Backend, if not nil, plays this process's games instead. Up to Parallel goroutines call it
	// at a time and wait there, so set that high. The result is the same.
	Backend match.Backend[play.MatchConfig, play.Score]
}

// PlayAt sets the backend that plays the games. If Parallel is 0, it also sets the number of goroutines.
func (c *EvolveConfig) PlayAt(b match.Backend[play.MatchConfig, play.Score], goroutines int) {
	c.Backend = b
	if c.Parallel == 0 {
		c.Parallel = goroutines
	}
}

// classicRival is the default rival in strength measurements.
func classicRival() play.Brain { return play.Brain{Spec: "brain:classic", Weights: ur.ClassicBrain()} }

// completeBrain fills in the defaults, or returns a [*config.Error] that names the configuration.
func (c *BrainConfig) completeBrain(name string) error {
	if c.Rival.Weights == nil {
		c.Rival = classicRival()
	}
	common, err := play.MatchConfig{Pieces: c.Pieces, Parallel: c.Parallel, Engine: c.Engine}.CompleteGames(name)
	c.Pieces, c.Parallel, c.Engine = common.Pieces, common.Parallel, common.Engine
	return err
}

// brainTurnLimit is when a game is given up: twenty times as long as a game between sensible players.
const brainTurnLimit = 4000

// playDuel plays a span of game pairs between two brains on a seed's dice, here or at the
// backend. It reports false where a game did not end, in which case the pairs mean nothing.
func (c *BrainConfig) playDuel(ctx context.Context, first, second *ur.Brain, seed uint64, span match.Span) (pairs rating.Pairs, ended bool, err error) {
	open := play.NewRunner
	if c.Backend != nil {
		open = c.Backend.Runner
	}
	runner, err := open(ctx, play.MatchConfig{
		Players: []play.Player{play.Brain{Spec: "first", Weights: first}.Player(), play.Brain{Spec: "second", Weights: second}.Player()},
		Seed:    seed, Pieces: c.Pieces, TurnLimit: brainTurnLimit, Engine: c.Engine,
	})
	if err != nil {
		return pairs, false, err
	}
	score, err := runner.Play(ctx, span)
	if _, endless := errors.AsType[*ur.TurnLimitError](err); endless {
		return pairs, false, nil
	}
	return score.Pairs, true, err
}

// matchChunk is how many game pairs a goroutine plays at a time.
const matchChunk = 1024

// playMatch plays game pairs on a seed's dice, from a pair on. Where a game does not
// end, the first brain has lost the whole chunk.
func (c *BrainConfig) playMatch(ctx context.Context, first, second *ur.Brain, seed uint64, from, n int) (pairs rating.Pairs, err error) {
	chunks := make([]rating.Pairs, (n+matchChunk-1)/matchChunk)
	err = callEach(ctx, c.Parallel, len(chunks), func(i int) error {
		at := i * matchChunk
		span := match.Span{First: uint64(from + at), Pairs: min(matchChunk, n-at)}
		played, ended, err := c.playDuel(ctx, first, second, seed, span)
		if chunks[i] = played; !ended {
			chunks[i] = rating.Pairs{0: int64(span.Pairs)}
		}
		return err
	})
	for _, chunk := range chunks {
		pairs.Add(chunk)
	}
	return pairs, err
}

// The number of game pairs in a strength measurement, and the test whether a rival is beaten, with its limit. Every
// measurement repeats the test until the rival is beaten, so its error rate is one in a hundred.
const (
	measurePairs = 10_000
	beatenPairs  = 200_000
)

var beatenTest = rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.01, Beta: 0.01}

// measureBrain returns a brain's score against the rival. Number distinguishes a run's
// measurements, and before holds the previous scores.
func (c *BrainConfig) measureBrain(ctx context.Context, brain *ur.Brain, number uint64, before []Score) ([]Score, error) {
	pairs, err := c.playMatch(ctx, brain, c.Rival.Weights, seedFor(c.Seed, seedOfMeasure, number), 0, measurePairs)
	if err != nil {
		return nil, err
	}
	score := Score{Rival: c.Rival.Spec, Games: 2 * measurePairs, Wins: pairs.Wins()}
	score.Beaten = len(before) > 0 && before[0].Beaten
	if !score.Beaten && score.Rate() > 0.5 {
		score.Beaten, err = c.isBetter(ctx, beatenTest, beatenPairs, brain, c.Rival.Weights, seedFor(c.Seed, seedOfBeaten, number))
	}
	return []Score{score}, err
}

// isBetter plays until a test has decided whether the first brain is better, or until the most
// pairs are played, which is no proof.
func (c *BrainConfig) isBetter(ctx context.Context, t rating.SPRT, most int, first, second *ur.Brain, seed uint64) (bool, error) {
	const step = 4 * matchChunk
	var pairs rating.Pairs
	for from := 0; from < most; from += step {
		more, err := c.playMatch(ctx, first, second, seed, from, min(step, most-from))
		if err != nil {
			return false, err
		}
		pairs.Add(more)
		if d := t.Decide(pairs); d != rating.Undecided {
			return d == rating.AcceptedH1, nil
		}
	}
	return false, nil
}

// What seeds are for.
const (
	seedOfSigns = iota
	seedOfDice
	seedOfMetric
	seedOfMeasure
	seedOfBeaten
	seedOfContest
	seedOfFit
	seedOfRegret

	seedOfDistill = 1000
	seedOfTD      = 1001
)

// seedFor returns the seed for a purpose: independent from all others.
func seedFor(seed uint64, numbers ...uint64) uint64 {
	word := board.Mix(seed + board.Gamma)
	for _, n := range numbers {
		word = board.Mix(word ^ (n+1)*board.MixFactor1)
	}
	return word
}
