package train

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// TDConfig sets how a net learns from games against itself. A zero number, except for Lambda, means the default.
type TDConfig struct {
	NetConfig

	// Lambda is how far a surprise reaches into the past, 0 to 1: 0 is TD(0), which changes only the last value.
	Lambda float64 `flag:"lambda" help:"weight of earlier positions, 0 to 1: the lambda of TD(lambda)" default:"0.85" range:"[0,1]" json:"lambda"`

	// Rate is the first steps' size, by default 0.01, or 0.3 with Sequential. It has halved
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

	// Opponents are the learner itself, or a pool of its earlier versions; see [tdLearner].
	Opponents string `flag:"opponents" help:"opponents while learning: self, or a pool of earlier versions" default:"self" values:"self,pool" json:"opponents"`

	// Inputs for the pieces in hand and home: one for each number, or as if the number itself were one.
	Inputs string `flag:"inputs" help:"inputs for pieces in hand and home: one for each number (unary), or the number (counts)" default:"unary" values:"unary,counts" json:"inputs"`

	// Games is after how many games it ends; those side by side are brought to their end. 0 is without limit.
	Games int64 `flag:"games" help:"maximum number of games (default no limit); concurrent games are finished" range:"[1,)"`
}

// Defaults for a [TDConfig] that its tags do not have.
const (
	tdHidden         = "128,16"
	tdRate           = 0.01
	tdSequentialRate = 0.3
	tdPool           = "pool"
	tdCounts         = "counts"
)

// tdLearner is a [Learner] for a value network, by games against itself: TD(lambda) with a
// semi-gradient (Sutton and Barto, "Reinforcement learning", 2nd edition, 2018, chapter 12;
// Tesauro, "Temporal difference learning and TD-Gammon", 1995).
//
// Let V(s) be Light's win probability in the position after a move: the net's output where Light is to move, and 1
// minus that where Dark is. Both sides learn this one function. The net sees every position from the side to move, so
// it does not distinguish a position from its mirror image. With V' the mean, over all rolls, of V after the best move,
// or after the pass, the surprise behind a position s is
//
//	d = V' - V(s)
//
// as in the expected updates of section 6.6 and 8.5: the net does not learn luck. The result of
// a game replaces V for the position that ends it.
//
// A surprise moves V(s), and by lambda, lambda squared and so on the positions before s. A
// random move ends this: no surprise reaches back over it.
//
// With Sequential, weights change after every move, along eligibility traces; see [tdTraces].
// Otherwise they change after every round of games; see [tdLearner.learnRound].
//
// With a pool, an earlier version drawn for each game plays one side. V remains that of best play: where
// this version departs from the net's move, the surprise ends as behind a random one.
//
// Games are dealt to a fixed number of players, and so are a batch's positions. Results are
// combined in this order, so the number of threads does not matter.
type tdLearner struct {
	netLearner
	config  *TDConfig
	model   *gradient.Model
	players []*tdPlayer
	pool    []*gradient.Model // earlier versions
	moves   int64
	games   int64

	// Of rounds; nil with Sequential.
	mean     *gradient.Model // mean over the latest weights: it plays
	adam     *gradient.Adam[float32]
	gradient []float32
	learners []*gradient.Batch
	visits   []tdVisit
}

// tdMeanPart is the share of all steps, the last ones, covered by the mean.
const tdMeanPart = 32

// Round sizes: the parts for its games, and the positions in a batch and its parts. The
// last batches are a little larger, since none is small.
const (
	tdPlayers  = 8
	tdBatch    = 512
	tdLearners = 4
)

