package train

import (
	"context"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// tdRound plays many games by the same weights, and then learns from all their positions.
//
// The playing net, and the result, are exponential moving averages of the weights whose decay
// follows a power of the age (Shamir and Zhang, "Stochastic gradient descent for non-smooth
// optimization", 2013): single steps jump around the optimum, and targets made from them would
// jump, too.
//
// The target of a position is the lambda-return, the forward view of TD(lambda): with d the
// surprises of its game (see [tdLearner]), from the one behind the position on,
//
//	G = V(s) + d + lambda d' + lambda^2 d'' + ...
//
// With constant weights, moving every V(s) towards its G equals the sum of all updates by
// eligibility traces (Sutton and Barto, section 12.1). The positions of a round are shuffled
// and cut into batches. For each of them Adam takes a step against the gradient of the
// cross-entropy between V and G, V - G by a logit.
//
// Games are dealt to a fixed number of parts, and so are the positions of a batch. Results are
// combined in the order of the parts, so the number of threads does not matter.
type tdRound struct {
	config   *TDConfig
	seed     uint64
	model    *gradient.Model
	mean     *gradient.Model // of the weights of late: they play
	adam     *gradient.Adam
	gradient []float32
	players  []*tdPlayer
	learners []*gradient.Batch
	visits   []tdVisit
}

// tdMeanPart is the share of all steps, the last ones, covered by the mean of weights.
const tdMeanPart = 32

// Sizes of a round: the parts of its games, and the positions of a batch and its parts. The
// last batches are a little larger, since none is small.
const (
	tdPlayers  = 8
	tdBatch    = 512
	tdLearners = 4
)

func newTDRound(c *TDConfig, m, mean *gradient.Model) *tdRound {
	r := &tdRound{
		config: c, seed: seedFor(c.Seed, seedOfTD), model: m, mean: mean, adam: gradient.NewAdam(m), gradient: make([]float32, len(m.Params)),
	}
	for i := range min(tdPlayers, c.Lanes) {
		lanes := (c.Lanes - i + tdPlayers - 1) / tdPlayers
		r.players = append(r.players, &tdPlayer{config: c, look: newTDLook(c, mean, lanes), lanes: make([]tdLane, lanes)})
	}
	for range tdLearners {
		r.learners = append(r.learners, gradient.NewBatch(m, 2*tdBatch/tdLearners+1))
	}
	return r
}

// tdVisit is a visited position of a game.
type tdVisit struct {
	position board.Position
	value    float32 // V of it
	target   float32 // first V and the surprise behind it; then G
	cut      bool    // whether the move behind it is made at random
}

// learn plays a round of games numbered from first on, learns from it and returns the number of
// moves. After an error the weights are those of a part of the round.
func (r *tdRound) learn(ctx context.Context, first uint64, rate float64) (moves int64, err error) {
	err = each(ctx, r.config.Parallel, len(r.players), func(i int) error {
		return r.players[i].play(ctx, first+uint64(i), uint64(len(r.players)))
	})
	if err != nil {
		return 0, err
	}
	r.visits = r.visits[:0]
	for _, p := range r.players {
		moves += p.moves
		for i := range p.lanes {
			r.visits = append(r.visits, p.lanes[i].path...)
		}
	}
	rng := rand.New(rand.NewPCG(r.seed, first))
	rng.Shuffle(len(r.visits), func(i, j int) { r.visits[i], r.visits[j] = r.visits[j], r.visits[i] })
	n := len(r.visits)
	batches := max(1, n/tdBatch)
	for i := range batches {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := r.step(r.visits[i*n/batches:(i+1)*n/batches], rate); err != nil {
			return 0, err
		}
	}
	return moves, nil
}

// step takes a step by the positions of a batch. It is not to be interrupted.
func (r *tdRound) step(visits []tdVisit, rate float64) error {
	n := len(visits)
	err := each(context.Background(), r.config.Parallel, len(r.learners), func(i int) error {
		learnTargets(r.learners[i], visits[i*n/tdLearners:(i+1)*n/tdLearners])
		return nil
	})
	clear(r.gradient)
	for _, b := range r.learners {
		b.AddGradient(r.gradient)
	}
	r.adam.Step(r.model, r.gradient, 1/float32(n), rate)
	r.mean.MoveTowards(r.model, 1/(1+float32(r.adam.Steps)/tdMeanPart))
	return err
}

// learnTargets computes the gradient of positions and their targets.
func learnTargets(b *gradient.Batch, visits []tdVisit) {
	b.Clear()
	for i := range visits {
		b.Add(visits[i].position)
	}
	b.Forward()
	for i := range visits {
		target := visits[i].target
		if visits[i].position.Turn() == board.Dark {
			target = 1 - target
		}
		b.Slopes[i] = float32(samebits.Logistic(float64(b.Logits[i]))) - target
	}
	b.Backward()
}

// tdPlayer plays its games of a round side by side. It serves one goroutine.
type tdPlayer struct {
	config *TDConfig
	look   *tdLook
	lanes  []tdLane
	moves  int64
}

// tdLane is a game under way, and where it has been.
type tdLane struct {
	number   uint64
	dice     board.Dice
	turn     uint64
	over     bool
	position board.Position
	path     []tdVisit

	options tdOptions // of the turn under way
}

// play plays games of some numbers to their ends and finds the targets of their positions.
func (p *tdPlayer) play(ctx context.Context, first, stride uint64) error {
	p.begin(first, stride)
	for live := len(p.lanes); live > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.look.clear()
		for i := range p.lanes {
			if l := &p.lanes[i]; !l.over {
				l.options = p.look.add(l.position)
			}
		}
		p.look.batch.Forward()
		for i := range p.lanes {
			if l := &p.lanes[i]; !l.over {
				if p.turn(l); l.over {
					live--
				}
			}
		}
	}
	for i := range p.lanes {
		returns(p.lanes[i].path, float32(p.config.Lambda))
	}
	return nil
}

