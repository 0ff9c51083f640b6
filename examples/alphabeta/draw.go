package main

import (
	"fmt"
	"html"
	"strings"

	"github.com/seed-09dcdc84/ur/search"
)

// drawing is a visit as it is drawn: window and value are those of the first side to move.
type drawing struct {
	name        string
	alpha, beta search.Value
	value       string // with a sign where it is a bound
	visits      []*drawing
	skipped     []string // names of moves after one that left the window
	x, row      int
}

// newDrawing returns the drawing of a visit; sign is -1 where the other side is to move.
func newDrawing[P any](t *search.Trace[P], sign search.Value, name func(*P) string) *drawing {
	d := &drawing{name: name(&t.Position), alpha: t.Alpha, beta: t.Beta, value: fmt.Sprint(sign * t.Value)}
	if sign < 0 {
		d.alpha, d.beta = -t.Beta, -t.Alpha
	}
	switch {
	case len(t.Visits) == 0: // a leaf's value is exact
	case t.Value >= t.Beta && sign > 0 || t.Value <= t.Alpha && sign < 0:
		d.value = ">= " + d.value
	case t.Value >= t.Beta || t.Value <= t.Alpha:
		d.value = "<= " + d.value
	}
	for _, child := range t.Visits {
		next := -sign
		if child.Move.Again {
			next = sign
		}
		d.visits = append(d.visits, newDrawing(child, next, name))
	}
	for _, m := range t.Skipped {
		d.skipped = append(d.skipped, name(&m.Next))
	}
	return d
}

// windowText is the window as text.
func (d *drawing) windowText() string {
	side := func(v search.Value) string {
		switch {
		case v > search.MaxValue:
			return "inf"
		case v < -search.MaxValue:
			return "-inf"
		}
		return fmt.Sprint(v)
	}
	return side(d.alpha) + ".." + side(d.beta)
}

// treeText draws the tree with a line for each visit.
func (d *drawing) treeText(indent string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s%s [%s] = %s\n", indent, strings.TrimSpace("node "+d.name), d.windowText(), d.value)
	for _, child := range d.visits {
		s.WriteString(child.treeText(indent + "  "))
	}
	if len(d.skipped) > 0 {
		fmt.Fprintf(&s, "%s  cut: %s\n", indent, strings.Join(d.skipped, ", "))
	}
	return s.String()
}

// Sizes of the drawing: a leaf's width, a row's height and a margin.
const (
	leafWidth = 96
	rowHeight = 84
	margin    = 40
)

// placeVisits sets the places of the visits below a row, from a column on, and returns the next free
// column and the last row.
func (d *drawing) placeVisits(column, row int) (next, last int) {
	d.row, next, last = row, column, row
	for _, child := range d.visits {
		var bottom int
		next, bottom = child.placeVisits(next, row+1)
		last = max(last, bottom)
	}
	if len(d.skipped) > 0 {
		last, next = max(last, row+1), next+1
	}
	next = max(next, column+1)
	d.x = margin + (column+next-1)*leafWidth/2
	return next, last
}

// svgPicture draws the tree as a picture: visits with value and window, and a dashed line where a cut
// skipped moves.
func (d *drawing) svgPicture() string {
	columns, rows := d.placeVisits(0, 0)
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="11" text-anchor="middle">`+"\n",
		columns*leafWidth+2*margin, rows*rowHeight+2*margin)
	s.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	d.paintVisits(&s)
	s.WriteString("</svg>\n")
	return s.String()
}

func (d *drawing) rowY() int { return margin + d.row*rowHeight }

func (d *drawing) paintVisits(s *strings.Builder) {
	line := func(x, y int, style string) {
		fmt.Fprintf(s, `<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s"/>`+"\n", d.x, d.rowY()+22, x, y, style)
	}
	for _, child := range d.visits {
		line(child.x, child.rowY()-14, "black")
		child.paintVisits(s)
	}
	if len(d.skipped) > 0 {
		x, y := d.x+leafWidth/2, d.rowY()+rowHeight-14
		if n := len(d.visits); n > 0 {
			x = d.visits[n-1].x + leafWidth
		}
		line(x, y, `gray" stroke-dasharray="4 3`)
		fmt.Fprintf(s, `<text x="%d" y="%d" fill="gray">%d skipped</text>`+"\n", x, y+14, len(d.skipped))
	}
	fmt.Fprintf(s, `<text x="%d" y="%d" font-weight="bold">%s</text>`+"\n", d.x, d.rowY(), html.EscapeString(d.value))
	fmt.Fprintf(s, `<text x="%d" y="%d" fill="gray">%s</text>`+"\n", d.x, d.rowY()+15, d.windowText())
}
