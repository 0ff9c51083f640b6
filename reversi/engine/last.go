package engine

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// The last seven empty squares. All functions search the window alpha to alpha+1 and
// return the score, or a bound on its side of the window.

const corners = 1 | 1<<7 | 1<<56 | 1<<63

// fewPlain is few in plain Go.
func (s *searcher) fewPlain(own, opp uint64, alpha, empties int) int {
	if empties <= lastSquares {
		return s.last(own, opp, alpha, ^(own | opp), empties)
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
	best := -inf
	odd := moves
	if s.uses(parity) {
		odd &= board.OddQuarters(^(own | opp))
	}
	for _, set := range [4]uint64{odd & corners, odd &^ corners, moves &^ odd & corners, moves &^ odd &^ corners} {
		for ; set != 0; set &= set - 1 {
			x := board.First(set)
			f := board.Flips(own, opp, x)
			if best = max(best, -s.fewPlain(opp^f, own^f|x.Bit(), -alpha-1, empties-1)); best > alpha {
				return best
			}
		}
	}
	return best
}

// around holds each square's neighbours: a move without a neighbouring disc of the other
// side turns nothing over.
var around = func() (t [64]uint64) {
	for s := range board.Square(64) {
		t[s] = eval.Neighbours(s.Bit()) &^ s.Bit()
	}
	return t
}()

// lastFlips[x][own] is the number of discs turned over by a disc on place x of a line when all
// other places are taken, own of them by the moving side. It is doubled, because a disc turned
// over counts twice in the score.
var lastFlips = func() (t [8][256]uint8) {
	for x := range 8 {
		for own := range 256 {
			t[x][own] = uint8(2 * bits.OnesCount64(board.Flips(uint64(own), uint64(255&^own), board.Square(x))))
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

// last solves a board with at most four empty squares; of four, those alone in their quarter come first.
func (s *searcher) last(own, opp uint64, alpha int, empty uint64, empties int) int {
	switch empties {
	case 0:
		return 2*bits.OnesCount64(own) - 64
	case 1:
		return s.one(own, alpha, board.First(empty))
	}
	s.nodes++
	odd, pairs := empty, false
	if empties == lastSquares {
		if bound, cut := s.stableBound(own, opp, alpha, empties); cut {
			return bound
		}
		if s.uses(parity) {
			odd, pairs = alone(empty)
		}
	}
	at := uint32(0)
	for _, set := range [2]uint64{empty &^ odd, odd} {
		for ; set != 0; set &^= 1 << 63 >> bits.LeadingZeros64(set) {
			at = at<<8 | uint32(63-bits.LeadingZeros64(set))
		}
	}
	return s.inOrder(own, opp, alpha, at, empties, pairs)
}

// alone returns those of four squares that come first, and whether the four are two pairs: behind a
// move its quarter's other square is alone, and comes first.
func alone(empty uint64) (odd uint64, pairs bool) {
	odd = empty & board.OddQuarters(empty)
	switch first := empty & quarter[board.First(empty)]; {
	case odd == 0:
		return first, true
	case odd == empty && bits.OnesCount64(first) == 3:
		return odd &^ first, false // one alone and three
	}
	return odd, false
}

// quarter is the quarter of each square's board.
var quarter = func() (t [64]uint64) {
	for s := range board.Square(64) {
		t[s] = 0x0f0f0f0f << (s.Column() &^ 3) << (8 * (s.Row() &^ 3))
	}
	return t
}()

// inOrder solves a board with two to four empty squares, tried in the order of the n lowest bytes of at.
// With pairs the first two of four squares are in a quarter, and the others too.
func (s *searcher) inOrder(own, opp uint64, alpha int, at uint32, n int, pairs bool) int {
	for sign := 1; sign >= -1; sign -= 2 { // -1 behind a pass
		best := -inf
		for i := range n {
			place := 8 * uint(i) & 31
			x := board.Square(at >> place & 63)
			if around[x&63]&opp == 0 {
				continue
			}
			f := board.Flips(own, opp, x)
			if f == 0 {
				continue
			}
			rest := at&(1<<place-1) | at>>8>>place<<place
			if pairs && i > 1 {
				rest = at>>(8*uint(5-i)&31)&63 | at<<8 // the other of its pair first
			}
			var score int
			if n == 2 {
				score = -s.one(opp^f, -alpha-1, board.Square(rest&63))
			} else {
				s.nodes++
				score = -s.inOrder(opp^f, own^f|x.Bit(), -alpha-1, rest, n-1, false)
			}
			if best = max(best, score); best > alpha {
				break
			}
		}
		if best != -inf {
			if sign < 0 && n > 2 {
				s.nodes++
			}
			return sign * best
		}
		own, opp, alpha = opp, own, -alpha-1
	}
	return final(own, n)
}
