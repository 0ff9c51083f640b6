package train

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/gradient"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// TDConfig sets how a net learns from games against itself. A zero number, except for Lambda,
// means the default.
type TDConfig struct {
	// Lambda is the reach of a surprise into the past, 0 to 1: 0 is TD(0), which changes only
	// the last value. [DefaultLambda] is a good one.
	Lambda float64

	// Rate is the size of the first steps. It has halved after RateMoves moves, has come
	// down to a third after twice as many, and so on.
	Rate      float64
	RateMoves int64

	// Epsilon is the share of random moves; nothing is learned from them.
	Epsilon float64

	// Plies is how far the players look ahead while they learn: 1 or 2.
	Plies int

	// Updates are "sample" or "expected": the value of a position moves towards the value after
	// the actual roll, or towards the mean over all rolls.
	Updates string

	// Lanes are the games played side by side by the same weights. Another number gives another
	// result.
	Lanes int

	// Sequential is one game after another, and a step after each move.
	Sequential bool

	// Games is after how many games it ends; those side by side are brought to their end.
	// 0 is without limit.
	Games int64

	NetConfig
}

// tdMethod describes [tdLearner].
func tdMethod() Method {
	return Method{
		Name:   "td",
		Unit:   "moves",
		Growth: netMeasureGrowth,
		New: func() Config {
			return &TDConfig{
				Lambda: DefaultLambda, RateMoves: defaultTDRateMoves, Plies: 1,
				Updates: DefaultTDUpdates, Lanes: defaultTDLanes, NetConfig: newNetConfig(DefaultTDHidden),
			}
		},
	}
}

// Learner returns a learner before its first step.
func (c *TDConfig) Learner(context.Context) (Learner, error) { return newTDLearner(*c) }

// Defaults of a [TDConfig].
const (
	DefaultLambda           = 0.85
	DefaultTDRate           = 0.01
	defaultTDSequentialRate = 0.3
	defaultTDRateMoves      = 5_000_000
	DefaultTDUpdates        = ExpectedUpdates
	defaultTDLanes          = 64
	DefaultTDHidden         = "128,16"
)

// The updates of a [TDConfig].
const (
	SampleUpdates   = "sample"
	ExpectedUpdates = "expected"
)

// maxTDLanes bounds the memory.
const maxTDLanes = 4096

// complete returns c with its defaults filled in and the net to begin with, or a
// [*config.Error].
func (c TDConfig) complete() (TDConfig, *valuenet.Net, error) {
	const name = "td"
	start, err := c.completeNet(name, DefaultTDHidden)
	if err != nil {
		return c, nil, err
	}
	if c.Sequential {
		c.Lanes = 1
		setDefault(&c.Rate, defaultTDSequentialRate)
	}
	setDefault(&c.Rate, DefaultTDRate)
	setDefault(&c.RateMoves, defaultTDRateMoves)
	setDefault(&c.Plies, 1)
	setDefault(&c.Updates, DefaultTDUpdates)
	setDefault(&c.Lanes, defaultTDLanes)
	switch {
	case !(c.Lambda >= 0 && c.Lambda <= 1):
		return c, nil, config.Fault(name, "Lambda", "must be 0 to 1, got %g", c.Lambda)
	case !(c.Rate > 0 && c.Rate <= 10):
		return c, nil, config.Fault(name, "Rate", "must be above 0 and at most 10, got %g", c.Rate)
	case c.RateMoves < 1:
		return c, nil, config.Fault(name, "RateMoves", "must be at least 1, got %d", c.RateMoves)
	case !(c.Epsilon >= 0 && c.Epsilon <= 1):
		return c, nil, config.Fault(name, "Epsilon", "must be 0 to 1, got %g", c.Epsilon)
	case c.Plies < 1 || c.Plies > 2:
		return c, nil, config.Fault(name, "Plies", "must be 1 or 2, got %d", c.Plies)
	case c.Updates != SampleUpdates && c.Updates != ExpectedUpdates:
		return c, nil, config.Fault(name, "Updates", "must be %s or %s, got %q", SampleUpdates, ExpectedUpdates, c.Updates)
	case c.Games < 0:
		return c, nil, config.Fault(name, "Games", "must be at least 0, got %d", c.Games)
	case c.Lanes < 1 || c.Lanes > maxTDLanes:
		return c, nil, config.Fault(name, "Lanes", "must be 1 to %d, got %d", maxTDLanes, c.Lanes)
	}
	return c, start, nil
}

// tdLearner is a [Learner] of a value network from games against itself: TD(lambda) with a
// semi-gradient (Sutton and Barto, "Reinforcement learning", 2nd edition, 2018, chapter 12;
// Tesauro, "Temporal difference learning and TD-Gammon", 1995).
//
// Let V(s) be Light's win probability in the position after a move: the net's output where
// Light is to move, and 1 minus that where Dark is. Both sides learn this one function. The net
// sees every position from the side to move, so it does not distinguish a position from its
// mirror image. With s and s' the positions after two moves in a row, the surprise is
//
//	d = V(s') - V(s)
//
// At the end of the game, the result replaces V(s'). A pass is not a move: the position before
// it and the one behind it form one step. That is a sample update. In an expected one the mean
// of the best V(s') over all rolls replaces V(s'), as in the expected updates of section 8.5;
// then a pass is a step like a move.
//
// A surprise moves V(s), and by lambda, lambda squared and so on the positions before s. A
// random move ends this: no surprise reaches back over it.
//
// With Sequential, weights change after every move, along eligibility traces; see [tdGame].
// Otherwise they change after every round of games; see [tdRound].
type tdLearner struct {
	config TDConfig
	model  *gradient.Model
	plain  *tdGame  // with Sequential
	round  *tdRound // without
	moves  int64
	games  int64
	netMeter
}

