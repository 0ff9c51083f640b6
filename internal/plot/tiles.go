package plot

// Tiles is a drawing of a board.
type Tiles struct {
	Text
	Tiles []Tile
}

// Tile is a tile of a board, with a large and a small text.
type Tile struct {
	Column, Row  int // from the left and from the top
	Large, Small string
	Strong       bool // with a thick frame in colour
}

// SVG draws the board.
func (t Tiles) SVG() []byte {
	const size = 84
	out, top := newDrawing(t.Text)
	bottom := top
	for _, tile := range t.Tiles {
		x, y := float64(margin+size*tile.Column), top+float64(size*tile.Row)
		bottom = max(bottom, y+size)
		frame := "axis"
		if tile.Strong {
			frame = "series s1"
		}
		out.addElement(`<rect class="%v" fill="none" x="%v" y="%v" width="%v" height="%v" rx="4"/>`, frame, x+3, y+3,
			size-6.0, size-6.0)
		out.addText("title ink", "middle", x+size/2, y+size/2+4, tile.Large)
		out.addText("small muted", "middle", x+size/2, y+size-12, tile.Small)
	}
	return out.writeCaption(bottom)
}
