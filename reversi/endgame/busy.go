package endgame

import "sync/atomic"

// busy is a small table of the positions being searched by threads. It may forget some; then
// two threads search the same position, and share results by the table.
type busy [1 << 14]atomic.Uint64

// busyFrom is from how many empty squares on a position is worth a note.
const busyFrom = 15

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
