package search

import (
	"math/bits"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/internal/cpu"
)

// Table is a transposition table with a fixed size.
//
// An entry is two words. The second holds value, move and depth; the first is the upper 52 bits
// of the key's check, with bound and age below, mixed with the second word. An entry written
// half by one thread and half by another fails its check, so threads share a table without
// locks (Hyatt and Mann, "A lock-less transposition table implementation for parallel search",
// 2002).
//
// False hits: a probe meets up to 4 entries of its bucket, each of which agrees by chance with
// probability 2^-52. A search of 10^8 nodes sees 4 * 10^8 * 2^-52 = 8.9e-8 of them: below one
// in a million searches, by a factor of ten. For games whose key is [KeyOf] there are none.
type Table struct {
	entries []entry
	shift   uint // an index's upper bits are the bucket
	shared  bool
	age     atomic.Uint32 // its lower 6 bits count
	varied  variation     // its options
	usual   bool          // the settings are those of NewTable
	plain   bool          // usual and not shared
}

// bucketWidth is the number of entries in a bucket. A new one replaces the one with the least depth, those
// from earlier searches first.
const bucketWidth = 4

type entry struct{ check, data uint64 }

const (
	entryBytes = 16

	// MaxTableBytes is the largest table: a tebibyte, or a gibibyte where an int has 32
	// bits.
	MaxTableBytes = 1 << (30 + 10*(^uint(0)>>63))

	// The first word below the check, once it is unmixed.
	metaBits = 12
	metaMask = 1<<metaBits - 1
	ageMask  = 1<<6 - 1
	ageShift = 2

	// The second word: value in the upper 48 bits, then the move, then the depth.
	valueShift = 16
	moveShift  = 8

	// mixData is odd: each bit in data changes the upper bits of data times mixData.
	mixData = 0x9e3779b97f4a7c15
)

// bound is a stored value's kind.
type bound uint8

const (
	unknown bound = iota // no entry
	lower                // the position is worth this or more
	upper                // this or less
	exact
)

// NewTable returns an empty table of at most the given bytes: the largest power of two that
// fits, and 64 at least. Memory is allocated at once, and a size beyond the machine's memory
// ends the program.
func NewTable(bytes int) (*Table, error) { return NewTableOf(TableOptions{Bytes: bytes}) }

// NewTableOf returns an empty table, as [NewTable] does.
func NewTableOf(o TableOptions) (*Table, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	entries := 1 << (bits.Len(uint(o.Bytes/entryBytes)) - 1)
	t := &Table{entries: cpu.MakeHuge[entry](entries), varied: newVariation(o, entries)}
	t.usual = o == TableOptions{o.Bytes, bucketWidth, ByAgeAndDepth, 0}
	t.plain = t.usual
	t.shift = uint(64 - bits.TrailingZeros(uint(entries/o.Bucket)))
	return t, nil
}

// Share makes the table safe for several searchers at once. It costs the time of two
// atomic writes for each entry. Call it before they begin.
func (t *Table) Share() { t.shared, t.plain = true, false }

// Clear forgets everything. No searcher may be using the table.
func (t *Table) Clear() {
	clear(t.entries)
	t.age.Store(0)
}

// startSearch begins a search, whose entries outlive older ones.
func (t *Table) startSearch() {
	t.age.Add(1)
	if t.varied.mask != 0 {
		t.varied.collisions = 0
	}
}

// bucket returns the entries where a position may be stored. For a table of one bucket the
// shift is 64, which leaves 0.
func (t *Table) bucket(index uint64) *[bucketWidth]entry {
	i := int(index>>t.shift) * bucketWidth
	return (*[bucketWidth]entry)(t.entries[i : i+bucketWidth])
}

// found is a table's entry for a position.
type found struct {
	value Value
	bound bound // unknown when it knows nothing
	depth int
	move  uint8
}

// decidesWindow reports whether an entry decides a window at a depth.
func (k found) decidesWindow(depth int, alpha, beta Value) bool {
	return k.depth == depth &&
		(k.bound == exact || k.bound == lower && k.value >= beta || k.bound == upper && k.value <= alpha)
}

// boundOf returns the kind of bound that a fail-soft value is after a search in a window.
func boundOf(v, alpha, beta Value) bound {
	switch {
	case v >= beta:
		return lower
	case v <= alpha:
		return upper
	}
	return exact
}

// load reads an entry. Atomic reads cost nothing on the usual processors.
func (e *entry) load() (check, data uint64) {
	data = atomic.LoadUint64(&e.data)
	return atomic.LoadUint64(&e.check) ^ data*mixData, data
}

// probe returns the table's entry for a position.
func (t *Table) probe(k Key) found {
	if !t.plain {
		return t.probeVaried(k)
	}
	bucket := t.bucket(k.Index)
	for i := range bucket {
		e := &bucket[i]
		data := e.data
		check := e.check ^ data*mixData
		if (check^k.Check)>>metaBits == 0 && check&3 != 0 {
			return unpack(check, data)
		}
	}
	return found{move: NoMove}
}

// unpack reads an entry's words.
func unpack(check, data uint64) found {
	return found{int64(data) >> valueShift, bound(check & 3), int(uint8(data)), uint8(data >> moveShift)}
}

// store remembers a position.
func (t *Table) store(k Key, f found) {
	if !t.usual {
		t.storeVaried(k, f)
		return
	}
	bucket := t.bucket(k.Index)
	age := uint8(t.age.Load() & ageMask)
	t.write(t.chooseEntry(bucket[:], k, age), k, f, age)
}

// write writes an entry for a position.
func (t *Table) write(e *entry, k Key, f found, age uint8) {
	data := uint64(f.value)<<valueShift | uint64(f.move)<<moveShift | uint64(uint8(f.depth))
	check := (k.Check&^metaMask | uint64(age)<<ageShift | uint64(f.bound)) ^ data*mixData
	if t.shared {
		atomic.StoreUint64(&e.check, check)
		atomic.StoreUint64(&e.data, data)
	} else {
		*e = entry{check, data}
	}
}

// chooseEntry chooses the entry for a position: its own, an empty one, or another position's.
func (t *Table) chooseEntry(bucket []entry, k Key, age uint8) (place *entry) {
	worst := 1 << 30
	for i := range bucket {
		e := &bucket[i]
		check, data := e.load()
		if check&3 == 0 || (check^k.Check)>>metaBits == 0 {
			return e
		}
		rank := int(uint8(data)) - 2*MaxDepth*int((age-uint8(check>>ageShift))&ageMask)
		if rank < worst {
			worst, place = rank, e
		}
	}
	return place
}
