// Package table holds the engine bits/table: it looks getValue up in tables.
package table

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
)

// Engine is bits/table.
var Engine = ur.TurnByTurn("bits/table", func(b *ur.Brain) ur.Evaluator[board.Bits] { return newTable(b) })

// table looks getValue up. It splits the squares into four groups, and the quadratic form with
// them: a table holds each pair's value, for groups alone and together, so all pairs of
// squares cost six loads and no loop.
//
// The split follows the board. A square in the combat zone is empty, Light's or Dark's, so half
// the zone, four squares for both players at once, is four ternary digits: 81 states instead of
// 256 by bits. A side's private squares, 1 to 4 with 13 and 14, are six bits. The rest
// (the pieces home, the number of pieces, the turn) is linear in the squares, in the
// coordinates from package form, and takes four loads and a product for each.
//
// A table is 131 KiB: it lives in the second-level cache, and its entries visited in play
// mostly in the first. It takes about 0.2 ms to build.
type table struct {
	zone    [81 * 81]int32       // the combat zone: state of its high half * 81 + of its low half
	private [64 * 64]int32       // the private squares: Dark's * 64 + Light's
	cross   [2][2][81 * 64]int32 // half of the zone with private squares: by half, side, and zone * 64 + private

	zoneLinear    [2][81]linear // zones by half
	privateLinear [2][64]linear // private squares by side

	// counts is everything without squares: each player's pieces * 128 + Light's
	// home * 16 + Dark's home * 2 + the turn.
	counts [8 * 8 * 8 * 2]int32
}

// linear values a group's squares by each piece that Light and Dark have home, by each
// piece of the players, and by the turn.
type linear struct{ lightHome, darkHome, pieces, turn int32 }

const (
	lightFinish = board.LightNumbers + board.Finish
	darkFinish  = board.DarkNumbers + board.Finish
)

// ternary reads four binary digits as ternary ones.
var ternary = [16]uint8{0, 1, 3, 4, 9, 10, 12, 13, 27, 28, 30, 31, 36, 37, 39, 40}

func (e *table) Values(dst []int32, boards []board.Bits) {
	for i, b := range boards {
		light, dark := uint(b.Row(board.Light)), uint(b.Row(board.Dark))
		low := uint(ternary[light>>5&15]) + 2*uint(ternary[dark>>5&15])
		high := uint(ternary[light>>9&15]) + 2*uint(ternary[dark>>9&15])
		lightPrivate := light>>1&0xf | light>>9&0x30
		darkPrivate := dark>>1&0xf | dark>>9&0x30

		v := e.zone[81*high+low] + e.private[64*darkPrivate+lightPrivate]
		v += e.cross[0][0][64*low+lightPrivate] + e.cross[0][1][64*low+darkPrivate]
		v += e.cross[1][0][64*high+lightPrivate] + e.cross[1][1][64*high+darkPrivate]

		lightHome, darkHome := b.Home(board.Light)&7, b.Home(board.Dark)&7
		pieces := (b.Hand(board.Light) + bits.OnesCount(light) + lightHome) & 7
		turn := int(b.Turn())
		v += e.counts[pieces<<7|lightHome<<4|darkHome<<1|turn]

		p, q := &e.zoneLinear[0][low], &e.zoneLinear[1][high]
		r, s := &e.privateLinear[0][lightPrivate], &e.privateLinear[1][darkPrivate]
		v += int32(lightHome) * (p.lightHome + q.lightHome + r.lightHome + s.lightHome)
		v += int32(darkHome) * (p.darkHome + q.darkHome + r.darkHome + s.darkHome)
		v += int32(pieces) * (p.pieces + q.pieces + r.pieces + s.pieces)
		v += -int32(turn) & (p.turn + q.turn + r.turn + s.turn)
		dst[i] = v
	}
}