// Learner returns a learner before its first step, and fills in c's defaults.
func (c *TDConfig) Learner(ctx context.Context) (Learner, error) {
	const name = "td"
	if c.Sequential {
		c.Lanes, c.Rate = 1, cmp.Or(c.Rate, tdSequentialRate)
	}
	c.Rate = cmp.Or(c.Rate, tdRate)
	model, err := c.completeNet(name, c, tdHidden)
	if err != nil {
		return nil, err
	}
	d := &tdLearner{config: c, model: model}
	table, err := measuringTable(ctx, c.Rules)
	if err != nil {
		return nil, err
	}
	d.netLearner = netLearner{config: &c.NetConfig, table: table, net: model.Net}
	if c.Inputs == tdCounts {
		model.LearnCounts()
	}
	if c.Opponents == tdPool {
		for range tdVersions {
			d.pool = append(d.pool, model.Clone())
		}
	}
	if c.Sequential {
		d.players = []*tdPlayer{newTDPlayer(c, model, d.pool, 1)}
		d.players[0].traces = &tdTraces{model: model, sums: make(gradient.Traces, len(model.Params)), lambda: float32(c.Lambda)}
		return d, nil
	}
	d.mean = model.Clone()
	d.net, d.adam, d.gradient = d.mean.Net, gradient.NewAdam[float32](len(model.Params)), make([]float32, len(model.Params))
	for i := range min(tdPlayers, c.Lanes) {
		d.players = append(d.players, newTDPlayer(c, d.mean, d.pool, (c.Lanes-i+tdPlayers-1)/tdPlayers))
	}
	for range tdLearners {
		d.learners = append(d.learners, gradient.NewBatch(model, 2*tdBatch/tdLearners+1))
	}
	return d, nil
}

// tdVersions is how many earlier versions a pool has, the latest of four for each doubling of the games.
const tdVersions = 8

// keepVersion puts the net into the pool after a round, counted from 1, that has a version.
func (d *tdLearner) keepVersion(round int64) {
	shift := max(0, bits.Len64(uint64(round))-3)
	if len(d.pool) > 0 && round>>shift<<shift == round {
		d.pool[(int64(4*shift)+round>>shift)%tdVersions].SetParams(d.players[0].look.batch.Model().Params)
	}
}

// tdStepGames is how many games a step plays sequentially.
const tdStepGames = 16

// Step plays some games, learns from them and returns how many moves they had. An interrupted step changes nothing.
func (d *tdLearner) Step(ctx context.Context) (moves int64, err error) {
	if d.config.Games > 0 && d.games >= d.config.Games {
		return 0, Finished("all games were learned from")
	}
	before := d.State().(tdState).clone()
	rate := d.config.Rate / (1 + float64(d.moves)/float64(d.config.RateMoves))
	games, learn := int64(d.config.Lanes), d.learnRound
	if d.config.Sequential {
		games, learn = tdStepGames, d.learnSequential
	}
	moves, err = learn(ctx, uint64(d.games), rate)
	if err == nil && slices.ContainsFunc(d.model.Params, func(x float32) bool { return x-x != 0 }) {
		err = fmt.Errorf("td: a weight is no longer a number after %d moves: the rate of %g is too high", d.moves+moves, d.config.Rate)
	}
	if err != nil {
		d.SetState(before)
		return 0, err
	}
	d.games += games
	d.moves += moves
	d.keepVersion(d.games / games)
	return moves, nil
}

// learnSequential plays games numbered from first on, one after another, and returns how many moves they had.
func (d *tdLearner) learnSequential(ctx context.Context, first uint64, rate float64) (moves int64, err error) {
	p := d.players[0]
	p.traces.rate = float32(rate)
	for game := first; game < first+tdStepGames && err == nil; game++ {
		err = p.playGames(ctx, game, 1)
		moves += p.moves
	}
	return moves, err
}

