// Package connectfour is a complete game for the package search: bitboards, a key that mirrored
// positions share, bounds of values, a solver and a player.
//
//	go test ./search/connectfour
//	go test -run '^$' -bench . ./search/connectfour
//
// Bitboards, scores and the order of moves are those of Pascal Pons's solver
// (https://github.com/PascalPons/connect4), so both can be compared node by node.
package connectfour

import (
	"fmt"
	"math/bits"
	"strings"
)

// The board. A column of the bitboards has one row more: it stays empty.
const (
	Columns = 7
	Rows    = 6
	Squares = Columns * Rows

	bottom = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42
	board  = bottom * (1<<Rows - 1)
	column = 1<<Rows - 1 // the first
)

// Position is a board with a side to move. Bit 7*column+row of a set is that square.
type Position struct {
	Own, All uint64 // stones of the side to move, and of both sides
	calm     bool   // the side to move is known not to win at once
}

// Parse plays a game from the empty board: one digit for each move, 1 to 7 from the left.
func Parse(game string) (p Position, err error) {
	for i, digit := range []byte(game) {
		c := int(digit) - '1'
		switch {
		case c < 0 || c >= Columns:
			return p, fmt.Errorf("move %d: invalid column %q (want 1 to %d)", i+1, digit, Columns)
		case p.Over():
			return p, fmt.Errorf("move %d: the game is over", i+1)
		case !p.CanPlay(c):
			return p, fmt.Errorf("move %d: column %c is full", i+1, digit)
		}
		p = p.Play(c)
	}
	return p, nil
}

// Stones returns the number of stones on the board.
func (p Position) Stones() int { return bits.OnesCount64(p.All) }

// CanPlay reports whether a column, 0 to 6, has room.
func (p Position) CanPlay(c int) bool { return p.openSquares()&(column<<(7*c)) != 0 }

// openSquares returns the lowest empty square of every column with room.
func (p Position) openSquares() uint64 { return (p.All + bottom) & board }

// Play returns the position after a stone in a column with room.
func (p Position) Play(c int) Position { return p.afterMove(p.openSquares() & (column << (7 * c))) }

func (p Position) afterMove(square uint64) Position {
	return Position{Own: p.Own ^ p.All, All: p.All | square}
}

// Over reports whether the side that moved last has four in a row, or the board is full.
func (p Position) Over() bool { return hasFour(p.Own^p.All) || p.All == board }

// hasFour reports whether stones contain four in a row.
func hasFour(stones uint64) bool {
	for _, step := range [4]int{1, 6, 7, 8} {
		two := stones & (stones >> step)
		if two&(two>>(2*step)) != 0 {
			return true
		}
	}
	return false
}

// winningSquares returns the empty squares that complete four in a row of some stones.
func winningSquares(stones, all uint64) uint64 {
	r := stones << 1 & (stones << 2) & (stones << 3) // a column
	for _, step := range [3]int{6, 7, 8} {           // diagonals and a row
		pair := stones << step & (stones << (2 * step))
		r |= pair&(stones<<(3*step)) | pair&(stones>>step)
		pair = stones >> step & (stones >> (2 * step))
		r |= pair&(stones<<step) | pair&(stones>>(3*step))
	}
	return r & (board ^ all)
}

// String draws the board, X being the first player.
func (p Position) String() string {
	var text strings.Builder
	first := p.Own
	if p.Stones()%2 == 1 {
		first ^= p.All
	}
	for row := Rows - 1; row >= 0; row-- {
		for c := range Columns {
			switch bit := uint64(1) << (7*c + row); {
			case p.All&bit == 0:
				text.WriteByte('.')
			case first&bit != 0:
				text.WriteByte('X')
			default:
				text.WriteByte('O')
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
}
