package plot

import "fmt"

// Track draws the tiles of a board, columns downwards and rows to the right, and a path across
// them. A tile is a column and a row, counted from 0.
type Track struct {
	Label    string // for those who do not see the drawing
	Tiles    [][2]int
	Rosettes [][2]int
	Path     [][2]int
}

// SVG returns the drawing, with its style or for a page that has it.
func (t Track) SVG(style bool) []byte {
	const size, margin = 32.0, 12.0
	var c canvas
	columns, rows := 0, 0
	x := func(tile [2]int) float64 { return margin + size*float64(tile[1]) }
	y := func(tile [2]int) float64 { return margin + size*float64(tile[0]) }
	for _, tile := range t.Tiles {
		columns, rows = max(columns, tile[0]+1), max(rows, tile[1]+1)
		fmt.Fprintf(&c.body, "<rect class=\"axis\" fill=\"none\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"4\"/>\n",
			number(x(tile)+1), number(y(tile)+1), number(size-2), number(size-2))
	}
	for _, tile := range t.Rosettes {
		c.circle("f4 faint", x(tile)+size/2, y(tile)+size/2, size/3)
	}
	var points []float64
	for _, tile := range t.Path {
		points = append(points, x(tile)+size/2, y(tile)+size/2)
	}
	c.polyline("series s0", points)
	if len(t.Path) > 0 {
		c.circle("f0", points[0], points[1], 4)
		c.text("strong small ink", middle, points[len(points)-2], points[len(points)-1]+4, "▸")
	}
	return c.svg(2*margin+size*float64(rows), 2*margin+size*float64(columns), t.Label, style)
}