// seedOfTD joins the seeds of evolve.go.
const seedOfTD = 1001

// newTDLearner returns a learner before its first step.
func newTDLearner(c TDConfig) (*tdLearner, error) {
	c, start, err := c.complete()
	if err != nil {
		return nil, err
	}
	d := &tdLearner{config: c, netMeter: netMeter{config: c.NetConfig, table: netTable(c.NetConfig)}}
	if d.model, err = gradient.NewModel(start); err != nil {
		return nil, err
	}
	if c.Sequential {
		d.plain = newTDGame(c, d.model)
	} else {
		mean, err := gradient.NewModel(start)
		if err != nil {
			return nil, err
		}
		d.round = newTDRound(c, d.model, mean)
	}
	return d, nil
}

// Method returns "td".
func (d *tdLearner) Method() string { return tdMethod().Name }

// tdSettings are the inputs that determine the result, except for the number of moves.
type tdSettings struct {
	netSettings
	Lambda     float64 `json:"lambda"`
	Rate       float64 `json:"rate"`
	RateMoves  int64   `json:"rate_moves"`
	Epsilon    float64 `json:"epsilon"`
	Plies      int     `json:"plies"`
	Updates    string  `json:"updates"`
	Lanes      int     `json:"lanes"`
	Sequential bool    `json:"sequential"`
}

// Settings returns the inputs that determine the result.
func (d *tdLearner) Settings() any {
	c := d.config
	return tdSettings{c.NetConfig.settings(), c.Lambda, c.Rate, c.RateMoves, c.Epsilon, c.Plies, c.Updates, c.Lanes, c.Sequential}
}

// tdStepGames is how many games a step of the sequential algorithm plays.
const tdStepGames = 16

// Step plays some games, learns from them and returns the number of their moves. An interrupted
// step changes nothing.
func (d *tdLearner) Step(ctx context.Context) (moves int64, err error) {
	before := d.state().clone()
	rate := d.config.Rate / (1 + float64(d.moves)/float64(d.config.RateMoves))
	games := int64(d.config.Lanes)
	if d.config.Sequential {
		games = tdStepGames
		moves, err = d.learnSequentially(ctx, games, rate)
	} else {
		moves, err = d.round.learn(ctx, uint64(d.games), rate)
	}
	if err != nil {
		d.restore(before)
		return 0, err
	}
	for _, x := range d.model.Params {
		if x-x != 0 {
			d.restore(before)
			return 0, &divergedError{Moves: d.moves + moves, Rate: d.config.Rate}
		}
	}
	d.games += games
	d.moves += moves
	return moves, nil
}

// learnSequentially plays games, learns after every move and returns the number of moves.
func (d *tdLearner) learnSequentially(ctx context.Context, games int64, rate float64) (moves int64, err error) {
	for i := range games {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		moves += d.plain.play(uint64(d.games+i), float32(rate))
	}
	return moves, nil
}

// divergedError reports weights that grew without bound.
type divergedError struct {
	Moves int64
	Rate  float64
}

func (e *divergedError) Error() string {
	return fmt.Sprintf("td: a weight is no longer a number after %d moves: the rate of %g is too high", e.Moves, e.Rate)
}

// Finished reports whether all games of the budget are played.
func (d *tdLearner) Finished() (reason string, finished bool) {
	return "all games were learned from", d.config.Games > 0 && int64(d.games) >= d.config.Games
}

// Net returns the net as it is.
func (d *tdLearner) Net() *valuenet.Net {
	if d.round != nil {
		return d.round.mean.Net()
	}
	return d.model.Net()
}

// Measure plays against the built-in brain, and measures the regret where a table is at
// hand.
func (d *tdLearner) Measure(ctx context.Context, _ []Score) ([]Score, error) {
	return d.measure(ctx, d.Net())
}

// WriteResult writes the net, with its provenance.
func (d *tdLearner) WriteResult(w io.Writer, p Provenance) error {
	return writeNet(w, d.Net(), p, tdMethod().Unit)
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
func (d *tdLearner) State() (json.RawMessage, error) {
	return json.Marshal(d.state())
}

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
		copy(d.round.mean.Params, s.Mean)
		d.round.mean.Changed()
		d.round.adam = s.Adam
	}
	copy(d.model.Params, s.Params)
	d.model.Changed()
	d.moves, d.games = s.Moves, s.Games
}

// SetState restores the state of a learner with equal settings.
func (d *tdLearner) SetState(text json.RawMessage) error {
	var s tdState
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	n := len(d.model.Params)
	if len(s.Params) != n {
		return fmt.Errorf("the state has %d numbers (want %d)", len(s.Params), n)
	}
	if s.Moves < 0 || s.Games < 0 {
		return fmt.Errorf("invalid state: %d moves and %d games", s.Moves, s.Games)
	}
	if d.round != nil {
		if len(s.Mean) != n || !s.Adam.Fits(d.model) {
			return fmt.Errorf("the state of the rounds does not fit a net of %d numbers", n)
		}
	}
	d.restore(s)
	return nil
}

// tableOf identifies the table that a learner uses, by the value of the first turn.
func tableOf(t solve.Ranked, r *rules.Rules) string {
	return fmt.Sprintf("%.12f", solve.Win(t, r.Start()))
}
