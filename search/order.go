package search

// maxSides counts the sets of move statistics: one for each parity of the distance from
// the root, because a search does not know the side to move.
const maxSides = 2

// killersKept is how many killers a distance from the root has.
const killersKept = 2

// memory holds statistics about moves that caused cutoffs in any position.
type memory struct {
	killers [maxPly + 1][killersKept]uint8
	history [maxSides][MaxMoves + 1]uint32
}

// clearStatistics is called when a search begins.
func (m *memory) clearStatistics() {
	for i := range m.killers {
		m.killers[i] = [killersKept]uint8{NoMove, NoMove}
	}
	clear(m.history[0][:])
	clear(m.history[1][:])
}

// recordCutoff records a move that caused a cutoff at a node searched to a depth.
func (m *memory) recordCutoff(id uint8, ply, depth int) {
	if k := &m.killers[ply]; k[0] != id {
		k[1], k[0] = k[0], id
	}
	h := &m.history[ply%maxSides]
	h[id] += uint32(depth * depth)
	if h[id] >= maxHistory {
		for i := range h {
			h[i] /= 2
		}
	}
}

// Ranks of moves, best first: each kind is above the next.
const (
	tableRank   = int64(1) << 60
	killerRank  = int64(1) << 58 // less for the second
	maxHistory  = 1 << 22
	historyRank = int64(1) << 34 // times the history: above the static order, 32 bits
)

// moveRank returns the priority of a move in the search order.
func (m *memory) moveRank(o *Options, id uint8, static int32, table uint8, ply int) (r int64) {
	if o.TableMove && id == table {
		return tableRank
	}
	if o.Killers {
		for i, killer := range &m.killers[ply] {
			if id == killer {
				r += killerRank >> i
			}
		}
	}
	if o.History {
		r += int64(m.history[ply%maxSides][id]) * historyRank
	}
	if o.Static {
		r += int64(static)
	}
	return r
}

// ordersMoves reports whether any order but the game's own is asked for.
func (o *Options) ordersMoves() bool { return o.Static || o.TableMove || o.Killers || o.History }

// pickBest brings the best ranked move in order[from:] to its front and returns its
// number; among equals the first in the game's order. order holds move numbers.
func pickBest(order []uint8, ranks []int64, from int) int {
	best := from
	for i := from + 1; i < len(order); i++ {
		a, b := order[i], order[best]
		if ranks[a] > ranks[b] || ranks[a] == ranks[b] && a < b {
			best = i
		}
	}
	order[from], order[best] = order[best], order[from]
	return int(order[from])
}
