package engine

import (
	"runtime"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// entry is a table entry of a position: bounds of its score for the side to move, and the two
// best moves of the last searches.
type entry struct {
	own, opp uint64
	bounds
}

// bounds hold for a search of a depth and a selectivity, both at least as asked for.
type bounds struct {
	lower, upper int16 // bounds in 32nds of a disc
	best, second uint8 // squares; noMove if unknown
	depth        uint8
	level        uint8 // selectivity: see levels
}

const noMove = uint8(board.None)

var unknown = bounds{lower: -most, upper: most, best: noMove, second: noMove}

// bucket holds two entries and their lock, in one line of the cache.
type bucket struct {
	lock    atomic.Uint32
	cost    [2]uint8 // logarithm of the nodes spent for each entry
	age     [2]uint8 // age of the search that wrote it
	entries [2]entry
	_       [8]byte
}

// table remembers positions between and across searches. Solvers on several threads may
// share one: a bucket is locked while it is read or written.
type table struct {
	buckets []bucket
	shared  bool
	age     uint8
}

// newTable returns an empty table of 2^bits buckets, each 64 bytes with two positions.
func newTable(bits int) *table {
	return &table{buckets: cpu.MakeHuge[bucket](1 << bits)}
}

func (t *table) bucket(own, opp uint64) *bucket {
	return &t.buckets[t.number(own, opp)]
}

// number returns that of a position's bucket. listMoves computes it as well.
func (t *table) number(own, opp uint64) uint64 {
	key := (own ^ opp*0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	return (key ^ key>>32) & uint64(len(t.buckets)-1)
}

func (b *bucket) acquire() {
	for !b.lock.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

// get sets known to a position's entry, if there is one.
func (t *table) get(own, opp uint64, known *bounds) {
	b := t.bucket(own, opp)
	if t.shared {
		b.acquire()
		defer b.lock.Store(0)
	}
	if e := &b.entries[0]; e.own == own && e.opp == opp {
		*known = e.bounds
	} else if e := &b.entries[1]; e.own == own && e.opp == opp {
		*known = e.bounds
	}
}

// put notes a search's result in the window from alpha to beta.
func (t *table) put(own, opp uint64, depth, level uint8, cost uint8, alpha, beta, value int, best uint8) {
	b := t.bucket(own, opp)
	if t.shared {
		b.acquire()
		defer b.lock.Store(0)
	}
	at := 0
	e := &b.entries[0]
	if e.own != own || e.opp != opp {
		at, e = 1, &b.entries[1]
		if e.own != own || e.opp != opp {
			// Replace another position: one of an earlier search, otherwise the cheaper.
			if b.worth(0, t.age) < b.worth(1, t.age) {
				at, e = 0, &b.entries[0]
			}
			*e, b.cost[at] = entry{own, opp, unknown}, 0
		}
	}
	if e.depth != depth || e.level != level {
		if e.lower > -most || e.upper < most {
			if e.depth > depth && e.level >= level {
				return // something better is known
			}
		}
		e.lower, e.upper, e.depth, e.level = -most, most, depth, level
	}
	b.age[at], b.cost[at] = t.age, max(b.cost[at], cost)
	if value < beta {
		e.upper = min(e.upper, int16(value))
	}
	if value > alpha {
		e.lower = max(e.lower, int16(value))
	}
	if (value > alpha || e.best == noMove) && e.best != best {
		e.best, e.second = best, e.best
	}
}

func (b *bucket) worth(at int, age uint8) int {
	if b.age[at] != age {
		return int(b.cost[at]) - 256
	}
	return int(b.cost[at])
}

// busy is a small table of the positions being searched by threads. It may forget some; then
// two threads search the same position, and share results by the table.
type busy [1 << 14]atomic.Uint64

// busyFrom is the depth from which a position is worth a note.
const busyFrom = 8

func (b *busy) slot(n node, depth int) (*atomic.Uint64, uint64) {
	key := (n.own*0x9e3779b97f4a7c15 ^ n.opp + uint64(depth)) * 0xbf58476d1ce4e5b9
	key ^= key >> 31
	return &b[key&uint64(len(b)-1)], key | 1
}

// at reports whether a thread is searching n.
func (b *busy) at(n node, depth int) bool {
	slot, key := b.slot(n, depth)
	return slot.Load() == key
}

// enter marks n and returns the argument for leave.
func (b *busy) enter(n node, depth int) (*atomic.Uint64, uint64) {
	slot, key := b.slot(n, depth)
	slot.Store(key)
	return slot, key
}

func (b *busy) leave(slot *atomic.Uint64, key uint64) { slot.CompareAndSwap(key, 0) }
