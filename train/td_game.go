package train

import (
	"context"
	"math"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// tdVisit is a position visited in a game.
type tdVisit struct {
	position board.Position
	value    float32 // V of it
	target   float32 // first V and the surprise behind it; then G
	cut      bool    // whether the move behind it is made at random
}

// tdPlayer plays its games in a round side by side. It serves one goroutine.
type tdPlayer struct {
	look   *tdLook
	pool   []*tdLook // looks of earlier versions
	lanes  []tdLane
	moves  int64
	traces *tdTraces // traces for the sequential algorithm, which has one lane; otherwise nil
}

func newTDPlayer(c *TDConfig, m *gradient.Model, pool []*gradient.Model, lanes int) *tdPlayer {
	p := &tdPlayer{look: newTDLook(c, m, lanes), lanes: make([]tdLane, lanes)}
	for _, version := range pool {
		p.pool = append(p.pool, newTDLook(c, version, 1))
	}
	return p
}

// tdLane is a game under way, and where it has been.
type tdLane struct {
	number   uint64
	dice     board.Dice
	turn     uint64
	over     bool
	position board.Position
	path     []tdVisit

	options tdOptions // options in the current turn
}

// playGames plays numbered games to their ends and finds targets for their positions.
func (p *tdPlayer) playGames(ctx context.Context, first, stride uint64) error {
	for live := p.beginLanes(first, stride); len(live) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.look.clearPositions()
		for _, l := range live {
			p.look.addOptions(&l.options, l.position)
			if p.traces != nil {
				p.look.addPosition(l.position, l.position.Turn())
			}
		}
		p.look.batch.Forward()
		for _, l := range live {
			p.takeTurn(l)
		}
		live = slices.DeleteFunc(live, func(l *tdLane) bool { return l.over })
	}
	for i := range p.lanes {
		lambdaReturns(p.lanes[i].path, float32(p.look.config.Lambda))
	}
	return nil
}

// beginLanes puts all lanes at their games' start, and returns them.
func (p *tdPlayer) beginLanes(first, stride uint64) (live []*tdLane) {
	start := p.look.rules.Start()
	p.moves = 0
	if p.traces != nil {
		clear(p.traces.sums)
	}
	p.look.clearPositions()
	p.look.addPosition(start, start.Turn())
	p.look.batch.Forward()
	value := p.look.valueAt(&tdOptions{mover: start.Turn()}, 0)
	for i := range p.lanes {
		l := &p.lanes[i]
		number := first + uint64(i)*stride
		*l = tdLane{number: number, dice: p.look.rules.Dice(p.look.seed, number), position: start, path: l.path[:0]}
		l.path = append(l.path, tdVisit{position: start, value: value})
		live = append(live, l)
	}
	return live
}

// visitPosition adds a lane's position, the i-th of the look, to its path. Traces need no value.
func (p *tdPlayer) visitPosition(l *tdLane, i int) {
	v := tdVisit{position: l.position}
	if p.traces == nil {
		v.value = p.look.valueAt(&l.options, i)
	}
	l.path = append(l.path, v)
}

// takeTurn makes the move in a lane's turn, or passes, and keeps the surprise.
func (p *tdPlayer) takeTurn(l *tdLane) {
	o, last := &l.options, &l.path[len(l.path)-1]
	last.target = p.look.meanValue(o)
	if p.traces != nil {
		p.traces.learnTarget(p.look.batch, l.position, last.target)
	}
	roll, turn := l.dice.Roll(), l.turn
	l.turn++
	if o.moves[roll] == 0 {
		l.position = l.position.Pass()
		p.visitPosition(l, o.pass)
		return
	}
	p.moves++
	var move int
	move, last.cut = p.look.chooseMove(o, l.position, roll, l.number, turn)
	if rival, side := p.rival(l.number); rival != nil && side == l.position.Turn() {
		options := rival.lookBehind(l.position)
		reply, _ := rival.chooseMove(&options, l.position, roll, l.number, turn)
		move, last.cut = reply, last.cut || reply != move
	}
	if last.cut && p.traces != nil {
		clear(p.traces.sums)
	}
	l.position = p.look.positionAfter(l.position, roll, move)
	if _, l.over = l.position.Winner(); !l.over {
		p.visitPosition(l, o.first[roll]+move)
	}
}

// rival returns the look of the earlier version in a game, nil without one, and its side.
func (p *tdPlayer) rival(game uint64) (*tdLook, board.Side) {
	if len(p.pool) == 0 {
		return nil, 0
	}
	drawn := board.Mix(p.look.seed + board.Mix(game))
	return p.pool[drawn>>1%uint64(len(p.pool))], board.Side(drawn & 1)
}

// lambdaReturns turns the targets on a game's path from one-step targets into lambda-returns.
func lambdaReturns(path []tdVisit, lambda float32) {
	for i := len(path) - 2; i >= 0; i-- {
		if s, next := &path[i], &path[i+1]; !s.cut {
			s.target += float32(lambda * (next.target - next.value))
		}
	}
}

// tdTraces learns while a game is played, by eligibility traces: with d a step's surprise (see
// [tdLearner]) and s the position before it,
//
//	e <- lambda e + gradient of V(s)
//	w <- w + rate d e
type tdTraces struct {
	model        *gradient.Model
	sums         gradient.Traces
	rate, lambda float32
}

// learnTarget moves the weights by the surprise between V of a position, the last of a batch, and a target.
func (t *tdTraces) learnTarget(b *gradient.Batch, p board.Position, target float32) {
	last := b.Len() - 1
	win := float32(samebits.Logistic(float64(b.Logits[last])))
	t.sums.Add(b, last, float32(p.Turn().Sign())*win*(1-win))
	t.sums.Follow(t.model, t.rate*(target-lightWin(win, p.Turn())), t.lambda)
}

