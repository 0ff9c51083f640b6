//go:build !purego

package ur

import "github.com/seed-09dcdc84/ur/board"

//go:generate go -C _asm run . -out ../squares_winners_amd64.s -stubs ../squares_winners_stubs_amd64.go -pkg ur squaresWinners

// squaresTellers are the kernels of squaresKernels that also write down who won each
// game, by width. They differ from them only where a game has ended.
var squaresTellers = [...]func(state, tables, winners *byte){squaresPackedWinners, squaresPlainWinners}

// tell plays a series and tells who won each game.
func (g *squaresGames) tell(winners []board.Side, s Series) (Tally, error) {
	return g.play(s, func(state, tables *byte) {
		squaresTellers[g.width](state, tables, (*byte)(&winners[0]))
	})
}
