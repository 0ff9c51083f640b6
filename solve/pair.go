package solve

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// pair is two layers solved together, because the turn passes between them: those in which
// Light has a pieces left and Dark b. All its values are the probability that Light wins, so
// Light seeks the greatest and Dark the least, whichever side is to move. A position has the
// same place in light and in dark, its index in layer (a, b): a row is Light's squares,
// and its positions lie together.
type pair struct {
	*Index
	a, b        int
	light, dark []float64 // values by side to move

	// Values after a piece comes home: lightHome is the dark in the pair (a-1, b), darkHome the
	// light in (a, b-1). They are nil where that piece was the last.
	lightHome, darkHome []float64

	ones []float64 // values of positions Light has won

	levels    [][][]row // groups of Light's rows, see newLevels
	programs  []*program
	residuals *residuals
	shareFrom int // size from which the threads share a sweep
}

// maxGroup is the greatest number of rows in a group.
const maxGroup = 2

// newLevels sorts a player's rows with a pieces left by falling progress, in levels of
// equal progress. Rows with the same program follow each other in a level and form groups, which
// read the program once. Long rows come first, so the threads sharing a level end at about the
// same time.
func (x *Index) newLevels(a, b int) [][][]row {
	size := x.rowSize[b]
	byProgress := make([][]row, x.progress(row(x.rowSets()-1))+1)
	for r := range row(x.rowSets()) {
		if r.pieceCount() <= a {
			p := x.progress(r)
			byProgress[p] = append(byProgress[p], r)
		}
	}
	var levels [][][]row
	for _, rows := range slices.Backward(byProgress) {
		if len(rows) == 0 {
			continue
		}
		slices.SortFunc(rows, func(r, q row) int {
			a, b := x.sharedOf(r), x.sharedOf(q)
			return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b), cmp.Compare(r, q))
		})
		levels = append(levels, x.groupsOf(rows))
	}
	return levels
}

// groupsOf divides sorted rows into groups.
func (x *Index) groupsOf(rows []row) (groups [][]row) {
	for len(rows) > 0 {
		n := 1
		for n < min(maxGroup, len(rows)) && x.sharedOf(rows[n]) == x.sharedOf(rows[0]) {
			n++
		}
		groups, rows = append(groups, rows[:n:n]), rows[n:]
	}
	return groups
}

// rowOffset returns where the row own begins in light and in dark.
func (p *pair) rowOffset(own row) int { return p.rowOffsetIn(layer{p.a, p.b}, own) }

// rowOffsetIn returns where a row begins in a layer's values.
func (x *Index) rowOffsetIn(l layer, own row) int {
	return int(x.rowStart(l, own) - x.start[l.own][l.opp])
}

// transpose fills dst, in layer to's layout, from src, in the layer's layout with the
// sides exchanged: with one minus the position's value with the sides exchanged. Values
// that rounding has pushed a little outside 0..1 are clamped.
func (x *Index) transpose(dst, src []float64, to layer, threads int) {
	runParallel(threads, x.sharedSets(), func(_, own int) {
		for opp := range x.disjointSets(own) {
			x.transposeTile(dst, src, to, own, opp)
		}
	})
}

// transposeTile does so for the positions with the given shared squares: a matrix with
// safe squares against safe squares in both layouts.
func (x *Index) transposeTile(dst, src []float64, to layer, own, opp int) {
	from := layer{to.opp, to.own}
	n := x.safeSetsLeft(to.own, own)
	m := x.safeSetsLeft(to.opp, opp)
	if n == 0 || m == 0 {
		return
	}
	out := x.rowOffsetIn(to, x.makeRow(own, 0)) + int(x.within[to.opp][x.pairNumber(own, opp)])
	outStep := int(x.rowSize[to.opp][own])
	own, opp = x.flipShared(opp), x.flipShared(own) // squares seen by the other side
	in := x.rowOffsetIn(from, x.makeRow(own, 0)) + int(x.within[from.opp][x.pairNumber(own, opp)])
	inStep := int(x.rowSize[from.opp][own])
	for i := range n {
		line := dst[out+i*outStep:][:m]
		for j := range line {
			line[j] = min(max(1-src[in+j*inStep+i], 0), 1)
		}
	}
}

