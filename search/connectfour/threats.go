package connectfour

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/search"
)

// Threats is connect four for searches that end before the game: it estimates positions, and names
// those where an estimate is worth little. Values are those of [Game] times Unit, and an estimate
// is the difference of both sides' winning squares.
type Threats struct{ Game }

// Unit is the value of a stone: more than any estimate.
const Unit = 64

// Moves adds the moves of [Game], those that threaten to win by the next stone with one more ply
// for Options.Extensions: the reply is forced.
func (g Threats) Moves(p *Position, list *search.List[Position]) (result search.Value) {
	result = g.Game.Moves(p, list)
	for i := range list.All() {
		m := &list.All()[i]
		if !m.Next.Quiet() {
			m.Extend = 1
		}
	}
	return Unit * result
}

// Quiet reports whether the side to move need not prevent a win by the other side's next stone.
func (p *Position) Quiet() bool { return winningSquares(p.Own^p.All, p.All)&p.openSquares() == 0 }

// Quiet implements [search.Quieter].
func (Threats) Quiet(p *Position) bool { return p.Quiet() }

// Value returns a certain result, or the estimate.
func (g Threats) Value(p *Position) search.Value {
	if v := g.Game.Value(p); v != 0 {
		return Unit * v
	}
	own, opp := winningSquares(p.Own, p.All), winningSquares(p.Own^p.All, p.All)
	return search.Value(bits.OnesCount64(own) - bits.OnesCount64(opp))
}

// Bounds returns the bounds of [Game.Bounds].
func (g Threats) Bounds(p *Position) (low, high search.Value) {
	low, high = g.Game.Bounds(p)
	return Unit * low, Unit * high
}
