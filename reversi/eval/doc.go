// Package eval values positions of Reversi: by rules set by hand ([Hand]), and by patterns of
// squares with learned weights ([Weights]). [Features] are the patterns of a board, computed
// anew or updated with each move.
//
// Values are for the side to move, in 32nds of a disc of the final difference: [Disc]
// is one. Beyond 64 discs nothing means anything, so values stay within them.
package eval

// Disc is the value of one disc of the final difference.
const Disc = 32

// Max bounds values: all 64 discs, less a little, so no estimate equals a result.
const Max = 64*Disc - 1

// Discs rounds a value to whole discs.
func Discs(value int) int {
	if value < 0 {
		return -Discs(-value)
	}
	return (value + Disc/2) / Disc
}

func clip(value int) int { return max(-Max, min(Max, value)) }
