//go:build !purego

package movegen

import (
	"math/bits"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

//go:generate go -C ../../_asm run . -out ../reversi/movegen/kernels_amd64.s -stubs ../reversi/movegen/kernels_stubs_amd64.go -pkg movegen reversi

// kernels lists the generators in assembly that this build has.
var kernels = []Generator{
	&lanes{name: "lanes/avx2", needs: []cpu.Feature{cpu.AVX2, cpu.BMI1}, kernel: expandAVX2},
	&lanes{name: "lanes/avx512", needs: []cpu.Feature{cpu.AVX2, cpu.AVX512F, cpu.BMI1}, kernel: expandAVX512},
}

// lanes expands all moves of a position at once, one in each 64-bit lane of a vector
// register: the flips of the move, then the moves of the other side behind it. A call
// into assembly cannot be inlined, so single questions are answered in plain Go.
type lanes struct {
	rays
	name   string
	needs  []cpu.Feature
	kernel func(own, opp, moves uint64, flips *uint64)
}

func (g *lanes) Name() string         { return g.name }
func (g *lanes) Needs() []cpu.Feature { return g.needs }

func (g *lanes) Expand(b board.Board, moves uint64, c *Children) {
	c.N = bits.OnesCount64(moves)
	if moves != 0 {
		g.kernel(b.Own, b.Opp, moves, &c.Flips[0])
	}
}
