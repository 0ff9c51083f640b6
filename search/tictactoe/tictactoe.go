// Package tictactoe is a complete game for the package search, as small as one can be:
// copy it, and search a game of your own.
//
//	go test ./search/tictactoe
//	go test -run '^$' -bench . ./search/tictactoe
package tictactoe

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/seed-09dcdc84/ur/search"
)

// Position is a board with a side to move. Bit 3*row+column of a set is that square.
type Position struct {
	Own, Opp uint16 // squares of the side to move and of the other side
}

// Values of finished games, for the side to move. An earlier loss is worse.
const (
	full = 1<<9 - 1
	Draw = 0
	Win  = 10 // less the number of the loser's pieces
)

// won[set] reports whether a set of squares holds three in a row.
var won = func() (t [full + 1]bool) {
	lines := [8]int{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}
	for set := range t {
		for _, line := range lines {
			t[set] = t[set] || set&line == line
		}
	}
	return t
}()

// Over reports whether the game is over, and its value for the side to move, which cannot have
// won.
func (p Position) Over() (value search.Value, over bool) {
	switch {
	case won[p.Opp]:
		return -Win + search.Value(bits.OnesCount16(p.Own)), true
	case p.Own|p.Opp == full:
		return Draw, true
	}
	return 0, false
}

// After returns the position after the side to move takes a square.
func (p Position) After(square int) Position {
	return Position{p.Opp, p.Own | 1<<square}
}

// Game is tic-tac-toe as a [search.Game].
type Game struct{}

// Key is the whole position.
func (Game) Key(p *Position) search.Key { return search.KeyOf(uint64(p.Own)<<9 | uint64(p.Opp)) }

// lines is how many lines go through a square: the centre 4, a corner 3, an edge 2.
var lines = [9]int32{3, 2, 3, 2, 4, 2, 3, 2, 3}

// orderMove prefers winning moves, then moves that block the other side.
func (p *Position) orderMove(square int) int32 {
	switch {
	case won[p.Own|1<<square]:
		return 20
	case won[p.Opp|1<<square]:
		return 10
	}
	return lines[square]
}

// Moves adds a move for every empty square.
func (g Game) Moves(p *Position, list *search.List[Position]) (result search.Value) {
	if value, over := p.Over(); over {
		return value
	}
	for empty := full &^ (p.Own | p.Opp); empty != 0; empty &= empty - 1 {
		square := bits.TrailingZeros16(empty)
		m := list.Add()
		m.ID = uint8(square)
		m.Next = p.After(square)
		m.Key = g.Key(&m.Next)
		m.Order = p.orderMove(square)
	}
	return 0
}

// Value is 0 for unfinished games.
func (Game) Value(p *Position) search.Value {
	value, _ := p.Over()
	return value
}

// Parse reads nine characters, X and O and anything for empty squares, row by row. X moves
// first, so the numbers of both determine the side to move.
func Parse(text string) (Position, error) {
	var sets [2]uint16
	if len(text) != 9 {
		return Position{}, fmt.Errorf("board %q has %d squares (want 9)", text, len(text))
	}
	for square, c := range text {
		switch c {
		case 'X', 'x':
			sets[0] |= 1 << square
		case 'O', 'o':
			sets[1] |= 1 << square
		}
	}
	x, o := bits.OnesCount16(sets[0]), bits.OnesCount16(sets[1])
	switch {
	case x-o != 0 && x-o != 1:
		return Position{}, fmt.Errorf("board %q has %d X and %d O: X moves first, and they take turns", text, x, o)
	case won[sets[0]] && (won[sets[1]] || x == o) || won[sets[1]] && x != o:
		return Position{}, fmt.Errorf("board %q: the game was over before the last move", text)
	case x == o:
		return Position{sets[0], sets[1]}, nil
	}
	return Position{sets[1], sets[0]}, nil
}

// String draws the board in three lines.
func (p Position) String() string {
	marks := "XO"
	if bits.OnesCount16(p.Own) < bits.OnesCount16(p.Opp) {
		marks = "OX"
	}
	var s strings.Builder
	for square := range 9 {
		switch {
		case p.Own>>square&1 != 0:
			s.WriteByte(marks[0])
		case p.Opp>>square&1 != 0:
			s.WriteByte(marks[1])
		default:
			s.WriteByte('.')
		}
		if square%3 == 2 {
			s.WriteByte('\n')
		}
	}
	return s.String()
}
