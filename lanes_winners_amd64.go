//go:build !purego

package ur

import (
	"unsafe"

	"github.com/seed-09dcdc84/ur/board"
)

//go:generate go -C _asm run . -out ../lanes_winners_amd64.s -stubs ../lanes_winners_stubs_amd64.go -pkg ur lanesWinners

// lanesTellers are the kernels of lanesTwoBrains that also write down who won each
// game, by width. They differ from them only where a game has ended.
var lanesTellers = [...]func(state, tables, winners *byte){
	lanes2BrainPackedWinners, lanes2BrainPlainWinners, lanes2BrainWideWinners,
}

// tell plays with the tables of two brains, also where both sides have the same.
func (g *lanesGame) tell(winners []board.Side, s Series) (Tally, error) {
	if g.two == nil {
		g.two = g.tables
		if *g.setup.Light == *g.setup.Dark {
			g.two = alignedNew[lanesTables]()
			g.two.fill(g.setup, g.width, false)
		}
	}
	return g.play(s, func(st *byte) {
		lanesTellers[g.width](st, (*byte)(unsafe.Pointer(g.two)), (*byte)(&winners[0]))
	})
}
