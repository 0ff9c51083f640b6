package solve

import (
	"fmt"
	"math/bits"
	"sort"

	"github.com/seed-09dcdc84/ur/board"
)

// The squares of a player's path fall into two groups: the safe ones, 1 to 4 and 13 and 14,
// where only their owner walks, and the shared ones, 5 to 12. The shared squares of both sides
// exclude each other; the safe ones do not, but for the number of pieces. The index follows
// from that:
//
//	index = first of (layer, own shared squares)
//	      + rank of own safe squares * positions for each of them
//	      + first of (own shared squares, opponent's shared squares)
//	      + rank of the opponent's safe squares
//
// Safe sets are ranked by their number of pieces first, so the sets of at most k pieces are the
// ranks below safeSets[k] for every k, and no rank is left out. All positions with the same
// squares of the mover, a row, lie together.

const (
	safeSquares   = 6
	sharedSquares = 8
	sharedSets    = 1 << sharedSquares
	rowSets       = 1 << (safeSquares + sharedSquares)
	sharedPairs   = 6561 // 3^8: every shared square is empty, the mover's or the opponent's
	firstShared   = 5

	maxRowSize  = 9908 // positions in the longest row: all sets of at most 7 of 14 squares
	maxProgress = 77   // of seven pieces on squares 8 to 14
)

// layer numbers the layers of up to seven pieces: the pieces the player to move and the
// opponent still have to bring home.
type layer struct{ own, opp int }

// tables of the index, all together below 200 KB.
type indexTables struct {
	safeRank [1 << safeSquares]uint8  // set of safe squares -> rank
	safeSet  [1 << safeSquares]uint8  // rank -> set
	safeSets [board.MaxPieces + 1]int // number of safe sets of at most k pieces
	power    [sharedSets]uint16       // set of shared squares -> its number in base 3

	// rowSize[b][shared] is the number of positions in a row whose owner holds the shared
	// squares, when the opponent has b pieces left. within is the place, in such a row, of the
	// first position with the opponent on a set of shared squares.
	rowSize [board.MaxPieces + 1][sharedSets]uint32
	within  [board.MaxPieces + 1][sharedPairs]uint16

	// first[a][b][shared] is the index of the first position of layer (a, b) whose mover holds
	// the shared squares, and start[a][b] that of the first of all.
	first [board.MaxPieces + 1][board.MaxPieces + 1][sharedSets]uint32
	start [board.MaxPieces + 1][board.MaxPieces + 1]uint32
	size  [board.MaxPieces + 1][board.MaxPieces + 1]uint32

	layers []layer // in order of their indices
}

var index = newIndexTables()

func newIndexTables() *indexTables {
	t := new(indexTables)
	t.rankSafeSets()
	for set := range sharedSets {
		for square, digit := 0, 1; square < sharedSquares; square, digit = square+1, digit*3 {
			t.power[set] += uint16(set >> square & 1 * digit)
		}
	}
	for b := 1; b <= board.MaxPieces; b++ {
		for own := range sharedSets {
			t.layRow(b, own)
		}
	}
	t.layLayers()
	return t
}

// rankSafeSets orders the sets of safe squares by their number of pieces, and those
// of the same number by their bits.
func (t *indexTables) rankSafeSets() {
	for set := range t.safeSet {
		t.safeSet[set] = uint8(set)
	}
	sort.SliceStable(t.safeSet[:], func(i, j int) bool {
		return bits.OnesCount8(t.safeSet[i]) < bits.OnesCount8(t.safeSet[j])
	})
	for rank, set := range t.safeSet {
		t.safeRank[set] = uint8(rank)
		for k := bits.OnesCount8(set); k < len(t.safeSets); k++ {
			t.safeSets[k]++
		}
	}
}

// layRow lays out a row whose owner holds the shared squares own: one stretch for each set of
// the other shared squares that b pieces can hold.
func (t *indexTables) layRow(b, own int) {
	n := 0
	for opp := range sharedSets {
		if opp&own != 0 {
			continue
		}
		t.within[b][t.pair(own, opp)] = uint16(n)
		n += t.safeSetsLeft(b, opp)
	}
	t.rowSize[b][own] = uint32(n)
}

// layLayers puts the layers one after another so that those of a smaller game are a prefix of
// those of a larger one, and each comes after the layers it depends on.
func (t *indexTables) layLayers() {
	next := uint32(0)
	lay := func(l layer) {
		t.layers = append(t.layers, l)
		t.start[l.own][l.opp] = next
		for own := range sharedSets {
			t.first[l.own][l.opp][own] = next
			next += uint32(t.safeSetsLeft(l.own, own)) * t.rowSize[l.opp][own]
		}
		t.size[l.own][l.opp] = next - t.start[l.own][l.opp]
	}
	for most := 1; most <= board.MaxPieces; most++ {
		for least := 1; least < most; least++ {
			lay(layer{most, least})
			lay(layer{least, most})
		}
		lay(layer{most, most})
	}
}

