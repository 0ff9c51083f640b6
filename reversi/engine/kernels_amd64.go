//go:build !purego

package engine

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

//go:generate go -C ../../_asm run . -out ../reversi/engine/kernels_amd64.s -stubs ../reversi/engine/kernels_stubs_amd64.go -pkg engine endgame

// lastNeeds and lastNeeds512 are the CPU features of the kernels for the last squares and for moves.
var (
	lastNeeds    = []cpu.Feature{cpu.AVX2, cpu.BMI1, cpu.POPCNT}
	lastNeeds512 = []cpu.Feature{cpu.AVX2, cpu.AVX512F, cpu.AVX512CD, cpu.AVX512VL, cpu.BMI1, cpu.BMI2, cpu.POPCNT}
)

// lastKernel and lastKernel512 report whether they can run here.
var (
	lastKernel    = cpu.Available("last/avx2", lastNeeds) == nil
	lastKernel512 = cpu.Available("last/avx512", lastNeeds512) == nil
)

// lastRow holds a square's masks. The kernels know the offsets.
type lastRow struct {
	rising, falling [4]uint64 // rays
	lines           [4]uint64 // both rays and the square
	places          [4]uint32 // among the squares of its lines, times the length of a row of counts
	bit             uint64
	quarter         uint64
	factors         [4]uint64 // move a line to the highest byte
	offsets         [4]uint32 // places in that byte, times the length of a row of counts
	around          [2]uint64 // neighbours, twice
	_               [8]uint64
}

// lastTables are the tables of the kernels, one base for all.
type lastTables struct {
	rows   [64]lastRow
	counts [8][256]uint8
	from   [byParity + 1]int
}

var tables = func() *lastTables {
	t := &lastTables{counts: lastFlips, from: [byParity + 1]int(stableFrom[:byParity+1])}
	for s := range board.Square(64) {
		row := &t.rows[s]
		row.bit, row.quarter, row.around = s.Bit(), quarter[s], [2]uint64{around[s], around[s]}
		row.factors = [4]uint64{1 << (56 - 8*s.Row()), 0x0102040810204080 >> s.Column(), columnA, columnA}
		file, rank := uint32(len(t.counts[0])*s.Column()), uint32(len(t.counts[0])*s.Row())
		row.offsets = [4]uint32{file, rank, file, file}
		for i, line := range board.Lines[s] {
			row.lines[i] = line
			row.falling[i] = line & (row.bit - 1)
			row.rising[i] = line &^ row.bit &^ row.falling[i]
			row.places[i] = uint32(bits.OnesCount64(row.falling[i]) * len(t.counts[0]))
		}
	}
	return t
}()

// few searches a null window with at most seven empty squares.
func (s *searcher) few(own, opp uint64, alpha, empties int) int {
	var score int
	var nodes uint64
	switch {
	case !lastKernel || empties < lastSquares || s.without&(kernels|parity|stability) != 0:
		return s.fewPlain(own, opp, alpha, empties)
	case lastKernel512:
		score, nodes = lastFewAVX512(&tables.rows[0].rising[0], &eval.StableEdges()[0], own, opp, alpha, empties)
	default:
		score, nodes = lastFewAVX2(&tables.rows[0].rising[0], &eval.StableEdges()[0], own, opp, alpha, empties)
	}
	s.nodes += nodes
	return score
}

// listMoves lists at least one move as listPlain does. It returns whether one turns over all of opp and the
// place of the first in order. If asked it fetches the buckets of the boards behind them ahead, and returns
// the sum of their numbers.
func (s *searcher) listMoves(room *frame, own, opp, moves uint64, o ordering) (wiped, first, sum uint64) {
	mask, parity, mobility := uint64(0), uint64(o.parity), uint64(o.mobility)
	if o.ahead {
		mask = uint64(len(s.table.buckets) - 1)
	}
	to, squares, bucket := &room.moves[0].flips, &tables.rows[0].rising[0], &s.table.buckets[0].entries[0].own
	if lastKernel512 {
		return listMovesAVX512(to, &orders.held[0], squares, bucket, mask, own, opp, moves, o.odd, parity, mobility)
	}
	return listMovesAVX2(to, &orders.held[0], squares, bucket, mask, own, opp, moves, o.odd, parity, mobility)
}
