package train

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// decision is a choice of perfect play as something to learn from: the alternatives
// stand together in a [decisions].
type decision struct {
	first, n int     // its alternatives
	sign     float64 // 1 when Light, the maximizer, chooses; -1 for Dark
}

// alternative is a position after one of the moves of a decision.
type alternative struct {
	win    float64 // Light's probability to win
	regret float64 // of choosing it, 0..1: the loss of the chooser's win probability

	// The nonzero numbers of its board.
	n      int
	number [maxNumbers]uint8
	count  [maxNumbers]uint8
}

// maxNumbers bounds the nonzero numbers of a board: the squares of 14 pieces, and the side to
// move; hands and homes take pieces from there.
const maxNumbers = 2*board.MaxPieces + 1

// decisions are those of some games, in their order.
type decisions struct {
	list         []decision
	alternatives []alternative
}

// play adds the decisions of a game in which both sides play perfectly.
func (d *decisions) play(t solve.Table, pieces int, seed, game uint64) {
	var buf [board.MaxMoves]board.Move
	p := board.StartPosition(pieces)
	dice := board.NewDice(seed, game)
	for {
		moves := p.Moves(buf[:0], dice.Roll())
		switch len(moves) {
		case 0:
			p = p.Pass()
		case 1:
			p = p.Apply(moves[0])
		default:
			p = p.Apply(moves[d.add(t, p, moves)])
		}
		if _, over := p.Winner(); over {
			return
		}
	}
}

// add adds a decision and returns the best move.
func (d *decisions) add(t solve.Table, p board.Position, moves []board.Move) int {
	choice := decision{first: len(d.alternatives), n: len(moves), sign: 1}
	if p.Turn() == board.Dark {
		choice.sign = -1
	}
	best, worth := solve.BestMove(t, p, moves)
	for _, m := range moves {
		after := solve.After(t, p, m)
		a := alternative{win: after, regret: worth - after}
		if p.Turn() == board.Dark {
			a.win = 1 - after
		}
		a.set(p.Apply(m))
		d.alternatives = append(d.alternatives, a)
	}
	d.list = append(d.list, choice)
	return best
}

// set notes the numbers of a position's board.
func (a *alternative) set(p board.Position) {
	for i, x := range p.Numbers() {
		if x != 0 {
			a.number[a.n], a.count[a.n] = uint8(i), uint8(x)
			a.n++
		}
	}
}

// value returns the value of the alternative by real weights, as getValue has it for
// those of a brain.
func (a *alternative) value(weights []float64) (sum float64) {
	for i := range a.n {
		row := weights[int(a.number[i])*(int(a.number[i])+1)/2:]
		part := 0.0
		for j := range i + 1 {
			part += float64(row[a.number[j]] * float64(a.count[j]))
		}
		sum += float64(part * float64(a.count[i]))
	}
	return sum
}

// addGradient adds the gradient of the value to a gradient by weights, times a factor.
func (a *alternative) addGradient(gradient []float64, times float64) {
	for i := range a.n {
		row := gradient[int(a.number[i])*(int(a.number[i])+1)/2:]
		part := times * float64(a.count[i])
		for j := range i + 1 {
			row[a.number[j]] += float64(part * float64(a.count[j]))
		}
	}
}