// safeSetsLeft returns the number of sets of safe squares for the pieces not on shared squares,
// of a player with some number of pieces left: 0 when the shared squares are more than those.
func (t *indexTables) safeSetsLeft(left, shared int) int {
	if left -= bits.OnesCount8(uint8(shared)); left >= 0 {
		return t.safeSets[left]
	}
	return 0
}

// pair numbers two disjoint sets of shared squares.
func (t *indexTables) pair(own, opp int) int {
	return int(t.power[own]) + 2*int(t.power[opp])
}

// rowStart returns the index of the first position of a row, in a layer with the row's owner to
// move.
func (t *indexTables) rowStart(l layer, own row) uint32 {
	shared := own.shared()
	return t.first[l.own][l.opp][shared] + uint32(t.safeRank[own.safe()])*t.rowSize[l.opp][shared]
}

// inRow returns the place in the row own of the position with the opponent on opp.
func (t *indexTables) inRow(b int, own, opp row) uint32 {
	return uint32(t.within[b][t.pair(own.shared(), opp.shared())]) + uint32(t.safeRank[opp.safe()])
}

// rank returns the index of a position of layer l, where neither side has finished.
func (t *indexTables) rank(l layer, own, opp row) uint32 {
	return t.rowStart(l, own) + t.inRow(l.opp, own, opp)
}

// Positions returns the number of positions in the index of a game of 1 to 7 pieces: unfinished
// positions with one side to move, 137,870,097 for seven. It panics on any other number of
// pieces.
func Positions(pieces int) int {
	if err := board.CheckPieces(pieces); err != nil {
		panic(err)
	}
	return int(index.start[pieces][pieces] + index.size[pieces][pieces])
}

// Rank returns the number of p among all positions, 0 to Positions(p.Pieces())-1, and false
// when the game is over. Positions that differ only in the names of the sides have the same
// rank, and so have those that differ by pieces already home: a game of fewer pieces uses the
// same ranks as a larger one. It takes no branch on the places of the pieces, and reads eight
// entries of small tables. p must be legal.
func Rank(p board.Position) (rank int, ok bool) {
	me := p.Turn()
	l := layer{p.Pieces() - p.Home(me), p.Pieces() - p.Home(me.Other())}
	if l.own == 0 || l.opp == 0 {
		return 0, false
	}
	return int(index.rank(l, rowOf(p.Squares(me)), rowOf(p.Squares(me.Other())))), true
}

// Unrank returns the position with a rank, in a game of the given number of pieces
// and with Light to move. It panics unless 0 <= rank < Positions(pieces).
func Unrank(rank, pieces int) board.Position {
	if rank < 0 || rank >= Positions(pieces) {
		panic(fmt.Sprintf("solve: rank %d is outside 0..%d", rank, Positions(pieces)-1))
	}
	l, own, opp := index.unrank(uint32(rank))
	p, err := board.FromSquares(pieces, board.Light,
		[2]uint16{own.squares(), opp.squares()}, [2]int{pieces - l.own, pieces - l.opp})
	if err != nil {
		panic(err) // the index holds legal positions only
	}
	return p
}

// unrank is the inverse of rank. It searches the few starts of layers and of sets of
// shared squares, and divides by the size of a row.
func (t *indexTables) unrank(rank uint32) (l layer, own, opp row) {
	l = t.layers[sort.Search(len(t.layers), func(i int) bool {
		l := t.layers[i]
		return t.start[l.own][l.opp]+t.size[l.own][l.opp] > rank
	})]
	first := &t.first[l.own][l.opp]
	ownShared := sort.Search(sharedSets, func(shared int) bool { return first[shared] > rank }) - 1
	size := t.rowSize[l.opp][ownShared]
	rank -= first[ownShared]
	ownSafe, rank := t.safeSet[rank/size], rank%size

	free := sharedSets - 1 - ownShared
	begin := func(k int) uint32 { return uint32(t.within[l.opp][t.pair(ownShared, deposit(k, free))]) }
	k := sort.Search(1<<bits.OnesCount8(uint8(free)), func(k int) bool { return begin(k) > rank }) - 1
	oppSafe := t.safeSet[rank-begin(k)]
	return l, makeRow(ownShared, int(ownSafe)), makeRow(deposit(k, free), int(oppSafe))
}

// deposit spreads the low bits of k over the set bits of mask, lowest first.
func deposit(k, mask int) int {
	set := 0
	for ; mask != 0; mask, k = mask&(mask-1), k>>1 {
		set |= mask & -mask & -(k & 1)
	}
	return set
}
