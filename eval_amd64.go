//go:build !purego

package ur

import "github.com/seed-09dcdc84/ur/board"

//go:generate go -C _asm run . -out ../eval_amd64.s -stubs ../eval_stubs_amd64.go -pkg ur eval

func init() {
	Array16AVX2 = TurnByTurn("array16/avx2",
		func(b *Brain) Evaluator[board.Array16] { return (*array16AVX2)(NewAVX2Weights(b)) }, AVX2)
}

// AVX2Weights is a brain ordered as AVX2 kernels load it.
type AVX2Weights struct {
	turn     [32]int32 // B[32][j]
	turnTurn [8]int32  // B[32][32], and zeros

	// pairs[k] holds, for two columns 2p and 2p+1 and eight rows 8r to 8r+7, the entries
	// (B[i][2p], B[i][2p+1]) for each row i; r runs fastest and starts at the first block that
	// reaches the diagonal. It takes 1280 bytes; each cache line serves two boards.
	pairs [40][8][2]int16
}

// NewAVX2Weights returns a brain as AVX2 kernels load it.
func NewAVX2Weights(b *Brain) *AVX2Weights {
	w := new(AVX2Weights)
	for j := range w.turn {
		w.turn[j] = int32(b.At(board.TurnNumber, j))
	}
	w.turnTurn[0] = int32(b.At(board.TurnNumber, board.TurnNumber))
	block := 0
	for pair := range 16 {
		for rows := pair / 4; rows < 4; rows++ {
			for i := range 8 {
				row := 8*rows + i
				w.pairs[block][i] = [2]int16{b.At(row, 2*pair), b.At(row, 2*pair+1)}
			}
			block++
		}
	}
	return w
}

// array16AVX2 multiplies two numbers on the board with eight rows of the brain in one
// instruction (VPMADDWD) and adds up in 32 bits, so every 16-bit brain is exact. It does all
// 561 products, sixteen at a time and without a branch. That beats skipping zeros, because the
// branches on piece positions are unpredictable.
type array16AVX2 AVX2Weights

func (e *array16AVX2) Values(dst []int32, boards []board.Array16) {
	if len(dst) == 0 {
		return
	}
	_ = boards[len(dst)-1]
	valuesArray16AVX2(&dst[0], &boards[0].Number[0], len(dst), (*AVX2Weights)(e))
}