func newTable(b *ur.Brain) *table {
	f := form.Of(b)
	zone := [2][]squares{zoneSquares(f, 5), zoneSquares(f, 9)}
	private := [2][]squares{privateSquares(f, board.LightNumbers), privateSquares(f, board.DarkNumbers)}

	t := new(table)
	setPairs(t.zone[:], zone[1], zone[0])
	addAlone(t.zone[:], zone[1], zone[0])
	setPairs(t.private[:], private[1], private[0])
	addAlone(t.private[:], private[1], private[0])
	for i := range 2 {
		for side := range 2 {
			setPairs(t.cross[i][side][:], zone[i], private[side])
		}
		for state := range zone[i] {
			t.zoneLinear[i][state] = zone[i][state].linear()
		}
		for state := range private[i] {
			t.privateLinear[i][state] = private[i][state].linear()
		}
	}
	for i := range t.counts {
		pieces, lightHome, darkHome, turn := int32(i>>7), int32(i>>4&7), int32(i>>1&7), int32(i&1)
		t.counts[i] = counts(f, pieces, lightHome, darkHome, turn)
	}
	return t
}

// counts returns a position's value without its squares.
func counts(f *form.Form, pieces, lightHome, darkHome, turn int32) int32 {
	index := [4]int{form.Pieces, lightFinish, darkFinish, form.Turn}
	count := [4]int32{pieces, lightHome, darkHome, turn}
	var twice int32
	for i, row := range index {
		for k, column := range index {
			twice += f[row][column] * count[i] * count[k]
		}
	}
	return twice / 2
}

// squares is one state in a group of squares: a set of pieces on them.
type squares struct {
	last   int                  // coordinate of the last piece
	others int                  // state of the group without it
	value  int32                // value of the pieces alone
	with   [board.Numbers]int32 // the value of each coordinate at 1 together with them
}

// and returns the state with one more piece, where s is state number i.
func (s *squares) and(f *form.Form, i, coordinate int) squares {
	row := &f[coordinate]
	t := squares{last: coordinate, others: i, value: s.value + s.with[coordinate] + row[coordinate]/2}
	for k := range t.with {
		t.with[k] = s.with[k] + row[k]
	}
	return t
}

func (s *squares) linear() linear {
	return linear{s.with[lightFinish], s.with[darkFinish], s.with[form.Pieces], s.with[form.Turn]}
}

// zoneSquares returns the states of four squares in the combat zone, in the order
// of their ternary digits: 1 is Light's piece, 2 is Dark's.
func zoneSquares(f *form.Form, first int) []squares {
	states := make([]squares, 1, 81)
	for square := first; square < first+4; square++ {
		empty := states
		for _, offset := range [2]int{board.LightNumbers, board.DarkNumbers} {
			for i := range empty {
				states = append(states, empty[i].and(f, i, offset+square))
			}
		}
	}
	return states
}

// privateSquares returns the states of a side's private squares, in the order of
// their binary digits.
func privateSquares(f *form.Form, offset int) []squares {
	states := make([]squares, 1, 64)
	for _, square := range [6]int{1, 2, 3, 4, 13, 14} {
		for i := range states {
			states = append(states, states[i].and(f, i, offset+square))
		}
	}
	return states
}

// setPairs sets dst, for each pair of states in two groups, to the value between one's squares and
// the other's: a single addition to the entry for b's state with one piece less.
func setPairs(dst []int32, a, b []squares) {
	for i := range a {
		row, with := dst[i*len(b):][:len(b)], &a[i].with
		for k := 1; k < len(row); k++ {
			row[k] = row[b[k].others] + with[b[k].last]
		}
	}
}

// addAlone adds to dst, for each pair of states in two groups, what each one's squares are worth
// alone.
func addAlone(dst []int32, a, b []squares) {
	for i := range a {
		row, value := dst[i*len(b):][:len(b)], a[i].value
		for k := range row {
			row[k] += value + b[k].value
		}
	}
}
