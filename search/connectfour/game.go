package connectfour

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/search"
)

// Game is connect four as a [search.Game]. A value is positive for a win of the side to move: one
// more than the winner's stones that are not on the board when four are in a row. It is negative
// for a loss, and 0 for a draw.
//
// The game ends as soon as its result is certain: where the side to move can win at once or
// cannot prevent it, and two squares before a full board. Such a position has no moves here. For
// every other position Moves adds those that do not lose at once.
type Game struct{}

// mirrored is the number of stones up to which mirrored positions share a key. Later they hardly
// ever meet.
const mirrored = 12

// Key is the whole position: in every column the bits of the mover's stones plus those of all
// stones are a number of their own.
func (Game) Key(p *Position) search.Key {
	key, _ := p.keyWithMirror(p.Stones())
	return key
}

// keyWithMirror returns a position's key, and whether it is that of its mirror image.
func (p *Position) keyWithMirror(stones int) (key search.Key, mirror bool) {
	k := p.Own + p.All
	if stones <= mirrored {
		if other := reflectColumns(k); other < k {
			k, mirror = other, true
		}
	}
	return search.KeyOf(k), mirror
}

// reflectColumns exchanges the columns.
func reflectColumns(set uint64) (r uint64) {
	for c := range Columns {
		r |= set >> (7 * c) & (1<<7 - 1) << (7 * (Columns - 1 - c))
	}
	return r
}

// order has the columns from the middle outwards.
var order = [Columns]uint8{3, 2, 4, 1, 5, 0, 6}

// Moves adds the moves with the most winning squares first, of these the nearest to the middle.
// A move's ID is its column on the board whose key it has.
func (Game) Moves(p *Position, list *search.List[Position]) (result search.Value) {
	stones := p.Stones()
	if !p.calm && winningSquares(p.Own, p.All)&p.openSquares() != 0 {
		return winValue(stones)
	}
	moves := p.harmlessMoves()
	if moves == 0 {
		return lossValue(stones)
	}
	if stones >= Squares-2 {
		return 0
	}
	_, mirror := p.keyWithMirror(stones)
	for _, c := range order {
		square := moves & (column << (7 * c))
		if square == 0 {
			continue
		}
		m := list.Add()
		m.Next = p.afterMove(square)
		m.Next.calm = true
		m.Key, _ = m.Next.keyWithMirror(stones + 1)
		m.Order = int32(bits.OnesCount64(winningSquares(p.Own|square, p.All)))
		if m.ID = c; mirror {
			m.ID = Columns - 1 - c
		}
	}
	return 0
}

// harmlessMoves returns the moves that do not let the other side win at once.
func (p *Position) harmlessMoves() uint64 {
	threats, moves := winningSquares(p.Own^p.All, p.All), p.openSquares()
	if forced := moves & threats; forced != 0 {
		if forced&(forced-1) != 0 {
			return 0
		}
		moves = forced
	}
	return moves &^ (threats >> 1) // not below a square where the other side wins
}

// winValue and loss are the values of a win by the next stone, and of a loss by the one after it.
func winValue(stones int) search.Value { return search.Value(Squares+1-stones) / 2 }

func lossValue(stones int) search.Value { return -search.Value(Squares-stones) / 2 }

// Value of a position without a certain result is 0.
func (g Game) Value(p *Position) search.Value {
	switch stones := p.Stones(); {
	case !p.calm && winningSquares(p.Own, p.All)&p.openSquares() != 0:
		return winValue(stones)
	case p.harmlessMoves() == 0:
		return lossValue(stones)
	}
	return 0
}

// Bounds returns the least and the greatest value of a position. A win or a loss takes at least
// two more stones of the winner where the side to move does not win at once.
func (Game) Bounds(p *Position) (low, high search.Value) {
	stones := p.Stones()
	if !p.calm {
		return lossValue(stones), winValue(stones)
	}
	return lossValue(stones), winValue(stones + 2)
}

// Options returns the search techniques that pay in connect four. docs/search.md compares them.
func Options() search.Options {
	return search.Options{Algorithm: search.PVS, Static: true, ETC: true, Bounds: true}
}

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
