package train

import (
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/gradient"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// tdGame learns while it plays, by eligibility traces: with d the surprise of a step (see
// [tdLearner]) and s the position before it,
//
//	e <- lambda e + gradient of V(s)
//	w <- w + rate d e
//
// It serves one goroutine.
type tdGame struct {
	config TDConfig
	seed   uint64
	model  *gradient.Model
	traces gradient.Traces
	value  *gradient.Batch // of the position after the last move
	look   *tdLook
}

func newTDGame(c TDConfig, m *gradient.Model) *tdGame {
	return &tdGame{
		config: c, seed: seedFor(c.Seed, seedOfTD), model: m, traces: gradient.NewTraces(m),
		value: gradient.NewBatch(m, 1), look: newTDLook(c.game(), m, 1),
	}
}

// play plays a game, learns from it, and returns the number of its moves.
func (g *tdGame) play(game uint64, rate float32) (moves int64) {
	g.traces.Clear()
	p := g.look.rules.Start()
	dice := g.look.rules.Dice(g.seed, game)
	worth := g.visit(p) // V of p, once its gradient is in the traces
	expected := g.config.Updates == ExpectedUpdates
	for turn := uint64(0); ; turn++ {
		roll := dice.Roll()
		g.look.clear()
		o := g.look.add(p, roll, expected)
		g.look.batch.Forward()
		if expected {
			g.step(rate, g.look.mean(&o)-worth)
		}
		if o.moves[roll] == 0 {
			if p = p.Pass(); expected {
				worth = g.visit(p)
			}
			continue
		}
		moves++
		next, value := g.look.choose(&o, p, roll, g.config.Plies)
		explores := explores(g.config.Epsilon, g.seed, game, turn)
		if explores {
			next = g.look.anyMove(p, roll, g.seed, game, turn)
		}
		_, over := next.Winner()
		switch {
		case explores:
			g.traces.Clear()
		case !expected:
			g.step(rate, value-worth)
		}
		if over {
			return moves
		}
		p = next
		worth = g.visit(p)
	}
}

// step moves the weights by a surprise.
func (g *tdGame) step(rate, surprise float32) {
	g.traces.Follow(g.model, rate*surprise, float32(g.config.Lambda))
}

// visit returns V of a position and adds its gradient to the traces.
func (g *tdGame) visit(p rules.Position) float32 {
	g.value.Clear()
	g.value.AddRules(p)
	g.value.Forward()
	win := float32(valuenet.Logistic(float64(g.value.Logits[0])))
	slope := win * (1 - win)
	if p.Turn() == board.Dark {
		win, slope = 1-win, -slope
	}
	g.traces.Add(g.value, 0, slope)
	return win
}

// explores reports whether the move of a turn is made at random.
func explores(epsilon float64, seed, game, turn uint64) bool {
	return epsilon > 0 && unit(board.Mix(seed^board.Mix(game<<20|turn))) < epsilon
}

// tdLook values the positions after the moves of games together.
type tdLook struct {
	rules *rules.Rules // of the games, with their number of pieces
	batch *gradient.Batch
	again []bool // by position: whether the moving side moves again
	deep  *tdLook
}

// tdOptions are the positions reachable from a position, by roll, in the batch of a look.
type tdOptions struct {
	mover board.Side
	first [rules.MaxRoll + 1]int
	moves [rules.MaxRoll + 1]int // how many there are
	wins  [rules.MaxRoll + 1]int // the number of the winning move, from 1 on; 0 if there is none
	pass  int                    // the position after a pass, or -1 if not needed
}

// newTDLook returns room for the options of the given number of positions.
func newTDLook(r *rules.Rules, m *gradient.Model, positions int) *tdLook {
	most := reachable(r)
	return &tdLook{rules: r, batch: gradient.NewBatch(m, positions*most), again: make([]bool, 0, positions*most)}
}

// reachable returns the maximum number of positions after a turn, over all rolls and a pass.
func reachable(r *rules.Rules) int { return r.Pieces()*r.MaxRoll() + 1 }

// clear removes all positions.
func (l *tdLook) clear() {
	l.batch.Clear()
	l.again = l.again[:0]
}

// add adds the positions reachable by a roll, or by all of them.
func (l *tdLook) add(p rules.Position, roll int, all bool) tdOptions {
	o := tdOptions{mover: p.Turn(), pass: -1}
	for r := range l.rules.MaxRoll() + 1 {
		if r != roll && (!all || r == 0) {
			continue
		}
		l.addMoves(&o, p, r)
	}
	if all {
		o.pass = l.addPosition(p.Pass(), o.mover)
	}
	return o
}

// addMoves adds the positions after the moves of a roll.
func (l *tdLook) addMoves(o *tdOptions, p rules.Position, roll int) {
	var buf [rules.MaxMoves]board.Move
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

func (l *tdLook) addPosition(p rules.Position, mover board.Side) int {
	l.again = append(l.again, p.Turn() == mover)
	return l.batch.AddRules(p)
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

// lightWins turns the logarithm of a side's odds into Light's win probability.
func lightWins(side board.Side, chance float32) float32 {
	win := valuenet.Logistic(float64(chance))
	if side == board.Dark {
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
			sum += float64(float64(ways) * valuenet.Logistic(float64(chance)))
		}
	}
	sum += float64(float64(passes) * valuenet.Logistic(float64(l.chance(o.pass))))
	if o.mover == board.Dark {
		sum = throws - sum
	}
	return float32(sum / throws)
}

// passed returns V of the requested position after a pass.
func (l *tdLook) passed(o *tdOptions) float32 { return lightWins(o.mover, l.chance(o.pass)) }

// choose returns the position after the best move of a roll, and V of it: by its value, or at 2
// plies by the mean of the best replies to it, which differs from V.
func (l *tdLook) choose(o *tdOptions, p rules.Position, roll, plies int) (rules.Position, float32) {
	var buf [rules.MaxMoves]board.Move
	moves := l.rules.Moves(buf[:0], p, roll)
	if win := o.wins[roll]; win > 0 {
		return l.rules.Apply(p, moves[win-1]), float32(1 - o.mover)
	}
	move, _ := l.best(o, roll)
	if plies == 2 && len(moves) > 1 {
		move = l.deepest(o, p, roll)
	}
	return l.rules.Apply(p, moves[move]), lightWins(o.mover, l.chance(o.first[roll]+move))
}

// value returns V of the position after a move of a roll.
func (l *tdLook) value(o *tdOptions, p rules.Position, roll int, after rules.Position) float32 {
	var buf [rules.MaxMoves]board.Move
	for i, m := range l.rules.Moves(buf[:0], p, roll) {
		if l.rules.Apply(p, m) == after {
			return lightWins(o.mover, l.chance(o.first[roll]+i))
		}
	}
	return float32(1 - o.mover)
}

// anyMove returns the position after a move at random.
func (l *tdLook) anyMove(p rules.Position, roll int, seed, game, turn uint64) rules.Position {
	var buf [rules.MaxMoves]board.Move
	moves := l.rules.Moves(buf[:0], p, roll)
	return l.rules.Apply(p, moves[board.Mix(seed^board.Mix(game)+turn)%uint64(len(moves))])
}

// deepest returns the move of a roll with the best chances at 2 plies.
func (l *tdLook) deepest(o *tdOptions, p rules.Position, roll int) (move int) {
	if l.deep == nil {
		l.deep = &tdLook{rules: l.rules, batch: l.batch.Like(reachable(l.rules))}
	}
	var buf [rules.MaxMoves]board.Move
	most := float32(math.Inf(-1))
	for i, m := range l.rules.Moves(buf[:0], p, roll) {
		l.deep.clear()
		options := l.deep.add(l.rules.Apply(p, m), 0, true)
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