// begin puts all lanes at the start of their games.
func (p *tdPlayer) begin(first, stride uint64) {
	start := p.look.rules.Start()
	p.moves = 0
	p.look.clear()
	p.look.addPosition(start, start.Turn())
	p.look.batch.Forward()
	value := p.look.value(&tdOptions{mover: start.Turn()}, 0)
	for i := range p.lanes {
		l := &p.lanes[i]
		number := first + uint64(i)*stride
		*l = tdLane{number: number, dice: p.look.rules.Dice(p.look.seed, number), position: start, path: l.path[:0]}
		l.visit(start, value)
	}
}

// visit adds a position to the path of a lane.
func (l *tdLane) visit(position board.Position, value float32) {
	l.path = append(l.path, tdVisit{position: position, value: value, target: value})
}

// turn makes the move of a lane's turn, or passes, and keeps the surprise.
func (p *tdPlayer) turn(l *tdLane) {
	o, last := &l.options, &l.path[len(l.path)-1]
	last.target = p.look.mean(o)
	roll, turn := l.dice.Roll(), l.turn
	l.turn++
	if o.moves[roll] == 0 {
		l.position = l.position.Pass()
		l.visit(l.position, p.look.value(o, o.pass))
		return
	}
	p.moves++
	var move int
	move, last.cut = p.look.choose(o, l.position, roll, l.number, turn)
	l.position = p.look.after(l.position, roll, move)
	if _, l.over = l.position.Winner(); !l.over {
		l.visit(l.position, p.look.value(o, o.first[roll]+move))
	}
}

// returns turns the targets of a game's path from those of one step into lambda-returns.
func returns(path []tdVisit, lambda float32) {
	for i := len(path) - 2; i >= 0; i-- {
		if s, next := &path[i], &path[i+1]; !s.cut {
			s.target += float32(lambda * (next.target - next.value))
		}
	}
}
