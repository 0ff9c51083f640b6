package movegen

import (
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// rays is the fastest in plain Go: moves by fills in doubling steps with one carry, and
// flips ray by ray, each by the lowest bit of a word. See board.Moves and board.Flips.
type rays struct{}

func (rays) Name() string               { return "rays" }
func (rays) Needs() []cpu.Feature       { return nil }
func (rays) Moves(b board.Board) uint64 { return board.Moves(b.Own, b.Opp) }
func (rays) Flips(b board.Board, s board.Square) uint64 {
	return board.Flips(b.Own, b.Opp, s)
}

func (rays) Expand(b board.Board, moves uint64, c *Children) {
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		flips := board.Flips(b.Own, b.Opp, s)
		c.Flips[n] = flips
		c.Moves[n] = board.Moves(b.Opp^flips, b.Own^flips^s.Bit())
		n++
	}
	c.N = n
}
