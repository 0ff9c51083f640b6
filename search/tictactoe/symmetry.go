package tictactoe

import (
	"sync"

	"github.com/seed-09dcdc84/ur/search"
)

// SymmetricGame is tic-tac-toe with one table entry for all rotations and reflections of a
// board: they share a key. Tables store moves by their IDs, so these name squares of the
// canonical board. Next gives the square actually taken.
type SymmetricGame struct {
	Game
	*symmetries
}

// NewSymmetricGame returns the game. The first call computes its tables.
func NewSymmetricGame() SymmetricGame { return SymmetricGame{symmetries: newSymmetries()} }

// boards is how many ways there are to fill nine squares.
const boards = 19683

// symmetries are the tables of the game.
type symmetries struct {
	// squares maps squares: by the columns mirrored or not (1), the rows (2), and both exchanged
	// (4).
	squares [8][9]uint8

	// ternary reads binary digits as ternary ones.
	ternary [full + 1]uint16

	// canonical gives for each board, its squares as digits 0, 1 own, 2 opposing, the first of
	// its symmetric boards.
	canonical [boards]standsFor
}

// standsFor is a board's canonical board, and the symmetry to it.
type standsFor struct {
	board uint16
	by    uint8
}

var newSymmetries = sync.OnceValue(func() *symmetries {
	t := new(symmetries)
	for s := range t.squares {
		for square := range 9 {
			row, column := square/3, square%3
			if s&1 != 0 {
				column = 2 - column
			}
			if s&2 != 0 {
				row = 2 - row
			}
			if s&4 != 0 {
				row, column = column, row
			}
			t.squares[s][square] = uint8(3*row + column)
		}
	}
	for set := range t.ternary {
		for square, power := 0, uint16(1); square < 9; square, power = square+1, 3*power {
			t.ternary[set] += uint16(set>>square&1) * power
		}
	}
	for board := range t.canonical {
		if t.canonical[board] != (standsFor{}) {
			continue // a symmetric board came before
		}
		for s := len(t.squares) - 1; s >= 0; s-- {
			t.canonical[t.turnedBack(board, s)] = standsFor{uint16(board), uint8(s)}
		}
	}
	return t
})

// turnedBack returns the board whose symmetry is a board.
func (t *symmetries) turnedBack(board, symmetry int) (before int) {
	powers := [9]int{1, 3, 9, 27, 81, 243, 729, 2187, 6561}
	for square, power := range powers {
		before += board / powers[t.squares[symmetry][square]] % 3 * power
	}
	return before
}

func (t *symmetries) standIn(p *Position) standsFor {
	return t.canonical[t.ternary[p.Own&full]+2*t.ternary[p.Opp&full]]
}

// Key is the key of the canonical board of p.
func (g SymmetricGame) Key(p *Position) search.Key { return search.KeyOf(uint64(g.standIn(p).board)) }

// Moves adds the moves of [Game.Moves] by other names.
func (g SymmetricGame) Moves(p *Position, list *search.List[Position]) (result search.Value) {
	result = g.Game.Moves(p, list)
	squares := &g.squares[g.standIn(p).by&7]
	for i := range list.All() {
		m := &list.All()[i]
		m.ID = squares[m.ID]
		m.Key = g.Key(&m.Next)
	}
	return result
}
