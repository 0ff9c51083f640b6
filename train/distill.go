package train

import (
	"context"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// DistillConfig sets how a net learns from the exact solution. A zero number means the default.
//
// Of rates from 0.002 to 0.02 the default was among the best for nets with 4,000 and with 24,000
// weights. The greatest sharpness from 30 to 100 was best, and weights from 0.03 to 1 hardly mattered.
type DistillConfig struct {
	NetConfig

	// Table is the exact solution, for as many pieces; nil is that of [play.DefaultTables].
	Table *solve.Table `json:"table"`

	// Positions is how many positions to learn from: steps become smaller towards their end.
	Positions int64 `flag:"positions" help:"positions to learn from" default:"300000000" range:"[1,)" json:"positions"`

	// Rate is the size of Adam's steps at the beginning. It falls along half a cosine.
	Rate float64 `flag:"rate" help:"size of the first steps" default:"0.01" range:"(0,1]" json:"rate"`

	// Order is the final share of the positions that also teach the order of moves.
	Order float64 `flag:"order" help:"fraction of the positions, at the end, that also train the order of moves" default:"0.9" range:"(0,1]" json:"order"`

	// Sharpness is that of the choice with minimized regret, and Weight that of this regret
	// beside the cross-entropy; see [distillLearner].
	Sharpness float64 `flag:"sharpness" help:"sharpness of the choice whose regret is minimised, per unit of log odds" default:"100" range:"(0,1000000]" json:"sharpness"`
	Weight    float64 `flag:"weight" help:"weight of the regret, relative to the cross-entropy" default:"0.3" range:"(0,1000000]" json:"weight"`
}

// distillHidden is the default for Hidden.
const distillHidden = "256,32"

// distillLearner is a [Learner] for a value network, from the exact solution.
//
// Positions are those after a decision's moves, with decisions from games between perfect players and between erring
// ones. The net first learns the win probability of the side to move, by cross-entropy. Later it also learns how the
// moves rank: it is treated as a player that chooses with a probability proportional to exp(sharpness * logarithm of
// the odds), and the expected regret of that choice falls along its gradient, as in [fitLearner].
//
// A batch consists of distillShards parts, each with its own games and memory. Their gradients
// are added in the parts' order, so the result does not depend on threads.
type distillLearner struct {
	netLearner
	config   *DistillConfig
	model    *gradient.Model
	adam     *gradient.Adam[float32]
	shards   []distillShard
	gradient []float32
	seen     int64 // positions
}

// Batch sizes. A batch is small: batches of 4,096 left more regret after as many positions, at their best rate. A part
// takes its decisions from many games in turn: positions in one game are much alike.
const (
	distillShards            = 4
	distillPositionsPerShard = 128 // and up to a decision more
	distillGames             = 128
)

// Learner returns a learner before its first step, and fills in the defaults of c.
func (c *DistillConfig) Learner(ctx context.Context) (Learner, error) {
	const name = "distill"
	model, err := c.completeNet(name, c, distillHidden)
	if err == nil {
		err = findTable(ctx, name, &c.Table, c.Rules)
	}
	if err != nil {
		return nil, err
	}
	d := &distillLearner{config: c, model: model, adam: gradient.NewAdam[float32](len(model.Params)), gradient: make([]float32, len(model.Params))}
	d.netLearner = netLearner{config: &c.NetConfig, table: c.Table, net: model.Net}
	d.shards = make([]distillShard, distillShards)
	for i := range d.shards {
		d.shards[i].beginShard(c, uint64(i), model)
	}
	return d, nil
}

// Step learns from a batch and returns how many positions it had.
func (d *distillLearner) Step(ctx context.Context) (positions int64, err error) {
	if d.seen >= d.config.Positions {
		return 0, Finished("all positions were seen")
	}
	part := float64(d.seen) / float64(d.config.Positions)
	order := part >= 1-d.config.Order
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	// A batch takes milliseconds. It is not interrupted, since its games cannot be taken back.
	callAll(d.config.Parallel, len(d.shards), func(i int) { d.shards[i].learnBatch(d.config, order) })
	clear(d.gradient)
	for i := range d.shards {
		d.shards[i].batch.AddGradient(d.gradient)
		positions += int64(d.shards[i].batch.Len())
	}
	d.model.Step(d.adam, d.gradient, 1/float32(positions), d.stepSize(part))
	d.seen += positions
	return positions, nil
}

// stepSize returns the step size when a part of the positions was seen: it grows for a
// hundredth of them, and then falls along half a cosine.
func (d *distillLearner) stepSize(part float64) float64 {
	const last = 0.005
	part = min(1, part)
	falling := last + float64((1-last)*(1+samebits.Cos(math.Pi*part))/2)
	return d.config.Rate * min(1, float64(part*100)+0.01) * falling
}

// distillState is a distillLearner between two steps.
type distillState struct {
	Params []float32               `json:"params"`
	Adam   *gradient.Adam[float32] `json:"adam"`
	Seen   int64                   `json:"seen"`
	Shards []distillCursor         `json:"shards"`
}

// distillCursor is where a part's games stand.
type distillCursor struct {
	Games []perfectGame `json:"games"`
	At    int           `json:"at"`   // the game whose turn it is
	Next  uint64        `json:"next"` // number of the next game
}

// State returns everything changed by steps.
func (d *distillLearner) State() any {
	s := distillState{Params: d.model.Params, Adam: d.adam, Seen: d.seen}
	for i := range d.shards {
		c := &d.shards[i].distillCursor
		for k := range c.Games {
			c.Games[k].State = d.shards[i].rules.FormatPosition(c.Games[k].position)
		}
		s.Shards = append(s.Shards, *c)
	}
	return s
}

// SetState restores the state from a learner with equal settings.
func (d *distillLearner) SetState(state any) error {
	s := state.(distillState)
	for i := range s.Shards {
		if err := s.Shards[i].restorePositions(d.config.Rules); err != nil {
			return fmt.Errorf("part %d of a batch: %w", i, err)
		}
	}
	d.model.SetParams(s.Params)
	d.adam, d.seen = s.Adam, s.Seen
	for i, c := range s.Shards {
		d.shards[i].distillCursor = c
	}
	return nil
}

// restorePositions reads a checkpoint's positions, and returns an error for a state that no learner would have saved.
func (c *distillCursor) restorePositions(r *board.Rules) error {
	if c.At >= distillGames {
		return fmt.Errorf("the next game is %d of %d", c.At, distillGames)
	}
	for i := range c.Games {
		g := &c.Games[i]
		p, err := r.ParsePosition(g.State)
		if err != nil {
			return fmt.Errorf("game %d: %w", g.Number, err)
		}
		if p.Pieces() != r.Pieces() {
			return fmt.Errorf("game %d has %d pieces (want %d)", g.Number, p.Pieces(), r.Pieces())
		}
		if _, over := p.Winner(); over {
			return fmt.Errorf("game %d is over", g.Number)
		}
		g.position, g.noise = p, noiseOf(g.Number)
	}
	return nil
}

// distillShard is a batch's part and its games.
type distillShard struct {
	distillCursor
	rules    *board.Rules
	seed     uint64
	batch    *gradient.Batch
	groups   []distillGroup
	target   []float64 // win probabilities by position, for the side to move
	decision decision
}

// distillGroup holds the positions after a decision's moves.
type distillGroup struct {
	first, n int
	sign     [board.MaxMoves]float64 // 1 where the choosing side moves again, otherwise -1
	regret   [board.MaxMoves]float64 // regrets by move, 0 to 1
}

// beginShard makes the shard ready for its first batch.
func (s *distillShard) beginShard(c *DistillConfig, index uint64, m *gradient.Model) {
	const size = distillPositionsPerShard + board.MaxMoves
	*s = distillShard{rules: c.Rules, seed: seedFor(c.Seed, seedOfDistill), batch: gradient.NewBatch(m, size)}
	s.target = make([]float64, 0, size)
	s.Next = index
	s.Games = make([]perfectGame, distillGames)
	for i := range s.Games {
		s.startGame(&s.Games[i])
	}
}

// startGame begins the next game.
func (s *distillShard) startGame(g *perfectGame) {
	*g = perfectGame{Number: s.Next, position: s.rules.Start(), noise: noiseOf(s.Next)}
	s.Next += distillShards
}

// noiseOf returns the error size for a game's players: zero in half the games, otherwise up
// to 0.1 of the win probability, with small errors more frequent.
func noiseOf(game uint64) float64 {
	x := max(0, 2*unitFloat(board.Mix(game^0x5bd1e995))-1)
	return 0.1 * samebits.Power(x, 3)
}

// unitFloat turns 64 random bits into a number from 0 up to 1.
func unitFloat(word uint64) float64 { return float64(word>>11) / (1 << 53) }

// learnBatch fills the batch and computes its gradient, not divided by the positions.
func (s *distillShard) learnBatch(c *DistillConfig, order bool) {
	s.batch.Clear()
	s.groups, s.target = s.groups[:0], s.target[:0]
	for s.batch.Len() < distillPositionsPerShard {
		s.decideMove(&s.Games[s.At], c.Table)
		s.At = (s.At + 1) % len(s.Games)
	}
	s.batch.Forward()
	for i, logit := range s.batch.Logits {
		s.batch.Slopes[i] = float32(samebits.Logistic(float64(logit)) - s.target[i])
	}
	if order {
		for i := range s.groups {
			s.groups[i].addSlopes(s.batch, c.Sharpness, c.Weight)
		}
	}
	s.batch.Backward()
}

// decideMove plays a game up to its next decision, adds the positions after its moves to the batch,
// and makes one of them. A new game replaces a finished one.
func (s *distillShard) decideMove(g *perfectGame, t *solve.Table) {
	var buf [board.MaxMoves]board.Move
	moves := g.nextChoice(s.rules, s.seed, buf[:0])
	for ; moves == nil; moves = g.nextChoice(s.rules, s.seed, buf[:0]) {
		s.startGame(g)
	}
	d := &s.decision
	d.judgeMoves(t, s.rules, g.position, moves)
	g.position = d.after[s.addDecision(g, d)]
	if _, over := g.position.Winner(); over {
		s.startGame(g)
	}
}

// addDecision adds a decision and returns the chosen move. A winning move is made without learning: the
// net never values it.
func (s *distillShard) addDecision(g *perfectGame, d *decision) (choice int) {
	for i := range d.n {
		if _, over := d.after[i].Winner(); over {
			return i
		}
	}
	group := distillGroup{first: s.batch.Len(), n: d.n, regret: d.regret}
	moveBits := 3 // bits that index a move
	if s.rules.Pieces() > 8 {
		moveBits = 4
	}
	most := math.Inf(-1)
	for i := range d.n {
		group.sign[i] = float64(d.signBehind(i))
		s.target = append(s.target, d.win[i])
		s.batch.Add(d.after[i])
		random := unitFloat(board.Mix(s.seed ^ board.Mix(g.Number<<20|g.Turn<<moveBits|uint64(i))))
		if with := d.worth[i] + float64(g.noise*samebits.Log(random/(1-random)+1e-12)); with > most {
			choice, most = i, with
		}
	}
	s.groups = append(s.groups, group)
	return choice
}

// addSlopes adds the derivative of the expected regret, in points, for a player that chooses
// with a probability proportional to exp(sharpness * logarithm of the odds).
func (g *distillGroup) addSlopes(b *gradient.Batch, sharpness, weight float64) {
	var value [board.MaxMoves]float64
	for i := range g.n {
		value[i] = float64(sharpness * float64(g.sign[i]*float64(b.Logits[g.first+i])))
	}
	regretSlopes(value[:g.n], g.regret[:g.n])
	for i := range g.n {
		b.Slopes[g.first+i] += float32(weight * sharpness * float64(g.sign[i]*value[i]))
	}
}
