package solve

import (
	"cmp"
	"slices"
)

// pair is two layers solved together, because the turn passes between them: those in which
// Light has a pieces left and Dark b. All its values are the probability that Light wins, so
// Light seeks the greatest and Dark the least, whichever side is to move. A position has the
// same place in light and in dark, that of the index of layer (a, b): a row is Light's squares,
// and its positions lie together.
type pair struct {
	a, b        int
	light, dark []float64 // by the side to move

	// Values after a piece comes home: lightHome is the dark of the pair (a-1, b), darkHome the
	// light of (a, b-1). They are nil where that piece was the last.
	lightHome, darkHome []float64

	levels    [][]row // Light's rows, see newLevels
	programs  []*program
	residuals *residuals
	shareFrom int // size from which the threads share a sweep
}

// newLevels sorts the rows of a player with a pieces left by falling progress, in groups of
// equal progress. Long rows come first in a group, so the threads sharing it end at about the
// same time, and rows with the same program follow each other.
func newLevels(a, b int) [][]row {
	size := &index.rowSize[b]
	byProgress := make([][]row, maxProgress+1)
	for r := row(0); r < rowSets; r++ {
		if r.pieces() <= a {
			byProgress[r.progress()] = append(byProgress[r.progress()], r)
		}
	}
	var levels [][]row
	for _, rows := range slices.Backward(byProgress) {
		if len(rows) == 0 {
			continue
		}
		slices.SortFunc(rows, func(x, y row) int {
			return cmp.Or(cmp.Compare(size[y.shared()], size[x.shared()]),
				cmp.Compare(x.shared(), y.shared()), cmp.Compare(x, y))
		})
		levels = append(levels, rows)
	}
	return levels
}

// place returns where the row own begins in light and in dark.
func (p *pair) place(own row) int { return placeIn(layer{p.a, p.b}, own) }

// placeIn returns where a row begins in the values of a layer.
func placeIn(l layer, own row) int {
	return int(index.rowStart(l, own) - index.start[l.own][l.opp])
}

// transpose fills dst, in the layout of layer to, from src, in the layout of the layer with the
// sides exchanged: with one minus the value of the position with the sides exchanged. Values
// that rounding has pushed a little outside 0..1 are clamped.
func transpose(dst, src []float64, to layer, threads int) {
	parallel(threads, sharedSets, func(_, own int) {
		for opp := range sharedSets {
			if own&opp == 0 {
				transposeTile(dst, src, to, own, opp)
			}
		}
	})
}

// transposeTile does so for the positions with the given shared squares: a matrix of
// safe squares against safe squares in both layouts.
func transposeTile(dst, src []float64, to layer, own, opp int) {
	from := layer{to.opp, to.own}
	n := index.safeSetsLeft(to.own, own)
	m := index.safeSetsLeft(to.opp, opp)
	if n == 0 || m == 0 {
		return
	}
	out := placeIn(to, makeRow(own, 0)) + int(index.within[to.opp][index.pair(own, opp)])
	in := placeIn(from, makeRow(opp, 0)) + int(index.within[from.opp][index.pair(opp, own)])
	outStep, inStep := int(index.rowSize[to.opp][own]), int(index.rowSize[from.opp][opp])
	for i := range n {
		line := dst[out+i*outStep:][:m]
		for j := range line {
			line[j] = min(max(1-src[in+j*inStep+i], 0), 1)
		}
	}
}
