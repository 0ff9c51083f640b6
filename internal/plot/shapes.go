package plot

import (
	"fmt"
	"math"
)

// Tree is a drawing of descent: a circle for each node, and a line to the one it comes
// from.
type Tree struct {
	Text
	Nodes []Node
}

// Node is a circle.
type Node struct {
	Parent int     // index of the node it comes from; its own, of one that comes from none
	X, Y   float64 // its place, from 0 to 1: from left to right, from top to bottom
	Size   float64 // its area, from 0 to 1
	Shade  float64 // its colour, from orange at 0 over grey to blue at 1
	Title  string  // that is shown under the pointer
}

// SVG draws the tree: as a file of its own with style, for a page without.
func (t Tree) SVG(style bool) []byte {
	const inset, height = margin + 15, 540 // the largest circle stays inside
	out, top := newDrawing(t.Text)
	at := func(n Node) (x, y float64) {
		return inset + float64((width-2*inset)*n.X), top + 15 + float64((height-30)*n.Y)
	}
	for _, n := range t.Nodes {
		x, y := at(n)
		fromX, fromY := at(t.Nodes[n.Parent])
		out.line("axis", fromX, fromY, x, fromY)
		out.line("axis", x, fromY, x, y)
	}
	for _, n := range t.Nodes {
		x, y := at(n)
		end := out.group(n.Title)
		out.add(`<circle class="ring" fill="%v" cx="%v" cy="%v" r="%v"/>`, shade(n.Shade), x, y, 2.5+float64(12*math.Sqrt(n.Size)))
		end()
	}
	return out.finish(top+height, style)
}

// shade is a colour, as in "#0072b2": from orange at 0 or below over grey to blue at 1 or
// above, distinguishable by colour-blind readers too (the ends are of Okabe and Ito, "Color
// universal design", 2008).
func shade(x float64) string {
	low, middle, high := [3]float64{213, 94, 0}, [3]float64{165, 165, 165}, [3]float64{0, 114, 178}
	x = 2 * max(0, min(1, x))
	if x > 1 {
		low, middle, x = middle, high, x-1
	}
	var mixed [3]int
	for i := range mixed {
		mixed[i] = int(math.Round(low[i] + float64(x*(middle[i]-low[i]))))
	}
	return fmt.Sprintf("#%02x%02x%02x", mixed[0], mixed[1], mixed[2])
}

// Track draws the tiles of a board, columns downwards and rows to the right, and a path across
// them. A tile is a column and a row, counted from 0.
type Track struct {
	Label                 string // for those who do not see the drawing
	Tiles, Rosettes, Path [][2]int
}

// SVG returns the drawing, with its style.
func (t Track) SVG() []byte {
	const size, margin = 32.0, 12.0
	out := &drawing{about: Text{Label: t.Label}}
	columns, rows := 0, 0
	x := func(tile [2]int) float64 { return margin + size*float64(tile[1]) }
	y := func(tile [2]int) float64 { return margin + size*float64(tile[0]) }
	for _, tile := range t.Tiles {
		columns, rows = max(columns, tile[0]+1), max(rows, tile[1]+1)
		out.add(`<rect class="axis" fill="none" x="%v" y="%v" width="%v" height="%v" rx="4"/>`, x(tile)+1, y(tile)+1, size-2, size-2)
	}
	for _, tile := range t.Rosettes {
		out.circle("f4 faint", x(tile)+size/2, y(tile)+size/2, size/3)
	}
	var points path
	for _, tile := range t.Path {
		points = append(points, x(tile)+size/2, y(tile)+size/2)
	}
	out.polyline("series s0", points)
	if len(t.Path) > 0 {
		out.circle("f0", points[0], points[1], 4)
		out.text("strong small ink", "middle", points[len(points)-2], points[len(points)-1]+4, "▸")
	}
	return out.svg(2*margin+size*float64(rows), 2*margin+size*float64(columns), true)
}
