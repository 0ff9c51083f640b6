package train

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// fitDecision is a perfect player's choice as something to learn from: the alternatives stand
// together in a [decisions].
type fitDecision struct {
	first, n int     // its alternatives
	sign     float64 // 1 when Light, the maximizer, chooses; -1 for Dark
}

// alternative is a position after one of a decision's moves.
type alternative struct {
	win    float64 // Light's probability to win
	regret float64 // regret when chosen, 0..1: the chooser's lost win probability

	// Its board's nonzero numbers.
	n      int
	number [maxNumbers]uint8
	count  [maxNumbers]uint8
}

// maxNumbers bounds a board's nonzero numbers: the squares of 14 pieces, and the side to
// move; hands and homes take pieces from there.
const maxNumbers = 2*board.FinkelPieces + 1

// decisions holds those from some games, in their order.
type decisions struct {
	list         []fitDecision
	alternatives []alternative
}

// playGame adds a game's decisions, in which both sides play perfectly.
func (d *decisions) playGame(t *solve.Table, r *board.Rules, seed, game uint64) {
	var buf [board.MaxMoves]board.Move
	var judged decision
	g := perfectGame{Number: game, position: r.Start()}
	for moves := g.nextChoice(r, seed, buf[:0]); moves != nil; moves = g.nextChoice(r, seed, buf[:0]) {
		judged.judgeMoves(t, r, g.position, moves)
		d.addDecision(&judged)
		g.position = judged.after[judged.best]
		if _, over := g.position.Winner(); over {
			return
		}
	}
}

// addDecision adds a decision.
func (d *decisions) addDecision(judged *decision) {
	choice := fitDecision{first: len(d.alternatives), n: judged.n, sign: 1}
	if judged.mover == board.Dark {
		choice.sign = -1
	}
	for i := range judged.n {
		a := alternative{win: judged.worth[i], regret: judged.regret[i]}
		if judged.mover == board.Dark {
			a.win = 1 - a.win
		}
		a.setNumbers(judged.after[i])
		d.alternatives = append(d.alternatives, a)
	}
	d.list = append(d.list, choice)
}

// setNumbers notes the numbers on a position's board.
func (a *alternative) setNumbers(p board.Position) {
	for i, x := range p.Numbers() {
		if x != 0 {
			a.number[a.n], a.count[a.n] = uint8(i), uint8(x)
			a.n++
		}
	}
}

// value returns the alternative's value by real weights, as getValue has it for
// a brain's.
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

// addGradient adds the value's gradient to a gradient by weights, times a factor.
func (a *alternative) addGradient(gradient []float64, times float64) {
	for i := range a.n {
		row := gradient[int(a.number[i])*(int(a.number[i])+1)/2:]
		part := times * float64(a.count[i])
		for j := range i + 1 {
			row[a.number[j]] += float64(part * float64(a.count[j]))
		}
	}
}
