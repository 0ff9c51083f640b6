package playcmd

import (
	"github.com/fatih/color"
	"github.com/seed-09dcdc84/ur/board"
)

// palette is the colours of "ur play", all of them plain where colour is not
// wanted. Nothing is told by colour alone.
type palette struct {
	side    [2]*color.Color
	rosette *color.Color
	number  *color.Color // of a move
	line    *color.Color // of the board
	strong  *color.Color
}

// newPalette returns the colours, or a palette without any.
func newPalette(colored bool) *palette {
	pick := color.New
	p := &palette{
		side:    [2]*color.Color{board.Light: pick(color.FgHiCyan, color.Bold), board.Dark: pick(color.FgHiRed, color.Bold)},
		rosette: pick(color.FgYellow),
		number:  pick(color.FgHiGreen, color.Bold),
		line:    pick(color.FgHiBlack),
		strong:  pick(color.Bold),
	}
	for _, c := range []*color.Color{p.side[board.Light], p.side[board.Dark], p.rosette, p.number, p.line, p.strong} {
		if colored {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
	}
	return p
}

// glyphs are the pieces of Light and Dark.
var glyphs = [2]string{"○", "●"}

// sideNames are the players as they stand in a sentence.
var sideNames = [2]string{"Light", "Dark"}

// player is a side with its piece, as in "○ Light".
func (p *palette) player(side board.Side) string {
	return p.side[side].Sprint(glyphs[side] + " " + sideNames[side])
}

// piece is one piece of a side.
func (p *palette) piece(side board.Side) string { return p.side[side].Sprint(glyphs[side]) }
