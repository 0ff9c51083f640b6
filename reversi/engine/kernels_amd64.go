//go:build !purego

package engine

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/movegen"
)

//go:generate go -C ../../_asm run . -out ../reversi/engine/kernels_amd64.s -stubs ../reversi/engine/kernels_stubs_amd64.go -pkg engine endgame

// lastNeeds are the CPU features of the kernel.
var lastNeeds = []cpu.Feature{cpu.AVX2, cpu.AVX512F, cpu.AVX512CD, cpu.AVX512VL, cpu.BMI2, cpu.POPCNT}

// lastKernel reports whether the kernel solves the last three squares.
var lastKernel = cpu.Available("last/avx512", lastNeeds) == nil

// lastRow holds the masks of a square. The kernel knows the offsets.
type lastRow struct {
	rising, falling [4]uint64 // rays
	lines           [4]uint64 // both rays and the square
	places          [4]uint32 // of the square in its lines, times the length of a row of counts
	bit             uint64
	_               uint64
}

// lastTables are the tables of the kernel, one base for all.
type lastTables struct {
	rows   [64]lastRow
	counts [8][256]uint8
}

var tables = func() *lastTables {
	t := &lastTables{counts: lastFlips}
	for s := range board.Square(64) {
		row := &t.rows[s]
		row.bit = s.Bit()
		for i, line := range board.Lines[s] {
			row.lines[i] = line
			row.falling[i] = line & (row.bit - 1)
			row.rising[i] = line &^ row.bit &^ row.falling[i]
			row.places[i] = uint32(bits.OnesCount64(row.falling[i]) * len(t.counts[0]))
		}
	}
	return t
}()

// three solves a board with three empty squares, in the order given.
func (s *searcher) three(own, opp uint64, alpha int, x, y, z board.Square) int {
	if !lastKernel || !s.uses(kernels) {
		return s.threePlain(own, opp, alpha, x, y, z)
	}
	score, nodes := lastThreeAVX512(&tables.rows[0].rising[0], own, opp, alpha, uint64(x)|uint64(y)<<8|uint64(z)<<16)
	s.nodes += nodes
	return score
}

// prefetchNeeds are the CPU features of prefetchChildren.
var prefetchNeeds = []cpu.Feature{cpu.BMI1}

// prefetches reports whether buckets can be fetched ahead.
var prefetches = cpu.Available("prefetch/bmi1", prefetchNeeds) == nil

// prefetch fetches the buckets of the boards behind at least one move, flips in the order of
// squares. It returns the sum of their numbers.
func (t *table) prefetch(own, opp, moves uint64, flips *[movegen.MaxMoves]uint64) uint64 {
	return prefetchChildren(&t.buckets[0].entries[0].own, uint64(len(t.buckets)-1), own, opp, moves, &flips[0])
}
