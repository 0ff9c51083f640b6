package search

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/mix"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Replacement is a table's rule for the entry that a new one replaces in a full bucket (Breuker,
// Uiterwijk and van den Herik, "Replacement schemes for transposition tables", 1994).
type Replacement string

// The rules. The entry of the same position is replaced by all of them, but by ByDepth and
// TwoLevels only in its own place.
const (
	ByAgeAndDepth Replacement = "age-depth" // the least depth, those from earlier searches first
	Always        Replacement = "always"    // the entry in the key's own place
	ByAge         Replacement = "age"       // one from an earlier search, otherwise as Always
	ByDepth       Replacement = "depth"     // the least depth, unless it is deeper than the new one
	TwoLevels     Replacement = "two-level" // ByDepth in all places but the last, which holds what they give up
)

// Replacements returns all rules, the default first.
func Replacements() []Replacement {
	return []Replacement{ByAgeAndDepth, Always, ByAge, ByDepth, TwoLevels}
}

// TableOptions describe a [Table]. The zero values, with a size, are the best known.
type TableOptions struct {
	Bytes       int         // see [NewTable]
	Bucket      int         // entries in a bucket: 1, 2 or 4; 0 means 4
	Replacement Replacement // "" means ByAgeAndDepth

	// KeyBits is the number of bits of a hashed key that an entry keeps, 8 to 52; 0 means the whole
	// check. The table then also keeps whole keys, and counts the entries of other positions
	// that it returns: [Work]. Only one thread may use it.
	KeyBits int
}

// withDefaults returns o with defaults filled in.
func (o TableOptions) withDefaults() (TableOptions, error) {
	if o.Bucket == 0 {
		o.Bucket = 4
	}
	if o.Replacement == "" {
		o.Replacement = ByAgeAndDepth
	}
	switch {
	case o.Bytes < 64:
		return o, fmt.Errorf("invalid size of a table %d (want at least 64 bytes)", o.Bytes)
	case o.Bytes > MaxTableBytes:
		return o, fmt.Errorf("invalid size of a table %d (want at most %d bytes)", o.Bytes, MaxTableBytes)
	case o.Bucket != 1 && o.Bucket != 2 && o.Bucket != 4:
		return o, fmt.Errorf("invalid bucket of %d entries (want 1, 2 or 4)", o.Bucket)
	case !slices.Contains(Replacements(), o.Replacement):
		return o, fmt.Errorf("unknown replacement %q (want one of %s)", o.Replacement, text.Join(Replacements(), ", "))
	case o.Replacement == TwoLevels && o.Bucket == 1:
		return o, fmt.Errorf("replacement %q needs buckets of 2 or 4 entries, got 1", TwoLevels)
	case o.KeyBits != 0 && o.Replacement != ByAgeAndDepth:
		return o, fmt.Errorf("key bits need the replacement %q, got %q", ByAgeAndDepth, o.Replacement)
	case o.KeyBits != 0 && (o.KeyBits < 8 || o.KeyBits > 64-metaBits):
		return o, fmt.Errorf("invalid number of key bits %d (want 8 to %d, or 0 for all)", o.KeyBits, 64-metaBits)
	}
	return o, nil
}

// variation is the options of a table.
type variation struct {
	width       int
	replacement Replacement
	mask        uint64 // bits of a hashed key that entries keep; 0 for all of the check
	whole       []Key  // of every entry, with a mask
	collisions  uint64
}

func newVariation(o TableOptions, entries int) variation {
	v := variation{width: o.Bucket, replacement: o.Replacement}
	if o.KeyBits > 0 {
		v.mask, v.whole = ^uint64(0)<<(64-o.KeyBits), make([]Key, entries)
	}
	return v
}

// bucketOf returns the number of the first entry where a position may be stored, and the key that
// entries keep. With a mask it is a hash, since the upper bits of a packed position are a part of the
// board.
func (t *Table) bucketOf(k Key) (first int, short Key) {
	if t.varied.mask != 0 {
		short = Key{k.Index, mix.Mix(k.Check) & t.varied.mask}
	} else {
		short = k
	}
	return int(k.Index>>t.shift) * t.varied.width, short
}

// probeVaried is [Table.probe] of a variation or a shared table.
func (t *Table) probeVaried(k Key) found {
	first, short := t.bucketOf(k)
	for i := first; i < first+t.varied.width; i++ {
		check, data := t.entries[i].load()
		if (check^short.Check)>>metaBits == 0 && check&3 != 0 {
			if t.varied.mask != 0 && t.varied.whole[i] != k {
				t.varied.collisions++
			}
			return unpack(check, data)
		}
	}
	return found{move: NoMove}
}

// storeVaried is [Table.store] of a variation.
func (t *Table) storeVaried(k Key, f found) {
	first, short := t.bucketOf(k)
	bucket := t.entries[first : first+t.varied.width]
	age := uint8(t.age.Load() & ageMask)
	place := t.placeFor(bucket, short, f.depth, age)
	if place < 0 {
		return
	}
	if t.varied.mask != 0 {
		t.varied.whole[first+place] = k
	}
	t.write(&bucket[place], short, f, age)
}

// placeFor returns the place in a bucket for a position searched to a depth, or -1 if it is not
// kept. TwoLevels moves the entry it replaces to the last place.
func (t *Table) placeFor(bucket []entry, k Key, depth int, age uint8) int {
	last := len(bucket) - 1
	switch t.varied.replacement {
	case ByAgeAndDepth:
		e := t.chooseEntry(bucket, k, age)
		for place := range bucket {
			if &bucket[place] == e {
				return place
			}
		}
	case ByDepth:
		return t.shallower(bucket, k, depth)
	case TwoLevels:
		place := t.shallower(bucket[:last], k, depth)
		if place < 0 {
			return last
		}
		if check, data := bucket[place].load(); check&3 != 0 && (check^k.Check)>>metaBits != 0 {
			t.write(&bucket[last], Key{Check: check}, unpack(check, data), uint8(check>>ageShift)&ageMask)
		}
		return place
	}
	if place := t.ownOrFree(bucket, k); place >= 0 {
		return place
	}
	for i := range bucket {
		if check, _ := bucket[i].load(); t.varied.replacement == ByAge && uint8(check>>ageShift)&ageMask != age {
			return i
		}
	}
	return int(k.Index & uint64(last))
}

// ownOrFree returns the place of a position, or a free one; -1 for neither.
func (t *Table) ownOrFree(bucket []entry, k Key) int {
	for i := range bucket {
		check, _ := bucket[i].load()
		if check&3 == 0 || (check^k.Check)>>metaBits == 0 {
			return i
		}
	}
	return -1
}

// shallower returns the place of a position, a free one, or that of the least depth up to the
// new entry's; otherwise -1.
func (t *Table) shallower(bucket []entry, k Key, depth int) (place int) {
	if place = t.ownOrFree(bucket, k); place >= 0 {
		return place
	}
	for i := range bucket {
		if _, data := bucket[i].load(); int(uint8(data)) <= depth {
			place, depth = i, int(uint8(data))
		}
	}
	return place
}
