package solve

import (
	"cmp"
	"math/bits"
	"slices"
)

// A program lists all Dark's moves from the positions in a row, for every row whose owner,
// Light, holds the same shared squares: where in memory the value stands after each move.
// Dark's moves depend on Light's shared squares and not on the safe ones, so one program serves
// up to 64 rows; it is made once and read by every sweep.
//
// The positions come by falling sets of Dark's squares, read as a number with the last square as
// its highest bit. Every move raises the number, so every value read from the row itself is from
// this sweep. Neighboring positions share most squares, so their moves lead to values side by side.
//
// code holds for each position a word with
//
//	bits  0..19  its place in the row
//	bits 20..31  the class of throws after which Dark has to pass; see chances
//
// a word with
//
//	bits  0..15  the number of moves for roll r in bits 4(r-1)..4(r-1)+3, r = 1, 2, 3, 4
//	bits 16..31  the number of its stretch in the row
//
// two words with the number of moves for rolls 5 and up, alike, unless no roll is longer than 4,
// and then each move: a place in bits 0..19 and the slot it counts from in bits 20 and up.
type program struct {
	code      []uint32
	positions int
	stretches []stretch
}

// stretch is the part in a row with the same shared squares for Dark.
type stretch struct {
	opp   int    // Dark's shared squares, in the order of Light's path
	power uint32 // their part in the number of a pair of sets
	begin int    // place of its first position in the row
	n     int    // positions in it
}

// Slots are the memory stretches that hold the values after Dark's moves.
const (
	slotLight    = iota // the row itself, Light to move
	slotDark            // the row itself, Dark to move: Dark landed on a rosette
	slotHome            // the row of the same squares where Dark has a piece less to bring home
	slotWon             // a single value: Dark has won
	slotCaptured        // and up: the row without the piece on the first shared square, the second, ...

	slots = 32 // slotCaptured+maxShared at least
)

const (
	placeBits   = 20
	placeMask   = 1<<placeBits - 1
	shortRolls  = 4  // rolls with a count in the second word
	countBits   = 4  // bits in a number of moves
	stretchFrom = 16 // bit of the second word
)

// newPrograms makes the programs for Dark with b pieces left, by Light's shared squares, a at most.
func (x *Index) newPrograms(a, b, threads int) []*program {
	programs := make([]*program, x.sharedSets())
	builders := make([]programBuilder, threads)
	runParallel(threads, len(programs), func(thread, own int) {
		if bits.OnesCount(uint(own)) <= a {
			builders[thread].Index = x
			programs[own] = builders[thread].buildProgram(b, own)
		}
	})
	return programs
}

// programBuilder makes one program after another in the same memory, to save the solver's.
type programBuilder struct {
	*Index
	cells []cell
	moves []uint32 // moves in all cells
}

// cell is one position in a program.
type cell struct {
	squares    uint32 // Dark's, see program
	header     uint32
	stretch    uint32
	counts     uint64 // moves of roll r in bits 4(r-1) and up
	begin, end int    // its moves
}

// buildProgram lists Dark's moves with b pieces left, against Light on a set of shared squares.
func (w *programBuilder) buildProgram(b, own int) *program {
	w.cells, w.moves = w.cells[:0], w.moves[:0]
	p := new(program)
	for opp := range w.disjointSets(own) {
		n := w.safeSetsLeft(b, opp)
		if n == 0 {
			continue
		}
		s := stretch{opp: opp, power: 2 * w.power[opp], begin: int(w.within[b][w.pairNumber(own, opp)]), n: n}
		for rank := range s.n {
			w.addCell(b, own, w.makeRow(opp, int(w.safeSet[rank])), len(p.stretches))
		}
		p.stretches = append(p.stretches, s)
	}
	slices.SortFunc(w.cells, func(x, y cell) int {
		return cmp.Compare(y.squares, x.squares)
	})
	p.positions = len(w.cells)
	words := 2
	if w.chances.longest > shortRolls {
		words = 4
	}
	p.code = make([]uint32, 0, words*len(w.cells)+len(w.moves))
	for _, c := range w.cells {
		p.code = append(p.code, c.header, c.stretch<<stretchFrom|uint32(c.counts&(1<<stretchFrom-1)))
		if words == 4 {
			p.code = append(p.code, uint32(c.counts>>stretchFrom), uint32(c.counts>>(stretchFrom+32)))
		}
		p.code = append(p.code, w.moves[c.begin:c.end]...)
	}
	return p
}

// addCell lists the moves from one position.
func (w *programBuilder) addCell(b, own int, opp row, stretch int) {
	dark := w.flip(opp)
	c := cell{squares: w.squares(dark), stretch: uint32(stretch), begin: len(w.moves)}
	passes := w.chances.weight[0]
	for roll := 1; roll <= w.chances.longest; roll++ {
		if w.chances.weight[roll] == 0 {
			continue
		}
		reachable := w.destinations(dark, b, roll, w.flipShared(own))
		for to := reachable; to != 0; to &= to - 1 {
			w.moves = append(w.moves, w.moveOfDark(b, own, dark, bits.TrailingZeros32(to), roll))
		}
		c.counts |= uint64(bits.OnesCount32(reachable)) << (countBits * (roll - 1))
		if reachable == 0 {
			passes += w.chances.weight[roll]
		}
	}
	c.header = w.inRow(b, w.makeRow(own, 0), opp) | uint32(w.chances.class[passes])<<placeBits
	c.end = len(w.moves)
	w.cells = append(w.cells, c)
}

// moveOfDark returns the slot and place of the value after Dark's move. dark is in Dark's numbering.
func (w *programBuilder) moveOfDark(b, own int, dark row, to, roll int) uint32 {
	after := w.flip(w.rowAfter(dark, to-roll, to))
	if to == w.finish {
		if b == 1 {
			return slotWon << placeBits
		}
		return slotHome<<placeBits | w.inRow(b-1, w.makeRow(own, 0), after)
	}
	slot := uint32(slotLight)
	if w.again>>to&1 != 0 {
		slot = slotDark
	}
	if w.isShared(to) {
		if taken := w.flipShared(1 << w.bitOf[to]); own&taken != 0 {
			slot = slotCaptured + uint32(bits.TrailingZeros(uint(taken)))
			own &^= taken
		}
	}
	return slot<<placeBits | w.inRow(b, w.makeRow(own, 0), after)
}
