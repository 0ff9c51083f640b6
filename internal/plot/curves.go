package plot

import "fmt"

// Curves is a chart of lines over a number, such as the number of training games: each with its
// intervals as a band, and its name at its right end. Both axes begin at 0.
type Curves struct {
	Text
	XAxis     string // its label
	Y         string // label of the y axis, with the unit
	Reference float64
	Top       float64 // minimum upper end of the y axis
	Curves    []Curve
}

// Curve is one line, from left to right.
type Curve struct {
	Name   string
	Points []Point
}

// Point is a figure and its abscissa, 0 or more.
type Point struct {
	X float64
	Y Interval
}

// SVG draws the chart: as a file of its own with style, for a page without.
func (c Curves) SVG(style bool) []byte {
	out, top := newDrawing(c.Text)
	bottom := top + lineChartHeight
	names := 0.0
	var atX, atY []float64
	for _, curve := range c.Curves {
		names = max(names, textWidth(curve.label(), textSize))
		for _, p := range curve.Points {
			atX, atY = append(atX, p.X), append(atY, p.Y.Middle, p.Y.Hi)
		}
	}
	for _, y := range []float64{c.Reference, c.Top} {
		if y > 0 {
			atY = append(atY, y)
		}
	}
	y, ticks := newScale(atY, false, bottom, top)
	left, right := out.yAxis(y, ticks, c.Y, names, top, bottom)
	x, ticks := newScale(atX, false, left, right)
	for _, t := range ticks {
		out.line("grid", x.at(t.at), top, x.at(t.at), bottom)
		out.text("small muted", middle, x.at(t.at), bottom+16, t.label)
	}
	out.text("muted", middle, (left+right)/2, bottom+33, c.XAxis)
	if c.Reference > 0 {
		out.line("reference", left, y.at(c.Reference), right, y.at(c.Reference))
	}
	var ends []lineEnd
	for i, curve := range c.Curves {
		if len(curve.Points) > 0 {
			ends = append(ends, curve.draw(out, x, y, i))
		}
	}
	out.names(ends, right, top, bottom)
	return out.finish(bottom+40, style)
}

// label is the name, clipped to the space beside the chart.
func (c Curve) label() string { return clipped(c.Name, textSize, width/3) }

// draw draws the curve, of at least one point, above its band, and returns its end.
func (c Curve) draw(out *drawing, x, y scale, index int) lineEnd {
	stroke, colour := seriesStroke(index)
	n := len(c.Points)
	line, band := make([]float64, 2*n), make([]float64, 4*n)
	for i, p := range c.Points {
		at, back := 2*i, 4*n-2-2*i // the band goes back below the line
		line[at], line[at+1] = x.at(p.X), y.at(p.Y.Middle)
		band[at], band[at+1] = line[at], y.at(p.Y.Hi)
		band[back], band[back+1] = line[at], y.at(p.Y.Lo)
	}
	last := c.Points[n-1].Y
	out.group(fmt.Sprintf("%s: %s", c.Name, last.Text))
	out.area(fmt.Sprintf("f%d", colour), band)
	out.polyline(stroke, line)
	out.endGroup()
	return lineEnd{c.label(), colour, line[2*n-2], line[2*n-1]}
}
