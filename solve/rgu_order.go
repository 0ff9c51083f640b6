package solve

import (
	"math/bits"
)

// The keys of RoyalUr's .rgu files (https://github.com/RoyalUr/RoyalUr-Java) for Finkel's
// rules, seen from the player to move. From the highest bits to the lowest:
//
//	 3 bits  the mover's pieces in hand
//	 3 bits  the opponent's pieces in hand
//	 6 bits  the mover's safe squares: 4 3 2 1 14 13 at bits 0 to 5
//	 w bits  the shared squares 5 to 12, read as digits 0 free, 1 the opponent's, 2
//	         the mover's, numbered in the order of such words that have no digit 1
//	         or 2 more often than there are pieces
//	 6 bits  the opponent's safe squares
//
// w is the least number with 2^w at least the highest word. Every position has one key, except
// those the opponent has won. Entries are in the order of keys, so the place of an entry is
// computed instead of searched for.

const (
	rguSafeBits   = safeSquares
	safeSquares   = 6
	sharedSquares = finkelShared
	sharedPairs   = 6561 // 3^8: every shared square is empty, the mover's or the opponent's
)

// rguSafe converts a set of safe squares from the order of rows to that of keys, and
// back.
var rguSafe = func() (t [1 << safeSquares]uint8) {
	for set := range t {
		for from, to := range [safeSquares]int{3, 2, 1, 0, 5, 4} { // squares 1 2 3 4 13 14
			t[set] |= uint8(set >> from & 1 << to)
		}
	}
	return t
}()

// rguSets are two disjoint sets of shared squares.
type rguSets struct{ own, opp uint8 }

// rguOrder is the order of keys for a number of pieces.
type rguOrder struct {
	pieces   int
	entries  int
	sets     []rguSets           // by the number of the word
	word     [sharedPairs]uint16 // by Index.pair
	wordBits int                 // w
	handAt   [8][8]uint32        // first entry of these hands: the mover's, the opponent's
	safeAt   [8][8][64]uint32    // entries of these hands before a mover's safe set
	wordAt   [8][8][]uint32      // entries of them before a word, by pieces the mover may have there
	rank     [8][64]uint8        // sets of at most k squares before a safe set
	upTo     [8][]uint8          // the sets of at most k squares, ascending
}

// newRGUOrder computes the order for 1 to 7 pieces, in about a millisecond.
func newRGUOrder(pieces int) *rguOrder {
	o := &rguOrder{pieces: pieces}
	o.numberWords()
	for k := range o.upTo {
		for set := range uint8(1 << safeSquares) {
			o.rank[k][set] = uint8(len(o.upTo[k]))
			if bits.OnesCount8(set) <= k {
				o.upTo[k] = append(o.upTo[k], set)
			}
		}
	}
	for ownHand := range pieces + 1 {
		for oppHand := range pieces + 1 {
			o.wordAt[pieces-ownHand][oppHand] = o.countWords(pieces-ownHand, oppHand)
		}
	}
	for ownHand := range pieces + 1 {
		for oppHand := range pieces + 1 {
			o.handAt[ownHand][oppHand] = uint32(o.entries)
			o.entries += o.countHands(ownHand, oppHand)
		}
	}
	return o
}

// numberWords numbers the words of shared squares, square 5 being the first digit.
func (o *rguOrder) numberWords() {
	for word := range sharedPairs {
		var s rguSets
		for square, rest := sharedSquares-1, word; square >= 0; square, rest = square-1, rest/3 {
			s.opp |= uint8(rest%3&1) << square
			s.own |= uint8(rest%3>>1) << square
		}
		if bits.OnesCount8(s.own) <= o.pieces && bits.OnesCount8(s.opp) <= o.pieces {
			o.word[finkel.pair(int(s.own), int(s.opp))] = uint16(len(o.sets))
			o.sets = append(o.sets, s)
		}
	}
	o.wordBits = max(1, bits.Len(uint(len(o.sets)-2))) // 2^w >= len-1
}

