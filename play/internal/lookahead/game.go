package lookahead

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
)

// game is the game of a rule set as a [search.DiceGame]. All leaves of the last ply of a position
// are valued together. It serves one goroutine.
type game struct {
	rules   *board.Rules
	rolls   []int // those of the dice
	weights []search.Value
	total   search.Value // of the weights

	leaf    Leaf
	newLeaf func() Leaf // for another goroutine

	exact       *solve.Table // nil for none
	exactPieces int          // left on each side where exact values positions

	last  []lastMove       // of LastRoll, in the order of the rolls
	batch []board.Position // positions for the leaf
	win   []float64
}

// lastMove is a move of the last ply.
type lastMove struct {
	value search.Value // of the position behind it, where at is below zero
	at    int32        // its number in the batch
	again bool
}

// maxWeights is the largest sum of weights of a [search.DiceGame].
const maxWeights = 1 << 14

func newGame(c *Config) (*game, error) {
	r := c.Rules
	if r.WeightSum() > maxWeights {
		return nil, fmt.Errorf("search: dice of the rule set %q with a sum of weights of %d (want at most %d)", r.Name(), r.WeightSum(), maxWeights)
	}
	g := &game{rules: r, total: search.Value(r.WeightSum()), leaf: c.Leaf(), newLeaf: c.Leaf, exact: c.Exact, exactPieces: c.ExactPieces}
	for roll := range r.MaxRoll() + 1 {
		if w := r.Weight(roll); w > 0 {
			g.rolls, g.weights = append(g.rolls, roll), append(g.weights, search.Value(w))
		}
	}
	return g, nil
}

// Fork implements [search.Forker].
func (g *game) Fork() *game {
	fork := *g
	fork.leaf, fork.last, fork.batch, fork.win = g.newLeaf(), nil, nil, nil
	return &fork
}

// Weights implements [search.DiceGame].
func (g *game) Weights() []search.Value { return g.weights }

// Key implements [search.DiceGame].
func (g *game) Key(p *board.Position) search.Key { return keyOf(p) }

// keyOf returns the key of a position: that of its mirror image too.
func keyOf(p *board.Position) search.Key {
	me, you := p.Turn(), p.Turn().Other()
	squares := uint64(p.Squares(me))<<32 | uint64(p.Squares(you))
	homes := uint64(p.Home(me))<<8 | uint64(p.Home(you))
	return search.Key{Index: mix.Mix(squares ^ mix.Mix(homes+1)), Check: mix.Mix(squares + mix.Mix(homes^0x5bd1e9955bd1e995))}
}

// Describe implements [search.Describer].
func (g *game) Describe(p *board.Position) string { return g.rules.FormatPosition(*p) }

// result returns the value of a finished game to the side to move.
func result(p *board.Position) (v search.Value, over bool) {
	winner, over := p.Winner()
	if winner == p.Turn() {
		return search.MaxValue, over
	}
	return -search.MaxValue, over
}

// Probe implements [search.Prober].
func (g *game) Probe(p *board.Position) (search.Value, bool) {
	if g.exact == nil || p.Pieces()-p.Home(board.Light) > g.exactPieces || p.Pieces()-p.Home(board.Dark) > g.exactPieces {
		return 0, false
	}
	if _, over := p.Winner(); over {
		return 0, false
	}
	return ValueOf(g.exact.Win(*p)), true
}

// known returns the value of a position that needs no leaf.
func (g *game) known(p *board.Position) (search.Value, bool) {
	if v, over := result(p); over {
		return v, true
	}
	return g.Probe(p)
}

// Value implements [search.DiceGame].
func (g *game) Value(p *board.Position) search.Value {
	if v, known := g.known(p); known {
		return v
	}
	g.batch = append(g.batch[:0], *p)
	return ValueOf(g.valued()[0])
}

// valued calls the leaf with the batch.
func (g *game) valued() []float64 {
	if len(g.win) < len(g.batch) {
		g.win = make([]float64, 2*len(g.batch))
	}
	win := g.win[:len(g.batch)]
	if len(win) > 0 {
		g.leaf(win, g.batch)
	}
	return win
}

// PassID is the ID of a pass.
const PassID = search.NoMove - 1

// Moves implements [search.DiceGame]. The order of moves is that of [board.Rules.Moves], and
// their IDs are their starting squares; a pass has [PassID]. It prefers captures, then moves that
// grant another roll, then pieces far ahead.
func (g *game) Moves(p *board.Position, roll int, list *search.List[board.Position]) (over search.Value) {
	if v, over := result(p); over {
		return v
	}
	var buf [board.MaxMoves]board.Move
	moves := g.rules.Moves(buf[:0], *p, g.rolls[roll])
	if len(moves) == 0 {
		m := list.Add()
		m.ID, m.Next = PassID, p.Pass()
		m.Key = keyOf(&m.Next)
		return 0
	}
	for _, move := range moves {
		m := list.Add()
		m.ID, m.Next, m.Order = move.From, g.rules.Apply(*p, move), int32(move.To)
		if m.Again = m.Next.Turn() == p.Turn(); m.Again {
			m.Order += 20
		}
		if move.Capture {
			m.Order += 40
		}
		m.Key = keyOf(&m.Next)
	}
	return 0
}

// LastRoll implements [search.LastRoll]: the leaf is called once, with all positions after the
// rolls.
func (g *game) LastRoll(p *board.Position, nodes *uint64) search.Value {
	if v, over := result(p); over {
		return v
	}
	g.last, g.batch = g.last[:0], g.batch[:0]
	var ends [board.MaxRoll + 1]int
	passes := search.Value(0) // weights of the rolls without a move
	for i, roll := range g.rolls {
		var buf [board.MaxMoves]board.Move
		moves := g.rules.Moves(buf[:0], *p, roll)
		if len(moves) == 0 {
			passes += g.weights[i]
		}
		for _, m := range moves {
			g.addLast(p, g.rules.Apply(*p, m))
		}
		ends[i] = len(g.last)
	}
	if passes > 0 {
		g.addLast(p, p.Pass())
	}
	*nodes += uint64(len(g.last))
	win := g.valued()
	sum, begin := search.Value(0), 0
	for i, weight := range g.weights {
		best := -search.MaxValue
		for _, m := range g.last[begin:ends[i]] {
			best = max(best, m.worth(win))
		}
		if begin < ends[i] {
			sum += weight * best
		}
		begin = ends[i]
	}
	if passes > 0 {
		sum += passes * g.last[begin].worth(win)
	}
	mean := sum / g.total
	if sum%g.total < 0 {
		mean-- // rounded down
	}
	return mean
}

// addLast adds the position after a move of p to the last ply.
func (g *game) addLast(p *board.Position, next board.Position) {
	m := lastMove{at: -1, again: next.Turn() == p.Turn()}
	var known bool
	if m.value, known = g.known(&next); !known {
		m.at = int32(len(g.batch))
		g.batch = append(g.batch, next)
	}
	g.last = append(g.last, m)
}

// worth returns the value of the move for its side.
func (m *lastMove) worth(win []float64) search.Value {
	v := m.value
	if m.at >= 0 {
		v = ValueOf(win[m.at])
	}
	if m.again {
		return v
	}
	return -v
}
