package plot

import (
	"fmt"
	"html"
	"math"
)

// Matrix is a drawing of the lower left triangle of a matrix of integers: a cell each, in orange below
// 0 and in blue above, the denser the larger the entry. Entries of 0 are empty.
type Matrix struct {
	Text
	Names []string                  // of the rows and the columns
	At    func(row, column int) int // entry for column <= row
}

// SVG draws the matrix.
func (m Matrix) SVG() []byte {
	const names = 84 // room for a name
	out, top := newDrawing(m.Text)
	n, largest := len(m.Names), 1
	for i := range n {
		for j := range i + 1 {
			largest = max(largest, m.At(i, j), -m.At(i, j))
		}
	}
	left := float64(margin + names)
	size := (width - margin - names - left) / float64(n)
	at := func(i int) float64 { return float64(i) * size }
	bottom := top + at(n)
	for i, name := range m.Names {
		middle := top + at(i) + size/2 + 4
		out.addText("small muted", "end", left-6, middle, name)
		out.addText("small muted", "start", left+at(i+1)+6, middle, name)
		out.addElement(`<text class="small muted" text-anchor="end" transform="translate(%v %v) rotate(-90)">%v</text>`,
			left+at(i)+size/2+4, bottom+6, name)
		out.addLine("grid", left, top+at(i+1), left+at(i+1), top+at(i+1))
		out.addLine("grid", left+at(i), top+at(i), left+at(i), bottom)
	}
	for i := range n {
		for j := range i + 1 {
			entry := m.At(i, j)
			if entry == 0 {
				continue
			}
			class := "f0"
			if entry < 0 {
				class = "f1"
			}
			strength := math.Sqrt(math.Abs(float64(entry)) / float64(largest)) // small entries stay visible
			end := out.openGroup(fmt.Sprintf("%s, %s: %d", m.Names[i], m.Names[j], entry))
			out.addElement(`<rect class="%v" fill-opacity="%v" x="%v" y="%v" width="%v" height="%v"/>`, class,
				fmt.Sprintf("%.2f", strength), left+at(j)+0.5, top+at(i)+0.5, float64(size-1), float64(size-1))
			end()
		}
	}
	return out.writeCaption(bottom + names)
}

// Page returns a page of HTML with a drawing.
func Page(title string, svg []byte) []byte {
	return fmt.Appendf(nil, "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>%s</title>\n%s</html>\n", html.EscapeString(title), svg)
}

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