// learnRound plays games numbered from first on by the same weights, then learns from all their positions, and returns
// the number of moves. After an error the weights belong to a part of the round.
//
// The playing net, and the result, are exponential moving averages of the weights whose decay follows a power of the
// age (Shamir and Zhang, "Stochastic gradient descent for non-smooth optimization", 2013): single steps jump around the
// optimum, and targets made from them would jump, too.
//
// A position's target is the lambda-return, the forward view of TD(lambda): with d its game's
// surprises, from the one behind the position on,
//
//	G = V(s) + d + lambda d' + lambda^2 d'' + ...
//
// With constant weights, moving every V(s) towards its G equals the sum of all updates by eligibility traces (Sutton
// and Barto, section 12.1). A round's positions are shuffled and cut into batches. For each of them Adam takes a step
// against the gradient of the cross-entropy between V and G, V - G by a logit.
func (d *tdLearner) learnRound(ctx context.Context, first uint64, rate float64) (moves int64, err error) {
	err = callEach(ctx, d.config.Parallel, len(d.players), func(i int) error {
		return d.players[i].playGames(ctx, first+uint64(i), uint64(len(d.players)))
	})
	if err != nil {
		return 0, err
	}
	d.visits = d.visits[:0]
	for _, p := range d.players {
		moves += p.moves
		for i := range p.lanes {
			d.visits = append(d.visits, p.lanes[i].path...)
		}
	}
	rng := rand.New(rand.NewPCG(seedFor(d.config.Seed, seedOfTD), first))
	rng.Shuffle(len(d.visits), func(i, j int) { d.visits[i], d.visits[j] = d.visits[j], d.visits[i] })
	n := len(d.visits)
	batches := max(1, n/tdBatch)
	for i := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		d.takeStep(d.visits[i*n/batches:(i+1)*n/batches], rate)
	}
	return moves, nil
}

// takeStep takes a step by a batch's positions. It is not to be interrupted.
func (d *tdLearner) takeStep(visits []tdVisit, rate float64) {
	n := len(visits)
	callAll(d.config.Parallel, len(d.learners), func(i int) {
		learnTargets(d.learners[i], visits[i*n/tdLearners:(i+1)*n/tdLearners])
	})
	clear(d.gradient)
	for _, b := range d.learners {
		b.AddGradient(d.gradient)
	}
	d.model.Step(d.adam, d.gradient, 1/float32(n), rate)
	d.mean.MoveTowards(d.model, 1/(1+float32(d.adam.Steps)/tdMeanPart))
}

// learnTargets computes the gradient for positions and their targets.
func learnTargets(b *gradient.Batch, visits []tdVisit) {
	b.Clear()
	for i := range visits {
		b.Add(visits[i].position)
	}
	b.Forward()
	for i := range visits {
		target := lightWin(visits[i].target, visits[i].position.Turn()) // of the side to move
		b.Slopes[i] = float32(samebits.Logistic(float64(b.Logits[i]))) - target
	}
	b.Backward()
}

// tdState is a TD between two steps.
type tdState struct {
	Params []float32               `json:"params"`
	Mean   []float32               `json:"mean,omitempty"` // means over rounds, as Adam is
	Adam   *gradient.Adam[float32] `json:"adam,omitempty"`
	Moves  int64                   `json:"moves"`
	Games  int64                   `json:"games"`
	Pool   []tdVersion             `json:"pool,omitempty"`
}

// tdVersion is the net of an earlier time.
type tdVersion struct {
	Params []float32 `json:"params"`
}

// State returns everything changed by steps, a tdState whose slices are the learner's own.
func (d *tdLearner) State() any {
	s := tdState{Params: d.model.Params, Adam: d.adam, Moves: d.moves, Games: d.games}
	if d.mean != nil {
		s.Mean = d.mean.Params
	}
	for _, m := range d.pool {
		s.Pool = append(s.Pool, tdVersion{m.Params})
	}
	return s
}

// clone returns a copy of what an interrupted step changes.
func (s tdState) clone() tdState {
	s.Params, s.Mean = slices.Clone(s.Params), slices.Clone(s.Mean)
	if s.Adam != nil {
		s.Adam = s.Adam.Clone()
	}
	return s
}

// SetState restores the state from a learner with equal settings.
func (d *tdLearner) SetState(state any) error {
	s := state.(tdState)
	if d.mean != nil {
		d.mean.SetParams(s.Mean)
	}
	d.model.SetParams(s.Params)
	for i, v := range s.Pool {
		d.pool[i].SetParams(v.Params)
	}
	d.adam, d.moves, d.games = s.Adam, s.Moves, s.Games
	return nil
}
