//go:build go1.27 && !purego

package ur

import "github.com/seed-09dcdc84/ur/board"

func init() {
	Array16NEON = TurnByTurn("array16/neon",
		func(b *Brain) Evaluator[board.Array16] { return newArray16NEON(b) }, NEON)
}

// array16NEON multiplies one number on the board with eight rows of the brain in two
// instructions (SMLAL and SMLAL2), which add up in 32 bits, so every 16-bit brain is exact. NEON
// has no product by pairs like VPMADDWD: it takes a column where AVX2 takes two, and adds in the
// same instruction. Like array16/avx2 it skips no zero.
type array16NEON struct {
	turn     [32]int16 // B[32][j]
	turnTurn [8]int16  // B[32][32], and zeros

	// columns holds eight rows 8r to 8r+7 in a column; r runs fastest and starts at the first
	// block that reaches the diagonal.
	columns [80][8]int16
}

func newArray16NEON(b *Brain) *array16NEON {
	e := new(array16NEON)
	for j := range e.turn {
		e.turn[j] = b.At(board.TurnNumber, j)
	}
	e.turnTurn[0] = b.At(board.TurnNumber, board.TurnNumber)
	block := 0
	for column := range 32 {
		for rows := column / 8; rows < 4; rows++ {
			for i := range 8 {
				e.columns[block][i] = b.At(8*rows+i, column)
			}
			block++
		}
	}
	return e
}

func (e *array16NEON) Values(dst []int32, boards []board.Array16) {
	if len(dst) == 0 {
		return
	}
	_ = boards[len(dst)-1]
	valuesArray16NEON(&dst[0], &boards[0].Number[0], len(dst), e)
}

// valuesArray16NEON writes getValue for n boards, one after another in memory, to dst.
// It reads and writes nothing beyond them. It must equal ValueByDefinition.
//
//go:noescape
func valuesArray16NEON(dst *int32, boards *int16, n int, weights *array16NEON)
