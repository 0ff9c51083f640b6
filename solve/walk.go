package solve

import "math/bits"

// walk visits all positions in the order of their ranks, from a first one on, until
// visit returns false.
func (t *indexTables) walk(first uint32, visit func(l layer, own, opp row) bool) {
	for _, l := range t.layers {
		if t.start[l.own][l.opp]+t.size[l.own][l.opp] <= first {
			continue
		}
		for shared := range sharedSets {
			held := bits.OnesCount8(uint8(shared))
			for rank := 0; held <= l.own && rank < t.safeSets[l.own-held]; rank++ {
				own := makeRow(shared, int(t.safeSet[rank]))
				if !t.walkRow(l, own, first, visit) {
					return
				}
			}
		}
	}
}

// walkRow visits the positions of a row from first on.
func (t *indexTables) walkRow(l layer, own row, first uint32, visit func(l layer, own, opp row) bool) bool {
	next := t.rowStart(l, own)
	if next+t.rowSize[l.opp][own.shared()] <= first {
		return true
	}
	for shared := range sharedSets {
		held := bits.OnesCount8(uint8(shared))
		if shared&own.shared() != 0 || held > l.opp {
			continue
		}
		for rank := range t.safeSets[l.opp-held] {
			if next >= first && !visit(l, own, makeRow(shared, int(t.safeSet[rank]))) {
				return false
			}
			next++
		}
	}
	return true
}
