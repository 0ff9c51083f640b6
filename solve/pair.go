package solve

import (
	"cmp"
	"slices"
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
