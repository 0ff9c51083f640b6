package train

import (
	"context"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/train/internal/gradient"
)

// tdGame learns while it plays, by eligibility traces: with d the surprise of a step (see
// [tdLearner]) and s the position before it,
//
//	e <- lambda e + gradient of V(s)
//	w <- w + rate d e
//
// It serves one goroutine.
type tdGame struct {
	config *TDConfig
	model  *gradient.Model
	traces gradient.Traces
	value  *gradient.Batch // of the position after the last move
	look   *tdLook
}

func newTDGame(c *TDConfig, m *gradient.Model) *tdGame {
	return &tdGame{
		config: c, model: m, traces: make(gradient.Traces, len(m.Params)),
		value: gradient.NewBatch(m, 1), look: newTDLook(c, m, 1),
	}
}

// learn plays some games, learns after every move and returns the number of moves.
func (g *tdGame) learn(ctx context.Context, first uint64, games int64, rate float32) (moves int64, err error) {
	for i := range uint64(games) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		moves += g.play(first+i, rate)
	}
	return moves, nil
}

// play plays a game, learns from it, and returns the number of its moves.
func (g *tdGame) play(game uint64, rate float32) (moves int64) {
	clear(g.traces)
	p := g.look.rules.Start()
	dice := g.look.rules.Dice(g.look.seed, game)
	for turn := uint64(0); ; turn++ {
		worth := g.visit(p) // V of p, once its gradient is in the traces
		g.look.clear()
		o := g.look.add(p)
		g.look.batch.Forward()
		g.traces.Follow(g.model, rate*(g.look.mean(&o)-worth), float32(g.config.Lambda))
		roll := dice.Roll()
		if o.moves[roll] == 0 {
			p = p.Pass()
			continue
		}
		moves++
		move, random := g.look.choose(&o, p, roll, game, turn)
		if random {
			clear(g.traces)
		}
		p = g.look.after(p, roll, move)
		if _, over := p.Winner(); over {
			return moves
		}
	}
}

// visit returns V of a position and adds its gradient to the traces.
func (g *tdGame) visit(p board.Position) float32 {
	g.value.Clear()
	g.value.Add(p)
	g.value.Forward()
	win := float32(samebits.Logistic(float64(g.value.Logits[0])))
	slope := win * (1 - win)
	if p.Turn() == board.Dark {
		win, slope = 1-win, -slope
	}
	g.traces.Add(g.value, 0, slope)
	return win
}

// tdLook values the positions behind the next turn of games together.
type tdLook struct {
	config *TDConfig
	seed   uint64
	rules  *board.Rules // of the games, with their number of pieces
	batch  *gradient.Batch
	again  []bool // by position: whether the moving side moves again
	deep   *tdLook
}

// tdOptions are the positions reachable from a position, by roll, in the batch of a look.
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
	most := positions * (r.Pieces()*r.MaxRoll() + 1) // moves of all rolls and a pass
	return &tdLook{config: c, seed: seedFor(c.Seed, seedOfTD), rules: r, batch: gradient.NewBatch(m, most), again: make([]bool, 0, most)}
}

// clear removes all positions.
func (l *tdLook) clear() {
	l.batch.Clear()
	l.again = l.again[:0]
}

// add adds the positions reachable by any roll.
func (l *tdLook) add(p board.Position) tdOptions {
	o := tdOptions{mover: p.Turn()}
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
	return o
}

func (l *tdLook) addPosition(p board.Position, mover board.Side) int {
	l.again = append(l.again, p.Turn() == mover)
	return l.batch.Add(p)
}

// chance returns the logarithm of the odds of the side that moved to a position.
func (l *tdLook) chance(i int) float32 {
	if l.again[i] {
		return l.batch.Logits[i]
	}
	return -l.batch.Logits[i]
}

// best returns the move of a roll with the best chances, and these. There is one.
func (l *tdLook) best(o *tdOptions, roll int) (move int, chance float32) {
	move, chance = 0, l.chance(o.first[roll])
	for i := 1; i < o.moves[roll]; i++ {
		if c := l.chance(o.first[roll] + i); c > chance {
			move, chance = i, c
		}
	}
	return move, chance
}

// value returns V of a position of the batch.
func (l *tdLook) value(o *tdOptions, i int) float32 {
	win := samebits.Logistic(float64(l.chance(i)))
	if o.mover == board.Dark {
		win = 1 - win
	}
	return float32(win)
}

// mean returns the mean over all rolls of V after the best move, or after the pass.
func (l *tdLook) mean(o *tdOptions) float32 {
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
			_, chance := l.best(o, roll)
			sum += float64(float64(ways) * samebits.Logistic(float64(chance)))
		}
	}
	sum += float64(float64(passes) * samebits.Logistic(float64(l.chance(o.pass))))
	if o.mover == board.Dark {
		sum = throws - sum
	}
	return float32(sum / throws)
}

// choose returns the move of a turn: one at random, or the best by V of the position behind it, or
// at 2 plies by the mean of the best replies.
func (l *tdLook) choose(o *tdOptions, p board.Position, roll int, game, turn uint64) (move int, random bool) {
	switch c := l.config; {
	case c.Epsilon > 0 && unit(board.Mix(l.seed^board.Mix(game<<20|turn))) < c.Epsilon:
		return int(board.Mix(l.seed^board.Mix(game)+turn) % uint64(o.moves[roll])), true
	case o.wins[roll] > 0:
		return o.wins[roll] - 1, false
	case c.Plies == 2 && o.moves[roll] > 1:
		return l.deepest(o, p, roll), false
	}
	move, _ = l.best(o, roll)
	return move, false
}

// after returns the position behind a move of a roll.
func (l *tdLook) after(p board.Position, roll, move int) board.Position {
	var buf [board.MaxMoves]board.Move
	return l.rules.Apply(p, l.rules.Moves(buf[:0], p, roll)[move])
}

// deepest returns the move of a roll with the best chances at 2 plies.
func (l *tdLook) deepest(o *tdOptions, p board.Position, roll int) (move int) {
	if l.deep == nil {
		l.deep = newTDLook(l.config, l.batch.Model(), 1)
	}
	most := float32(math.Inf(-1))
	for i := range o.moves[roll] {
		l.deep.clear()
		options := l.deep.add(l.after(p, roll, i))
		l.deep.batch.Forward()
		win := l.deep.mean(&options)
		if o.mover == board.Dark {
			win = 1 - win
		}
		if win > most {
			move, most = i, win
		}
	}
	return move
}
