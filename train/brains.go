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

// completeBrain fills in the defaults of a configuration with c and returns its rule set, or a [*config.Error] that
// names the configuration.
func (c *BrainConfig) completeBrain(name string, all Config) (*board.Rules, error) {
	if err := completeConfig(name, all); err != nil {
		return nil, err
	}
	if c.Rival.Weights == nil {
		c.Rival = classicRival()
	}
	common, err := play.MatchConfig{Pieces: c.Pieces, Parallel: c.Parallel, Engine: c.Engine}.CompleteGames(name)
	c.Pieces, c.Parallel, c.Engine = common.Pieces, common.Parallel, common.Engine
	return common.Rules, err
}

// brainTurnLimit is when a game is given up: twenty times as long as a game between sensible players.
const brainTurnLimit = 4000

// duel is a match between two brains on a seed's dice.
type duel struct {
	first, second *ur.Brain
	seed          uint64
}

// playDuels plays a plan's games in each of some matches, here or at the backend. Where a game does not end,
// the first brain gets the given half points in every pair of the span.
func (c *BrainConfig) playDuels(ctx context.Context, p match.Plan[play.Score], endless int, duels ...duel) (match.Outcome[play.Score], error) {
	open := play.NewRunner
	if c.Backend != nil {
		open = c.Backend.Runner
	}
	p.Pairings, p.Parallel = len(duels), max(1, c.Parallel)
	p.Runner = func(ctx context.Context, i int) (match.SpanRunner[play.Score], error) {
		d := duels[i]
		runner, err := open(ctx, play.MatchConfig{
			Players: []play.Player{play.Brain{Spec: "first", Weights: d.first}.Player(), play.Brain{Spec: "second", Weights: d.second}.Player()},
			Seed:    d.seed, Pieces: c.Pieces, TurnLimit: brainTurnLimit, Engine: c.Engine,
		})
		return endingRunner{runner, endless}, err
	}
	return match.Run(ctx, p)
}

// endingRunner gives a span with an endless game a score.
type endingRunner struct {
	match.SpanRunner[play.Score]
	halfPoints int // of the first player, in a pair
}

// Play plays a span.
func (r endingRunner) Play(ctx context.Context, s match.Span) (play.Score, error) {
	score, err := r.SpanRunner.Play(ctx, s)
	if _, endless := errors.AsType[*ur.TurnLimitError](err); endless {
		score, err = play.Score{}, nil
		score.Pairs[r.halfPoints] = int64(s.Pairs)
	}
	return score, err
}

// playMatch plays a match of game pairs, in spans that the first brain loses where a game does not end. A test, unless
// it is nil, may end the match before.
func (c *BrainConfig) playMatch(ctx context.Context, d duel, pairs int, test *rating.SPRT) (rating.Pairs, rating.TestDecision, error) {
	out, err := c.playDuels(ctx, match.Plan[play.Score]{Games: 2 * pairs, Unit: func(int) int { return 1024 }, SPRT: test, Every: 4}, 0, d)
	return out.Scores[0].Pairs, out.Decision, err
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
	pairs, _, err := c.playMatch(ctx, duel{brain, c.Rival.Weights, seedFor(c.Seed, seedOfMeasure, number)}, measurePairs, nil)
	if err != nil {
		return nil, err
	}
	score := Score{Rival: c.Rival.Spec, Games: 2 * measurePairs, Wins: pairs.Wins()}
	score.Beaten = len(before) > 0 && before[0].Beaten
	if !score.Beaten && score.Rate() > 0.5 {
		again := duel{brain, c.Rival.Weights, seedFor(c.Seed, seedOfBeaten, number)}
		var decision rating.TestDecision
		_, decision, err = c.playMatch(ctx, again, beatenPairs, &beatenTest)
		score.Beaten = decision == rating.AcceptedH1
	}
	return []Score{score}, err
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
