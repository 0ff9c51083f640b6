package movegen

import (
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// lineTables looks flips up: a multiplication gathers the six inner squares of a line into an
// index, one table gives the places of the line where an own disc must lie, and another the
// places between ("kindergarten bitboards" of computer chess, applied to Reversi by Edax). Its
// moves are the flips of every empty square.
type lineTables struct{}

func (lineTables) Name() string         { return "lines" }
func (lineTables) Needs() []cpu.Feature { return nil }

// Columns as a whole, to gather and to spread by a multiplication.
const (
	columnA = 0x0101010101010101
	gather  = 0x0102040810204080 // bit 8r of a column comes to bit 56+r
	spread  = 0x0002040810204081 // bit r of a byte comes to bit 8r
)

// outflank[x][in]: with a disc set on place x of a line and the other side's discs in on
// places 1 to 6, the places on which a disc of our own turns a row of them over.
// flipped[x][at]: the places between x and those.
var outflank, flipped = func() (out [8][64]uint8, flip [8][256]uint8) {
	for x := range 8 {
		for in := range 64 {
			opp := in << 1
			for _, d := range [2]int{-1, 1} {
				at := x + d
				for 0 < at && at < 7 && opp>>at&1 != 0 {
					at += d
				}
				if 0 <= at && at < 8 && at != x+d {
					out[x][in] |= 1 << at
				}
			}
		}
		for at := range 256 {
			for y := range 8 {
				for z := min(x, y) + 1; at>>y&1 != 0 && z < max(x, y); z++ {
					flip[x][at] |= 1 << z
				}
			}
		}
	}
	return out, flip
}()

// slants holds the two slanting lines through each square.
var slants = func() (t [64][2]uint64) {
	for s := range board.Square(64) {
		for r := range 8 {
			up, down := s.Column()+r-s.Row(), s.Column()-r+s.Row()
			if 0 <= up && up < 8 {
				t[s][0] |= board.SquareAt(up, r).Bit()
			}
			if 0 <= down && down < 8 {
				t[s][1] |= board.SquareAt(down, r).Bit()
			}
		}
	}
	return t
}()

func (lineTables) Flips(b board.Board, s board.Square) uint64 {
	x, y := s.Column()&7, s.Row()&7
	row := uint(8 * y)
	at := outflank[x][b.Opp>>(row+1)&63] & uint8(b.Own>>row)
	flips := uint64(flipped[x][at]) << row

	own, opp := b.Own>>x&columnA, b.Opp>>x&columnA
	at = outflank[y][opp*gather>>57&63] & uint8(own*gather>>56)
	// Spread the eight places again: place r to bit 8r.
	flips |= (uint64(flipped[y][at]) * spread & columnA) << x

	for _, line := range slants[s&63] {
		// A slanting line has at most one square in each column: adding up the rows
		// puts it into one byte.
		at = outflank[x][b.Opp&line*columnA>>57&63] & uint8(b.Own&line*columnA>>56)
		flips |= uint64(flipped[x][at]) * columnA & line
	}
	return flips
}

func (g lineTables) Moves(b board.Board) uint64 {
	var moves uint64
	for empty := b.Empty(); empty != 0; empty &= empty - 1 {
		if s := board.First(empty); g.Flips(b, s) != 0 {
			moves |= s.Bit()
		}
	}
	return moves
}

func (g lineTables) Expand(b board.Board, moves uint64, c *Children) {
	n := 0
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		c.Flips[n] = g.Flips(b, s)
		next := b.Play(s, c.Flips[n])
		c.Moves[n] = board.Moves(next.Own, next.Opp)
		n++
	}
	c.N = n
}