// moveLight fills sum, one entry for each position in a row, with what Light's
// moves contribute to its value. It fills passing, one entry for each stretch of the row, with the rest:
// the throws after which Light has to pass.
//
// Light's moves are the same throughout a stretch, since they do not depend on Dark's safe
// squares. They do not change those either, so the values after a move lie together as well.
func (p *pair) moveLight(own row, stretches []stretch, sum []float64, passing []*passes) {
	chances := p.chances
	var moves [board.MaxRoll + 1]lightMoves
	for roll := 1; roll <= chances.longest; roll++ {
		p.findLightMoves(own, roll, &moves[roll])
	}
	var after [board.MaxMoves][]float64
	for k := range stretches {
		s := &stretches[k]
		part := sum[s.begin : s.begin+s.n]
		clear(part)
		pass := chances.weight[0]
		for roll := 1; roll <= chances.longest; roll++ {
			n := p.valuesAfter(&moves[roll], s, &after)
			if n == 0 {
				pass += chances.weight[roll]
				continue
			}
			addGreatest(part, chances.roll[roll], after[:n])
		}
		passing[k] = &chances.passes[chances.class[pass]]
	}
}

// lightMoves are a roll's moves from a row, whatever Dark's squares are.
type lightMoves struct {
	n    int
	move [board.MaxMoves]lightMove
}

type lightMove struct {
	values   []float64 // where its value stands; nil when it wins the game
	taking   []float64 // the same when it captures
	place    int       // start in values, for the row after the move
	power    uint32    // power of that row's shared squares
	captures int       // Dark's shared square on which it captures, as a set, or 0
	captured uint32    // what a capture takes from the power of a stretch
	blocked  int       // Dark's shared square that forbids it, as a set, or 0
}

func (p *pair) findLightMoves(own row, roll int, dst *lightMoves) {
	for to := p.destinations(own, p.a, roll, 0); to != 0; to &= to - 1 {
		square := bits.TrailingZeros32(to)
		dst.move[dst.n] = p.lightMove(own, square-roll, square)
		dst.n++
	}
}

func (p *pair) lightMove(own row, from, to int) lightMove {
	after := p.rowAfter(own, from, to)
	m := lightMove{values: p.dark, power: p.power[p.sharedOf(after)]}
	if to == p.finish {
		if p.a > 1 {
			m.place = p.rowOffsetIn(layer{p.a - 1, p.b}, after)
		}
		m.values = p.lightHome
		return m
	}
	m.place = p.rowOffset(after)
	if p.again>>to&1 != 0 {
		m.values = p.light
	}
	if p.isShared(to) {
		m.captures = 1 << p.bitOf[to]
		m.captured = 2 * p.power[m.captures]
		m.blocked = m.captures & p.protected
		if m.taking = m.values; p.captureAgain {
			m.taking = p.light
		}
	}
	return m
}

// valuesAfter fills after with the values of a stretch's positions after each legal move,
// and returns how many moves there are.
func (p *pair) valuesAfter(moves *lightMoves, s *stretch, after *[board.MaxMoves][]float64) int {
	n := 0
	within := p.within[p.b]
	for i := range moves.move[:moves.n] {
		m := &moves.move[i]
		switch {
		case s.opp&m.blocked != 0:
			continue
		case m.values == nil:
			after[n] = p.ones[:s.n]
		default:
			values, pair := m.values, m.power+s.power
			if s.opp&m.captures != 0 {
				values, pair = m.taking, pair-m.captured
			}
			at := m.place + int(within[pair])
			after[n] = values[at : at+s.n]
		}
		n++
	}
	return n
}

// addGreatest adds to every sum[i] the greatest of after[0][i], after[1][i], ..., times w.
// Products are rounded before they are added, here and below, so machines with fused
// multiply-add compute the same bits.
func addGreatest(sum []float64, w float64, after [][]float64) {
	n := len(sum)
	switch len(after) {
	case 1:
		x := after[0][:n]
		for i := range sum {
			sum[i] += float64(w * x[i])
		}
	case 2:
		x, y := after[0][:n], after[1][:n]
		for i := range sum {
			sum[i] += float64(w * fromOrderedBits(max(orderedBits(x[i]), orderedBits(y[i]))))
		}
	case 3:
		x, y, z := after[0][:n], after[1][:n], after[2][:n]
		for i := range sum {
			sum[i] += float64(w * fromOrderedBits(max(orderedBits(x[i]), orderedBits(y[i]), orderedBits(z[i]))))
		}
	default:
		for i := range sum {
			best := orderedBits(after[0][i])
			for _, x := range after[1:] {
				best = max(best, orderedBits(x[i]))
			}
			sum[i] += float64(w * fromOrderedBits(best))
		}
	}
}

// orderedBits maps values to integers in the same order, which processors compare and select without
// a branch. An IEEE 754 number's bits have this order if it is not negative.
func orderedBits(value float64) int64 { return int64(math.Float64bits(value)) }

// fromOrderedBits is the inverse to orderedBits.
func fromOrderedBits(bits int64) float64 { return math.Float64frombits(uint64(bits)) }
