package solve

import "math/bits"

// walk visits all positions in the order of their ranks, from a first one on, until
// visit returns false.
func (x *Index) walk(first uint32, visit func(l layer, own, opp row) bool) {
	for _, l := range x.layers {
		if x.start[l.own][l.opp]+x.size[l.own][l.opp] <= first {
			continue
		}
		for shared := range x.sharedSets() {
			held := bits.OnesCount(uint(shared))
			for rank := 0; held <= l.own && rank < x.safeSets[l.own-held]; rank++ {
				own := x.makeRow(shared, int(x.safeSet[rank]))
				if !x.walkRow(l, own, first, visit) {
					return
				}
			}
		}
	}
}

// walkRow visits the positions of a row from first on.
func (x *Index) walkRow(l layer, own row, first uint32, visit func(l layer, own, opp row) bool) bool {
	next := x.rowStart(l, own)
	if next+x.rowSize[l.opp][x.sharedOf(own)] <= first {
		return true
	}
	for shared := range x.sharedSets() {
		held := bits.OnesCount(uint(shared))
		if shared&x.sharedOf(own) != 0 || held > l.opp {
			continue
		}
		for rank := range x.safeSets[l.opp-held] {
			if next >= first && !visit(l, own, x.makeRow(shared, int(x.safeSet[rank]))) {
				return false
			}
			next++
		}
	}
	return true
}
