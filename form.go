package ur

import "github.com/seed-09dcdc84/ur/board"

// A form is getValue in coordinates that follow the moves. The numbers of one side
// always sum to its pieces, so its hand need not be counted: a piece on a square is
// a piece that has left the hand, and a position is the sum of
//
//	coordinate  0       the number of pieces of each player, all in hand
//	            1..15   Light's pieces on that square, each taken from the hand
//	            17..31  Dark's pieces on that square less 16, likewise
//	            32      the turn
//
// and 16 stays empty. Entering then changes one coordinate instead of two, and what
// a square adds is linear in its coordinate whatever is in hand.
//
// form[i][j] is what coordinates i and j are worth together when each is 1; on the
// diagonal it is twice what i is worth alone. An entry is a sum of at most four
// weights, those of the diagonal twice: below 2^19.
type form [board.Numbers][board.Numbers]int32

// Coordinates that stand for counts instead of squares.
const (
	piecesNumber = 0
	lightFinish  = lightOffset + board.Finish
	darkFinish   = darkOffset + board.Finish
)

func newForm(b *Brain) *form {
	f := new(form)
	for i := range board.Numbers {
		for j := range i + 1 {
			for _, s := range coordinate(i) {
				for _, t := range coordinate(j) {
					f[i][j] += s.times * t.times * b.polar(s.number, t.number)
				}
			}
			f[j][i] = f[i][j]
		}
	}
	return f
}

// term is a number of the board, and how often it counts.
type term struct {
	number int
	times  int32
}

// coordinate returns what coordinate i of a form is in numbers of the board.
func coordinate(i int) [2]term {
	switch i {
	case piecesNumber:
		return [2]term{{lightOffset, 1}, {darkOffset, 1}}
	case darkOffset:
		return [2]term{}
	case turnNumber:
		return [2]term{{turnNumber, 1}}
	}
	return [2]term{{i, 1}, {i &^ 15, -1}}
}

// polar returns the entry of B + B^T in row i and column j.
func (b *Brain) polar(i, j int) int32 {
	if i == j {
		return 2 * int32(b.At(i, i))
	}
	return int32(b.Pair(i, j))
}

// counts returns the value of a position without its squares.
func (f *form) counts(pieces, lightHome, darkHome, turn int32) int32 {
	index := [4]int{piecesNumber, lightFinish, darkFinish, turnNumber}
	count := [4]int32{pieces, lightHome, darkHome, turn}
	var twice int32
	for i, row := range index {
		for k, column := range index {
			twice += f[row][column] * count[i] * count[k]
		}
	}
	return twice / 2
}
