package eval

import "github.com/seed-09dcdc84/ur/reversi/board"

// Features are the indices of all patterns on a board, as numbers to the base 3: 0 for an empty
// square, 1 for the first side's disc, 2 for the second's. They are updated
// incrementally: a move adds some words. The caller chooses the first side, which stays the
// same through a game.
type Features [words]uint64

// FeaturesOf counts a board's features anew; own is the first side.
func FeaturesOf(b board.Board) Features {
	var f Features
	for own := b.Own; own != 0; own &= own - 1 {
		f.add(board.First(own))
	}
	for opp := b.Opp; opp != 0; opp &= opp - 1 {
		f.add(board.First(opp))
		f.add(board.First(opp))
	}
	return f
}

func (f *Features) add(s board.Square) {
	a := &patterns.adds[s&63]
	for i := range f {
		f[i] += a[i]
	}
}

// Play sets to to f after a move to s that turns over flips; side is 0 for the first side.
func (f *Features) Play(to *Features, side int, s board.Square, flips uint64) {
	if vectors {
		f.playVector(to, side, s, flips)
	} else {
		f.playPlain(to, side, s, flips)
	}
}

// playPlain is written out: loops over words take twice the time.
func (f *Features) playPlain(to *Features, side int, s board.Square, flips uint64) {
	var f0, f1, f2, f3, f4, f5, g0, g1, g2, g3, g4, g5 uint64
	for ; flips != 0; flips &= flips - 1 {
		a := &patterns.adds[board.First(flips)&63]
		f0, f1, f2, f3, f4, f5 = f0+a[0], f1+a[1], f2+a[2], f3+a[3], f4+a[4], f5+a[5]
		g0, g1, g2, g3, g4, g5 = g0+a[6], g1+a[7], g2+a[8], g3+a[9], g4+a[10], g5+a[11]
	}
	*to = *f
	to.add(s)
	if side == 0 {
		f0, f1, f2, f3, f4, f5, g0, g1, g2, g3, g4, g5 = -f0, -f1, -f2, -f3, -f4, -f5, -g0, -g1, -g2, -g3, -g4, -g5
	} else {
		to.add(s)
	}
	to[0], to[1], to[2], to[3], to[4], to[5] = to[0]+f0, to[1]+f1, to[2]+f2, to[3]+f3, to[4]+f4, to[5]+f5
	to[6], to[7], to[8], to[9], to[10], to[11] = to[6]+g0, to[7]+g1, to[8]+g2, to[9]+g3, to[10]+g4, to[11]+g5
}

// Indices appends the numbers for a position's weights, seen from the first side; all lie in one
// stage. discs is the number of discs on the board, moves the number of this side's legal moves.
func (f *Features) Indices(to []int32, discs, moves int) []int32 {
	for i, p := range patterns.places {
		to = append(to, int32(p.offset)+int32(uint16(f[i/lanesPerWord]>>(16*(i%lanesPerWord)))))
	}
	return append(to, int32(mobilityOf(discs, moves)))
}
