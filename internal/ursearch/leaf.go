package ursearch

import (
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Leaf writes to win, for each of the positions, the probability, 0 to 1, that the side to move
// wins before it rolls. None of the games is over. The result must not depend on the names of
// the sides, nor on the other positions of the call.
type Leaf func(win []float64, positions []board.Position)

// TableLeaf returns the leaf of an exact solution.
func TableLeaf(t solve.Table) Leaf {
	return func(win []float64, positions []board.Position) {
		for i, p := range positions {
			win[i] = t.Win(p)
		}
	}
}

// NetLeaf returns leaves valued by a net, one for each call: a leaf serves one goroutine.
func NetLeaf(q *valuenet.Integer) func() Leaf {
	return func() Leaf {
		judge := valuenet.NewJudge(valuenet.Fastest(), q)
		var values []int32
		return func(win []float64, positions []board.Position) {
			if len(values) < len(positions) {
				values = make([]int32, 2*len(positions))
			}
			judge.Values(values, positions)
			for i := range positions {
				win[i] = q.Chance(values[i])
			}
		}
	}
}

// LeafGame is the Royal Game of Ur as a [search.DiceGame] with leaves of any kind. All leaves of
// the last ply of a position are valued together. It serves one goroutine.
type LeafGame struct {
	pieces int
	leaf   Leaf
	fork   func() Leaf // for another goroutine
	exact  endgames

	list  search.List[Position] // of LastRoll
	last  []lastMove
	batch []board.Position // positions for the leaf, filled by last
	win   []float64
}

// lastMove is a move of the last ply.
type lastMove struct {
	roll  int
	again bool
	value search.Value // of the position behind it, when at is below zero
	at    int          // its number in the batch
}

func newLeafGame(pieces int, leaf Leaf, fork func() Leaf, exact endgames) *LeafGame {
	return &LeafGame{pieces: pieces, leaf: leaf, fork: fork, exact: exact}
}

// Fork implements [search.Forker].
func (g *LeafGame) Fork() *LeafGame {
	fork := newLeafGame(g.pieces, g.leaf, g.fork, g.exact)
	if g.fork != nil {
		fork.leaf = g.fork()
	}
	return fork
}

// Position returns a position for a search.
func (g *LeafGame) Position(p board.Position) Position { return Position{word: wordOf(p)} }

// Weights implements [search.DiceGame].
func (g *LeafGame) Weights() []search.Value { return weights[:] }

// Key implements [search.DiceGame].
func (g *LeafGame) Key(p *Position) search.Key { return p.word.key() }

// Value implements [search.DiceGame].
func (g *LeafGame) Value(p *Position) search.Value {
	if p.word.over() {
		return result(p.word)
	}
	if v, known := g.Probe(p); known {
		return v
	}
	g.batch = append(g.batch[:0], p.word.board(g.pieces))
	return ValueOf(g.valued()[0])
}

// valued asks the leaf about the batch.
func (g *LeafGame) valued() []float64 {
	if len(g.win) < len(g.batch) {
		g.win = make([]float64, 2*len(g.batch))
	}
	win := g.win[:len(g.batch)]
	if len(win) > 0 {
		g.leaf(win, g.batch)
	}
	return win
}

// Probe implements [search.Prober].
func (g *LeafGame) Probe(p *Position) (search.Value, bool) {
	if p.word.over() || !g.exact.known(p.word.left()) {
		return 0, false
	}
	return g.exact.value(p.word, g.pieces), true
}

// Moves implements [search.DiceGame], as [Game.Moves] does. Its order prefers captures, then
// rosettes, then pieces far ahead.
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

// LastRoll implements [search.LastRoll]: the leaf is called once, with all positions after the
// rolls.
func (g *LeafGame) LastRoll(p *Position, nodes *uint64) search.Value {
	if p.word.over() {
		return result(p.word)
	}
	g.gather(p)
	*nodes += uint64(len(g.last))
	win := g.valued()
	best := [board.MaxRoll + 1]search.Value{}
	for roll := range best {
		best[roll] = -search.MaxValue
	}
	var pass search.Value
	for _, m := range g.last {
		v := m.value
		if m.at >= 0 {
			v = ValueOf(win[m.at])
		}
		if !m.again {
			v = -v
		}
		if m.roll == 0 {
			pass = v
		}
		best[m.roll] = max(best[m.roll], v)
	}
	sum := search.Value(0)
	for roll, weight := range weights {
		if to, _ := p.word.destinations(roll); to == 0 {
			best[roll] = pass
		}
		sum += weight * best[roll]
	}
	return sum >> 4
}

// gather collects the moves of all rolls: the pass once, as the move of a 0.
func (g *LeafGame) gather(p *Position) {
	g.last, g.batch = g.last[:0], g.batch[:0]
	for roll := range weights {
		if to, _ := p.word.destinations(roll); to == 0 && roll > 0 {
			continue
		}
		g.list.Clear()
		g.Moves(p, roll, &g.list)
		for i := range g.list.All() {
			next := &g.list.All()[i]
			m := lastMove{roll: roll, again: next.Again, at: -1}
			known := next.Next.word.over()
			if known {
				m.value = result(next.Next.word)
			} else if m.value, known = g.Probe(&next.Next); !known {
				m.at = len(g.batch)
				g.batch = append(g.batch, next.Next.word.board(g.pieces))
			}
			g.last = append(g.last, m)
		}
	}
}