// oppSafe returns the opponent's safe sets possible with his hand and number of shared squares,
// ascending.
func (o *rguOrder) oppSafe(oppHand int, s rguSets) []uint8 {
	held := bits.OnesCount8(s.opp)
	if oppHand+held > o.pieces {
		return nil
	}
	sets := o.upTo[o.pieces-oppHand-held]
	if oppHand+held == 0 {
		return sets[1:] // without the empty set, with which the opponent has won
	}
	return sets
}

// countWords returns the number of entries before each word, and at the end of all, for a mover
// with at most a number of pieces on shared squares.
func (o *rguOrder) countWords(ownMost, oppHand int) []uint32 {
	before := make([]uint32, len(o.sets)+1)
	for i, s := range o.sets {
		before[i+1] = before[i]
		if bits.OnesCount8(s.own) <= ownMost {
			before[i+1] += uint32(len(o.oppSafe(oppHand, s)))
		}
	}
	return before
}

// countHands fills in safeAt for a pair of hands and returns all their entries.
func (o *rguOrder) countHands(ownHand, oppHand int) int {
	n := uint32(0)
	for safe := range o.safeAt[ownHand][oppHand] {
		o.safeAt[ownHand][oppHand][safe] = n
		if most := o.pieces - ownHand - bits.OnesCount8(uint8(safe)); most >= 0 {
			n += o.wordAt[most][oppHand][len(o.sets)]
		}
	}
	return int(n)
}

// place returns the number of the entry of a position that the opponent has not won, given by
// both players' hands and rows.
func (o *rguOrder) place(ownHand, oppHand int, own, opp row) int {
	ownSafe, oppSafe := rguSafe[finkel.safeOf(own)], rguSafe[finkel.safeOf(opp)]
	word := o.word[finkel.pair(finkel.sharedOf(own), finkel.sharedOf(opp))]
	held := oppHand + bits.OnesCount8(uint8(finkel.sharedOf(opp)))
	n := o.handAt[ownHand&7][oppHand&7] + o.safeAt[ownHand&7][oppHand&7][ownSafe] +
		o.wordAt[(o.pieces-ownHand-bits.OnesCount8(ownSafe))&7][oppHand&7][word] +
		uint32(o.rank[(o.pieces-held)&7][oppSafe])
	if held == 0 {
		n-- // the empty set, of rank 0, is left out
	}
	return int(n)
}

// rguRun is a run of consecutive entries that differ in the opponent's safe squares only.
type rguRun struct {
	key     uint32  // with no safe square of the opponent's
	own     row     // the mover's squares
	shared  int     // the opponent's shared squares
	oppSafe []uint8 // the opponent's safe squares in the order of keys, ascending
}

// run returns a run, whether or not it has entries.
func (o *rguOrder) run(ownHand, oppHand int, ownSafe uint8, word int) rguRun {
	s := o.sets[word]
	key := uint32(ownHand<<3|oppHand)<<rguSafeBits | uint32(ownSafe)
	return rguRun{
		key:     (key<<o.wordBits | uint32(word)) << rguSafeBits,
		own:     finkel.makeRow(int(s.own), int(rguSafe[ownSafe])),
		shared:  int(s.opp),
		oppSafe: o.oppSafe(oppHand, s),
	}
}

// opp returns the opponent's squares of entry i of the run.
func (r *rguRun) opp(i int) row { return finkel.makeRow(r.shared, int(rguSafe[r.oppSafe[i]])) }

// runs visits all runs with entries of a pair of hands, in order of their keys,
// until visit returns false.
func (o *rguOrder) runs(ownHand, oppHand int, visit func(rguRun) bool) {
	for ownSafe := range uint8(1 << safeSquares) {
		most := o.pieces - ownHand - bits.OnesCount8(ownSafe)
		for word, s := range o.sets {
			if bits.OnesCount8(s.own) > most {
				continue
			}
			if r := o.run(ownHand, oppHand, ownSafe, word); len(r.oppSafe) > 0 && !visit(r) {
				return
			}
		}
	}
}
