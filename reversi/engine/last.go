package engine

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// The last seven empty squares, the last four unrolled. All functions search the window alpha to alpha+1 and
// return the score, or a bound on its side of the window.

const corners = 1 | 1<<7 | 1<<56 | 1<<63

// fewPlain is few in plain Go.
func (s *searcher) fewPlain(own, opp uint64, alpha, empties int) int {
	empty := ^(own | opp)
	if empties <= lastSquares {
		return s.last(own, opp, alpha, empty, empties)
	}
	s.nodes++
	if bound, cut := s.stableBound(own, opp, alpha, empties); cut {
		return bound
	}
	moves := board.Moves(own, opp)
	if moves != 0 {
		return s.fewMoves(own, opp, alpha, empties, moves)
	}
	if moves = board.Moves(opp, own); moves == 0 {
		return final(own, empties)
	}
	s.nodes++
	return -s.fewMoves(opp, own, -alpha-1, empties, moves)
}

// fewMoves tries moves alone in their quarter first, and corners first among each.
func (s *searcher) fewMoves(own, opp uint64, alpha, empties int, moves uint64) int {
	empty := ^(own | opp)
	best := -inf
	odd := moves
	if s.uses(parity) {
		odd &= board.OddQuarters(empty)
	}
	for _, set := range [4]uint64{odd & corners, odd &^ corners, moves &^ odd & corners, moves &^ odd &^ corners} {
		for ; set != 0; set &= set - 1 {
			x := board.First(set)
			f := board.Flips(own, opp, x)
			var score int
			if empties == lastSquares+1 {
				score = -s.four(opp^f, own^f|x.Bit(), -alpha-1, empty^x.Bit())
			} else {
				score = -s.fewPlain(opp^f, own^f|x.Bit(), -alpha-1, empties-1)
			}
			if score > best {
				best = score
				if best > alpha {
					return best
				}
			}
		}
	}
	return best
}

// last solves a board with at most four empty squares.
func (s *searcher) last(own, opp uint64, alpha int, empty uint64, empties int) int {
	x := board.First(empty)
	switch empties {
	case 0:
		return 2*bits.OnesCount64(own) - 64
	case 1:
		return s.one(own, alpha, x)
	case 2:
		return s.two(own, opp, alpha, x, board.First(empty&(empty-1)))
	case 3:
		rest := empty & (empty - 1)
		return s.three(own, opp, alpha, x, board.First(rest), board.First(rest&(rest-1)))
	}
	return s.four(own, opp, alpha, empty)
}

// around holds each square's neighbours: a move without a neighbouring disc of the other
// side turns nothing over.
var around = func() (t [64]uint64) {
	for s := range board.Square(64) {
		for dc := -1; dc <= 1; dc++ {
			for dr := -1; dr <= 1; dr++ {
				if c, r := s.Column()+dc, s.Row()+dr; 0 <= c && c < 8 && 0 <= r && r < 8 && (dc != 0 || dr != 0) {
					t[s] |= board.SquareAt(c, r).Bit()
				}
			}
		}
	}
	return t
}()

// lastFlips[x][own] is the number of discs turned over by a disc on place x of a line when all
// other places are taken, own of them by the moving side. It is doubled, because a disc turned
// over counts twice in the score.
var lastFlips = func() (t [8][256]uint8) {
	for x := range 8 {
		for own := range 256 {
			for _, d := range [2]int{-1, 1} {
				for y, n := x+d, 0; 0 <= y && y < 8; y, n = y+d, n+1 {
					if own>>y&1 != 0 {
						t[x][own] += uint8(2 * n)
						break
					}
				}
			}
		}
	}
	return t
}()

const columnA = 0x0101010101010101

// countLast returns twice the number of discs turned over by an own disc on the last empty
// square. On a diagonal shorter than eight, lastFlips sees open-ended discs of the other side: they
// count nothing.
func countLast(own uint64, s board.Square) int {
	x, y := s&7, s>>3&7
	line := &board.Lines[s&63]
	table := &lastFlips[x]
	return int(table[uint8(own>>(8*uint(y)&63))]) +
		int(lastFlips[y][uint8((own>>uint(x)&columnA)*0x0102040810204080>>56)]) +
		int(table[uint8(own&line[2]*columnA>>56)]) +
		int(table[uint8(own&line[3]*columnA>>56)])
}

// final is the score of a finished game with a number of empty squares.
func final(own uint64, empties int) int {
	score := 2*bits.OnesCount64(own) - 64 + empties
	switch {
	case score > 0:
		return score + empties
	case score < 0:
		return score - empties
	}
	return 0
}

// one solves a board with one empty square.
func (s *searcher) one(own uint64, alpha int, x board.Square) int {
	s.nodes++
	score := 2*bits.OnesCount64(own) - 62
	if n := countLast(own, x); n != 0 {
		return score + n
	}
	// The side to move cannot; if the other cannot either, the square is the winner's.
	if score <= 0 {
		score -= 2
		if score > alpha {
			score -= countLast(^own&^x.Bit(), x)
		}
		return score
	}
	if score > alpha {
		if n := countLast(^own&^x.Bit(), x); n != 0 {
			score -= n + 2
		}
	}
	return score
}

