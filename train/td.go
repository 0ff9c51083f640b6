package train

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// TDConfig sets how a net learns from games against itself. A zero number, except for Lambda,
// means the default.
type TDConfig struct {
	NetConfig

	// Lambda is the reach of a surprise into the past, 0 to 1: 0 is TD(0), which changes only
	// the last value.
	Lambda float64 `flag:"lambda" help:"weight of earlier positions, 0 to 1: the lambda of TD(lambda)" default:"0.85" range:"[0,1]" json:"lambda"`

	// Rate is the size of the first steps, by default 0.01, or 0.3 with Sequential. It has halved
	// after RateMoves moves, has come down to a third after twice as many, and so on.
	Rate      float64 `flag:"rate" help:"size of the first steps (default 0.01, or 0.3 for sequential games)" range:"(0,10]" json:"rate"`
	RateMoves int64   `flag:"rate-moves" help:"moves after which steps are half as large" default:"5000000" range:"[1,)" json:"rate_moves"`

	// Epsilon is the share of random moves; nothing is learned from them.
	Epsilon float64 `flag:"epsilon" help:"share of random moves" range:"[0,1]" json:"epsilon"`

	// Plies is how far the players look ahead while they learn: 1 or 2.
	Plies int `flag:"plies" help:"search depth while learning, 1 or 2" default:"1" range:"[1,2]" json:"plies"`

	// Lanes are the games played side by side by the same weights. Another number gives another
	// result. It bounds the memory.
	Lanes int `flag:"lanes" help:"concurrent games between two changes of the weights" default:"64" range:"[1,4096]" json:"lanes"`

	// Sequential is one game after another, and a step after each move.
	Sequential bool `flag:"sequential" help:"one game after another, one step after each move: the plain algorithm" json:"sequential"`

	// Games is after how many games it ends; those side by side are brought to their end.
	// 0 is without limit.
	Games int64 `flag:"games" help:"maximum number of games (default no limit); concurrent games are finished" range:"[1,)"`
}

// Defaults of a [TDConfig] that its tags do not have.
const (
	tdHidden         = "128,16"
	tdRate           = 0.01
	tdSequentialRate = 0.3
)

// tdMethod describes [tdLearner].
func tdMethod() Method {
	return Method{
		Name: "td", Unit: "moves", Binary: true, Growth: netMeasureGrowth,
		New: func() Config { return withDefaults(&TDConfig{NetConfig: NetConfig{Hidden: tdHidden}}) },
	}
}

// tdLearner is a [Learner] of a value network from games against itself: TD(lambda) with a
// semi-gradient (Sutton and Barto, "Reinforcement learning", 2nd edition, 2018, chapter 12;
// Tesauro, "Temporal difference learning and TD-Gammon", 1995).
//
// Let V(s) be Light's win probability in the position after a move: the net's output where
// Light is to move, and 1 minus that where Dark is. Both sides learn this one function. The net
// sees every position from the side to move, so it does not distinguish a position from its
// mirror image. With V' the mean, over all rolls, of V after the best move, or after the pass, the
// surprise behind a position s is
//
//	d = V' - V(s)
//
// as in the expected updates of section 6.6 and 8.5: the net does not learn luck. The result of
// a game replaces V of the position that ends it.
//
// A surprise moves V(s), and by lambda, lambda squared and so on the positions before s. A
// random move ends this: no surprise reaches back over it.
//
// With Sequential, weights change after every move, along eligibility traces; see [tdGame].
// Otherwise they change after every round of games; see [tdRound].
type tdLearner struct {
	netLearner
	config *TDConfig
	model  *gradient.Model
	plain  *tdGame  // with Sequential
	round  *tdRound // without
	moves  int64
	games  int64
}

// Learner returns a learner before its first step, and fills in the defaults of c.
func (c *TDConfig) Learner(context.Context) (Learner, error) {
	const name = "td"
	if c.Sequential {
		c.Lanes, c.Rate = 1, cmp.Or(c.Rate, tdSequentialRate)
	}
	c.Rate = cmp.Or(c.Rate, tdRate)
	if err := complete(name, c); err != nil {
		return nil, err
	}
	model, err := c.completeNet(name, tdHidden)
	if err != nil {
		return nil, err
	}
	d := &tdLearner{config: c, model: model}
	d.netLearner = netLearner{config: &c.NetConfig, table: netTable(c.NetConfig), net: model.Net}
	if c.Sequential {
		d.plain = newTDGame(c, model)
		return d, nil
	}
	mean, err := gradient.NewModel(model.Net())
	if err != nil {
		return nil, err
	}
	d.round, d.net = newTDRound(c, model, mean), mean.Net
	return d, nil
}

// tdStepGames is how many games a step of the sequential algorithm plays.
const tdStepGames = 16

// Step plays some games, learns from them and returns the number of their moves. An interrupted
// step changes nothing.
func (d *tdLearner) Step(ctx context.Context) (moves int64, err error) {
	if d.config.Games > 0 && d.games >= d.config.Games {
		return 0, Finished("all games were learned from")
	}
	before := d.state().clone()
	rate := d.config.Rate / (1 + float64(d.moves)/float64(d.config.RateMoves))
	games := int64(d.config.Lanes)
	if d.config.Sequential {
		games = tdStepGames
		moves, err = d.plain.learn(ctx, uint64(d.games), games, float32(rate))
	} else {
		moves, err = d.round.learn(ctx, uint64(d.games), rate)
	}
	if err == nil && slices.ContainsFunc(d.model.Params, func(x float32) bool { return x-x != 0 }) {
		err = fmt.Errorf("td: a weight is no longer a number after %d moves: the rate of %g is too high", d.moves+moves, d.config.Rate)
	}
	if err != nil {
		d.restore(before)
		return 0, err
	}
	d.games += games
	d.moves += moves
	return moves, nil
}

// tdState is a TD between two steps.
type tdState struct {
	Params []float32      `json:"params"`
	Mean   []float32      `json:"mean,omitempty"` // of rounds, as Adam is
	Adam   *gradient.Adam `json:"adam,omitempty"`
	Moves  int64          `json:"moves"`
	Games  int64          `json:"games"`
}

// State returns everything changed by steps.
func (d *tdLearner) State() any { return d.state() }

// state returns the state, whose slices are those of the learner.
func (d *tdLearner) state() tdState {
	s := tdState{Params: d.model.Params, Moves: d.moves, Games: d.games}
	if d.round != nil {
		s.Mean, s.Adam = d.round.mean.Params, d.round.adam
	}
	return s
}

// clone returns a copy that later steps do not change.
func (s tdState) clone() tdState {
	s.Params, s.Mean = slices.Clone(s.Params), slices.Clone(s.Mean)
	if s.Adam != nil {
		s.Adam = &gradient.Adam{First: slices.Clone(s.Adam.First), Second: slices.Clone(s.Adam.Second), Steps: s.Adam.Steps}
	}
	return s
}

// restore sets the state to one of the same shape.
func (d *tdLearner) restore(s tdState) {
	if d.round != nil {
		d.round.mean.SetParams(s.Mean)
		d.round.adam = s.Adam
	}
	d.model.SetParams(s.Params)
	d.moves, d.games = s.Moves, s.Games
}

// SetState restores the state of a learner with equal settings.
func (d *tdLearner) SetState(state any) error {
	d.restore(state.(tdState))
	return nil
}