// tdLook values the positions behind the next turn of games together.
type tdLook struct {
	config *TDConfig
	seed   uint64
	rules  *board.Rules // rules and number of pieces
	batch  *gradient.Batch
	signs  []float32 // 1 where the moving side moves again, otherwise -1, for each position
	deep   *tdLook
}

// tdOptions are the positions reachable from a position, by roll, in a look's batch.
type tdOptions struct {
	mover board.Side
	first [board.MaxRoll + 1]int
	moves [board.MaxRoll + 1]int // how many there are
	wins  [board.MaxRoll + 1]int // the number of the winning move, from 1 on; 0 if there is none
	pass  int                    // the position after a pass
}

// newTDLook returns room for the options of the given number of positions.
func newTDLook(c *TDConfig, m *gradient.Model, positions int) *tdLook {
	r := c.Rules
	most := positions * (r.Pieces()*r.MaxRoll() + 2) // moves of all rolls, a pass, and the position itself
	return &tdLook{config: c, seed: seedFor(c.Seed, seedOfTD), rules: r, batch: gradient.NewBatch(m, most), signs: make([]float32, 0, most)}
}

// clearPositions removes all positions.
func (l *tdLook) clearPositions() {
	l.batch.Clear()
	l.signs = l.signs[:0]
}

// addOptions adds the positions reachable by any roll, and sets the options to them.
func (l *tdLook) addOptions(o *tdOptions, p board.Position) {
	*o = tdOptions{mover: p.Turn()}
	for roll := 1; roll <= l.rules.MaxRoll(); roll++ {
		var buf [board.MaxMoves]board.Move
		moves := l.rules.Moves(buf[:0], p, roll)
		o.first[roll], o.moves[roll] = l.batch.Len(), len(moves)
		for i, m := range moves {
			after := l.rules.Apply(p, m)
			if _, over := after.Winner(); over {
				o.wins[roll] = i + 1
			}
			l.addPosition(after, o.mover)
		}
	}
	o.pass = l.addPosition(p.Pass(), o.mover)
}

// lookBehind values the positions behind one instead of those so far, and returns its options.
func (l *tdLook) lookBehind(p board.Position) (o tdOptions) {
	l.clearPositions()
	l.addOptions(&o, p)
	l.batch.Forward()
	return o
}

func (l *tdLook) addPosition(p board.Position, mover board.Side) int {
	l.signs = append(l.signs, float32(p.Turn().Sign()*mover.Sign()))
	return l.batch.Add(p)
}

// chance returns the logarithm of the odds of the side that moved to a position.
func (l *tdLook) chance(i int) float32 { return l.signs[i] * l.batch.Logits[i] }

// bestMove returns a roll's move with the best chances, and these. There is one.
func (l *tdLook) bestMove(o *tdOptions, roll int) (move int, chance float32) {
	move, chance = 0, l.chance(o.first[roll])
	for i := 1; i < o.moves[roll]; i++ {
		if c := l.chance(o.first[roll] + i); c > chance {
			move, chance = i, c
		}
	}
	return move, chance
}

// valueAt returns V of a position of the batch.
func (l *tdLook) valueAt(o *tdOptions, i int) float32 {
	return float32(lightWin(samebits.Logistic(float64(l.chance(i))), o.mover))
}

// meanValue returns the mean over all rolls of V after the best move, or after the pass.
func (l *tdLook) meanValue(o *tdOptions) float32 {
	throws := float64(l.rules.WeightSum())
	sum, passes := 0.0, 0
	for roll := range l.rules.MaxRoll() + 1 {
		ways := l.rules.Weight(roll)
		switch {
		case o.wins[roll] > 0:
			sum += float64(ways)
		case o.moves[roll] == 0:
			passes += ways
		default:
			_, chance := l.bestMove(o, roll)
			sum += float64(float64(ways) * samebits.Logistic(float64(chance)))
		}
	}
	sum += float64(float64(passes) * samebits.Logistic(float64(l.chance(o.pass))))
	if o.mover == board.Dark {
		sum = throws - sum
	}
	return float32(sum / throws)
}

// chooseMove returns a turn's move: one at random, or the best by V of the position behind it, or
// at 2 plies by the mean of the best replies.
func (l *tdLook) chooseMove(o *tdOptions, p board.Position, roll int, game, turn uint64) (move int, random bool) {
	switch c := l.config; {
	case c.Epsilon > 0 && unitFloat(board.Mix(l.seed^board.Mix(game<<20|turn))) < c.Epsilon:
		return int(board.Mix(l.seed^board.Mix(game)+turn) % uint64(o.moves[roll])), true
	case o.wins[roll] > 0:
		return o.wins[roll] - 1, false
	case c.Plies == 2 && o.moves[roll] > 1:
		return l.bestDeepMove(o, p, roll), false
	}
	move, _ = l.bestMove(o, roll)
	return move, false
}

// positionAfter returns the position behind a move of a roll.
func (l *tdLook) positionAfter(p board.Position, roll, move int) board.Position {
	var buf [board.MaxMoves]board.Move
	return l.rules.Apply(p, l.rules.Moves(buf[:0], p, roll)[move])
}

// bestDeepMove returns a roll's move with the best chances at 2 plies.
func (l *tdLook) bestDeepMove(o *tdOptions, p board.Position, roll int) (move int) {
	if l.deep == nil {
		l.deep = newTDLook(l.config, l.batch.Model(), 1)
	}
	most := float32(math.Inf(-1))
	for i := range o.moves[roll] {
		options := l.deep.lookBehind(l.positionAfter(p, roll, i))
		if win := lightWin(l.deep.meanValue(&options), o.mover); win > most { // of the mover
			move, most = i, win
		}
	}
	return move
}
