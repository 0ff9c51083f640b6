package rgu

import (
	"iter"
	"math/bits"

	"github.com/seed-09dcdc84/ur/board"
)

// The keys of RoyalUr's .rgu files (https://github.com/RoyalUr/RoyalUr-Java) for Finkel's
// rules, seen from the player to move. From the highest bits to the lowest:
//
//	3 bits  the mover's pieces in hand
//	3 bits  the opponent's pieces in hand
//	6 bits  the mover's safe squares: 4 3 2 1 14 13 at bits 0 to 5
//	w bits  the shared squares 5 to 12, read as digits 0 free, 1 the opponent's, 2
//	        the mover's, numbered in the order of such words that have no digit 1
//	        or 2 more often than there are pieces
//	6 bits  the opponent's safe squares
//
// w is the least number with 2^w at least the highest word. Every position has one key, except
// those the opponent has won.
const (
	safeBits    = 6
	safeSets    = 1 << safeBits
	firstShared = 5
	lastShared  = 12
	words       = 6561 // 3^8
)

// Entry is a position seen from the player to move: the occupied squares of each side's own path,
// square s at bit s, and the pieces each side has to bring home. The game is won if OwnLeft is 0;
// OppLeft never is.
type Entry struct {
	Own, Opp         uint32
	OwnLeft, OppLeft int
}

// squaresOf converts a set of safe squares from a key.
var squaresOf = func() (t [safeSets]uint32) {
	for set := range t {
		for bit, square := range [safeBits]int{4, 3, 2, 1, 14, 13} {
			t[set] |= uint32(set>>bit&1) << square
		}
	}
	return t
}()

// keys makes the keys for a number of pieces.
type keys struct {
	pieces   int
	words    []word
	wordBits int                             // w
	safe     [board.FinkelPieces + 1][]uint8 // the safe sets of at most k squares, ascending
}

// word is a word of shared squares.
type word struct{ own, opp uint32 }

// newKeys returns the keys for 1 to 7 pieces.
func newKeys(pieces int) *keys {
	k := &keys{pieces: pieces}
	for number := range words {
		var w word
		for square, rest := lastShared, number; square >= firstShared; square, rest = square-1, rest/3 {
			w.opp |= uint32(rest%3&1) << square
			w.own |= uint32(rest%3>>1) << square
		}
		if max(bits.OnesCount32(w.own), bits.OnesCount32(w.opp)) <= pieces {
			k.words = append(k.words, w)
		}
	}
	k.wordBits = max(1, bits.Len(uint(len(k.words)-2))) // 2^w >= len-1
	for most := range k.safe {
		for set := range uint8(safeSets) {
			if bits.OnesCount8(set) <= most {
				k.safe[most] = append(k.safe[most], set)
			}
		}
	}
	return k
}

// count returns the number of entries.
func (k *keys) count() (n int) {
	for _, w := range k.words {
		opp := k.placements(w.opp)
		if w.opp == 0 {
			opp-- // all pieces home
		}
		n += k.placements(w.own) * opp
	}
	return n
}

// placements returns the number of ways to place the pieces that are not on the given shared squares.
func (k *keys) placements(shared uint32) (n int) {
	for set := range uint8(safeSets) {
		n += max(0, k.pieces-bits.OnesCount32(shared)-bits.OnesCount8(set)+1) // the rest in hand or home
	}
	return n
}

// entries yields all keys, ascending, with their places.
func (k *keys) entries() iter.Seq2[uint32, Entry] {
	return func(yield func(uint32, Entry) bool) {
		for hands := range uint32(1 << 6) {
			for safe := range uint32(safeSets) {
				for word := range k.words {
					if !k.yieldRun(hands, safe, word, yield) {
						return
					}
				}
			}
		}
	}
}

// yieldRun yields the entries that differ in the opponent's safe squares only.
func (k *keys) yieldRun(hands, safe uint32, word int, yield func(uint32, Entry) bool) bool {
	w := k.words[word]
	at := Entry{Own: w.own | squaresOf[safe]}
	at.OwnLeft = int(hands>>3) + bits.OnesCount32(at.Own)
	oppLeft := int(hands&7) + bits.OnesCount32(w.opp)
	if max(at.OwnLeft, oppLeft) > k.pieces {
		return true
	}
	key := ((hands<<safeBits|safe)<<k.wordBits | uint32(word)) << safeBits
	for _, safe := range k.safe[k.pieces-oppLeft] {
		at.Opp, at.OppLeft = w.opp|squaresOf[safe], oppLeft+bits.OnesCount8(safe)
		if at.OppLeft > 0 && !yield(key|uint32(safe), at) {
			return false
		}
	}
	return true
}
