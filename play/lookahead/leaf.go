package lookahead

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/net"
	"github.com/seed-09dcdc84/ur/search"
)

// Leaf returns the probability, 0 to 1, that the side to move wins before it rolls. The
// game is not over. It must not depend on who is called Light.
type Leaf func(p board.Position) float64

// NetLeaf returns leaves valued by a net, one for each call: a leaf serves one goroutine.
func NetLeaf(q *net.Integer) func() Leaf {
	return func() Leaf {
		judge := net.NewJudge(net.Fastest(), q)
		var one [1]board.Position
		var value [1]int32
		return func(p board.Position) float64 {
			one[0] = p
			judge.Values(value[:], one[:])
			return q.Chance(value[0])
		}
	}
}

// LeafGame is the Royal Game of Ur as a [search.Dice] with leaves of any kind. It is as
// fast as its leaf is, and valued move by move. It serves one goroutine.
type LeafGame struct {
	pieces int
	leaf   Leaf
	fork   func() Leaf // for another goroutine
	exact  endgames
}

// Fork implements [search.Forker].
func (g *LeafGame) Fork() *LeafGame {
	fork := *g
	if g.fork != nil {
		fork.leaf = g.fork()
	}
	return &fork
}

// Position returns a position for a search.
func (g *LeafGame) Position(p board.Position) Position { return Position{word: wordOf(p)} }

// Weights implements [search.Dice].
func (g *LeafGame) Weights() []search.Value { return weights[:] }

// Key implements [search.Dice].
func (g *LeafGame) Key(p *Position) search.Key { return p.word.key() }

// Value implements [search.Dice].
func (g *LeafGame) Value(p *Position) search.Value {
	if p.word.over() {
		return result(p.word)
	}
	if v, known := g.Probe(p); known {
		return v
	}
	return ValueOf(g.leaf(p.word.board(g.pieces)))
}

// Probe implements [search.Prober].
func (g *LeafGame) Probe(p *Position) (search.Value, bool) {
	if p.word.over() || !g.exact.known(p.word.left()) {
		return 0, false
	}
	return g.exact.value(p.word, g.pieces), true
}

// Moves implements [search.Dice], as [Game.Moves] does. What looks promising is to
// capture, then a rosette, then a piece far ahead.
func (g *LeafGame) Moves(p *Position, roll int, list *search.List[Position]) (over search.Value) {
	w := p.word
	if w.over() {
		return result(w)
	}
	to, marked := w.destinations(roll)
	if to == 0 {
		m := list.Add()
		m.ID = PassID
		m.Next = Position{word: w.turned()}
		m.Key = m.Next.word.key()
		return 0
	}
	for ; to != 0; to &= to - 1 {
		square := (lowest(to) - startBit) & 15
		mark := marked >> (square + startBit) & 1
		m := list.Add()
		m.ID = uint8(square) - uint8(roll)
		m.Order = int32(square)
		next := w + steps[roll][square][mark]
		if rosettes>>(square+startBit)&1 != 0 {
			m.Again = true
			m.Order += 20
			m.Next = Position{word: next}
		} else {
			m.Order += int32(40 * mark)
			m.Next = Position{word: next.turned()}
		}
		m.Key = m.Next.word.key()
	}
	return 0
}
