package solve

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
)

// A program lists all of Dark's moves from the positions of a row, for every row whose owner,
// Light, holds the same shared squares: the place in memory of the value after each move.
// Dark's moves depend on Light's shared squares and not on the safe ones, so one program serves
// up to 64 rows; it is made once and read by every sweep.
//
// The positions come by falling progress of Dark, so every value read from the row itself is of
// this sweep. Positions of equal progress are sorted by the number of moves of each roll, which
// makes the branches of the loops over moves easy to predict.
//
// code holds for each position a word with
//
//	bits  0..13  its place in the row
//	bits 14..21  the number of its stretch of the row
//	bits 22..26  the number of throws of 16 after which Dark has to pass
//
// and a word with the number of moves of roll r in bits 4r..4r+3, and then each move: a place
// in bits 0..15 and the slot it counts from in bits 16 and up.
type program struct {
	code      []uint32
	positions int
	stretches []stretch
}

// stretch is the part of a row with the same shared squares of Dark.
type stretch struct {
	opp   int // Dark's shared squares
	begin int // place of its first position in the row
	n     int // positions in it, 1..64
}

// Slots are the stretches of memory that hold the values after Dark's moves.
const (
	slotLight    = iota // the row itself, Light to move
	slotDark            // the row itself, Dark to move: Dark landed on a rosette
	slotHome            // the row of the same squares where Dark has a piece less to bring home
	slotWon             // a single value: Dark has won
	slotCaptured        // and up: the row without the piece on shared square 5, 6, ... 12
	slots        = slotCaptured + sharedSquares
)

const (
	placeBits   = 14
	stretchBits = 8
)

// newPrograms makes the programs of Dark with b pieces left, by Light's shared squares.
func newPrograms(b, threads int) []*program {
	programs := make([]*program, sharedSets)
	builders := make([]programBuilder, threads)
	parallel(threads, sharedSets, func(thread, own int) { programs[own] = builders[thread].build(b, own) })
	return programs
}

// programBuilder makes one program after another in the same memory, to save the solver's.
type programBuilder struct {
	cells []cell
	moves []uint32 // of all cells
}

// cell is one position of a program.
type cell struct {
	progress       int
	header, counts uint32
	begin, end     int // its moves
}

// build lists the moves of Dark with b pieces left, against Light on a set of shared
// squares.
func (w *programBuilder) build(b, own int) *program {
	w.cells, w.moves = w.cells[:0], w.moves[:0]
	p := new(program)
	for opp := range sharedSets {
		n := index.safeSetsLeft(b, opp)
		if opp&own != 0 || n == 0 {
			continue
		}
		s := stretch{opp: opp, begin: int(index.within[b][index.pair(own, opp)]), n: n}
		for rank := range s.n {
			w.add(b, own, makeRow(opp, int(index.safeSet[rank])), len(p.stretches))
		}
		p.stretches = append(p.stretches, s)
	}
	slices.SortFunc(w.cells, func(x, y cell) int {
		return cmp.Or(cmp.Compare(y.progress, x.progress), cmp.Compare(x.counts, y.counts), cmp.Compare(x.header, y.header))
	})
	p.positions = len(w.cells)
	p.code = make([]uint32, 0, 2*len(w.cells)+len(w.moves))
	for _, c := range w.cells {
		p.code = append(append(p.code, c.header, c.counts), w.moves[c.begin:c.end]...)
	}
	return p
}

// add lists the moves from one position.
func (w *programBuilder) add(b, own int, opp row, stretch int) {
	c := cell{progress: opp.progress(), begin: len(w.moves)}
	passes := board.RollWays[0]
	for roll := 1; roll <= board.MaxRoll; roll++ {
		reachable := opp.destinations(b, roll, own)
		for to := reachable; to != 0; to &= to - 1 {
			w.moves = append(w.moves, moveOfDark(b, own, opp, bits.TrailingZeros32(to), roll))
		}
		c.counts |= uint32(bits.OnesCount32(reachable)) << (4 * roll)
		if reachable == 0 {
			passes += board.RollWays[roll]
		}
	}
	place := index.inRow(b, makeRow(own, 0), opp)
	c.header = place | uint32(stretch)<<placeBits | uint32(passes)<<(placeBits+stretchBits)
	c.end = len(w.moves)
	w.cells = append(w.cells, c)
}

// moveOfDark returns the slot and place where the value of Dark's move stands.
func moveOfDark(b, own int, opp row, to, roll int) uint32 {
	if to == board.Finish {
		if b == 1 {
			return slotWon << 16
		}
		return slotHome<<16 | index.inRow(b-1, makeRow(own, 0), opp.after(to-roll, to))
	}
	slot := uint32(slotLight)
	if board.IsRosette(to) {
		slot = slotDark
	}
	if board.IsShared(to) && own>>(to-firstShared)&1 != 0 {
		slot = slotCaptured + uint32(to-firstShared)
		own &^= 1 << (to - firstShared)
	}
	return slot<<16 | index.inRow(b, makeRow(own, 0), opp.after(to-roll, to))
}