// two solves a board with two empty squares.
func (s *searcher) two(own, opp uint64, alpha int, x, y board.Square) int {
	s.nodes++
	best := -inf
	if around[x&63]&opp != 0 {
		if f := board.Flips(own, opp, x); f != 0 {
			best = -s.one(opp^f, -alpha-1, y)
			if best > alpha {
				return best
			}
		}
	}
	if around[y&63]&opp != 0 {
		if f := board.Flips(own, opp, y); f != 0 {
			return max(best, -s.one(opp^f, -alpha-1, x))
		}
	}
	if best != -inf {
		return best
	}
	// A pass: the same for the other side, the least of its scores negated.
	best = inf
	if around[x&63]&own != 0 {
		if f := board.Flips(opp, own, x); f != 0 {
			best = s.one(own^f, alpha, y)
			if best <= alpha {
				return best
			}
		}
	}
	if around[y&63]&own != 0 {
		if f := board.Flips(opp, own, y); f != 0 {
			return min(best, s.one(own^f, alpha, x))
		}
	}
	if best != inf {
		return best
	}
	return final(own, 2)
}

// three solves a board with three empty squares, in the order given.
func (s *searcher) three(own, opp uint64, alpha int, x, y, z board.Square) int {
	s.nodes++
	best := -inf
	if around[x&63]&opp != 0 {
		if f := board.Flips(own, opp, x); f != 0 {
			best = -s.two(opp^f, own^f|x.Bit(), -alpha-1, y, z)
			if best > alpha {
				return best
			}
		}
	}
	if around[y&63]&opp != 0 {
		if f := board.Flips(own, opp, y); f != 0 {
			best = max(best, -s.two(opp^f, own^f|y.Bit(), -alpha-1, x, z))
			if best > alpha {
				return best
			}
		}
	}
	if around[z&63]&opp != 0 {
		if f := board.Flips(own, opp, z); f != 0 {
			return max(best, -s.two(opp^f, own^f|z.Bit(), -alpha-1, x, y))
		}
	}
	if best != -inf {
		return best
	}
	if board.Moves(opp, own) == 0 {
		return final(own, 3)
	}
	return -s.three(opp, own, -alpha-1, x, y, z)
}

// four solves a board with four empty squares: those alone in their quarter first.
func (s *searcher) four(own, opp uint64, alpha int, empty uint64) int {
	s.nodes++
	if bound, cut := s.stableBound(own, opp, alpha, 4); cut {
		return bound
	}
	odd, pairs := empty, false
	if s.uses(parity) {
		odd &= board.OddQuarters(empty)
		switch first := empty & quarter[board.First(empty)]; {
		case odd == 0:
			// Two pairs: behind a move its quarter's other square is alone, and comes first.
			odd, pairs = first, true
		case odd == empty && bits.OnesCount64(first) == 3:
			odd &^= first // one alone and three
		}
	}
	even := empty &^ odd
	var at [4]board.Square
	n := 0
	for ; odd != 0; odd &= odd - 1 {
		at[n&3] = board.First(odd)
		n++
	}
	for ; even != 0; even &= even - 1 {
		at[n&3] = board.First(even)
		n++
	}
	best := s.fourInOrder(own, opp, alpha, &at, pairs)
	if best != -inf {
		return best
	}
	if best = s.fourInOrder(opp, own, -alpha-1, &at, pairs); best != -inf {
		s.nodes++
		return -best
	}
	return final(own, 4)
}

// quarter is the quarter of each square's board.
var quarter = func() (t [64]uint64) {
	for s := range board.Square(64) {
		t[s] = 0x0f0f0f0f << (s.Column() &^ 3) << (8 * (s.Row() &^ 3))
	}
	return t
}()

// fourInOrder tries the squares; without a move it returns -inf. With pairs the first two squares
// are in a quarter, and the others too.
func (s *searcher) fourInOrder(own, opp uint64, alpha int, at *[4]board.Square, pairs bool) int {
	best := -inf
	if x := at[0]; around[x&63]&opp != 0 {
		if f := board.Flips(own, opp, x); f != 0 {
			best = -s.three(opp^f, own^f|x.Bit(), -alpha-1, at[1], at[2], at[3])
			if best > alpha {
				return best
			}
		}
	}
	if x := at[1]; around[x&63]&opp != 0 {
		if f := board.Flips(own, opp, x); f != 0 {
			best = max(best, -s.three(opp^f, own^f|x.Bit(), -alpha-1, at[0], at[2], at[3]))
			if best > alpha {
				return best
			}
		}
	}
	if x := at[2]; around[x&63]&opp != 0 {
		if f := board.Flips(own, opp, x); f != 0 {
			y, z, w := at[0], at[1], at[3]
			if pairs {
				y, z, w = w, y, z
			}
			best = max(best, -s.three(opp^f, own^f|x.Bit(), -alpha-1, y, z, w))
			if best > alpha {
				return best
			}
		}
	}
	if x := at[3]; around[x&63]&opp != 0 {
		if f := board.Flips(own, opp, x); f != 0 {
			y, z, w := at[0], at[1], at[2]
			if pairs {
				y, z, w = w, y, z
			}
			best = max(best, -s.three(opp^f, own^f|x.Bit(), -alpha-1, y, z, w))
		}
	}
	return best
}
