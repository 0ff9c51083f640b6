package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Lines is a chart of lines, each with its name at its right end.
type Lines struct {
	Text
	X     []string  // the places on the x axis, from left to right
	At    []float64 // where they are, ascending, in any unit; nil for evenly apart
	XAxis string    // its label
	Y     string    // label of the y axis, with the unit
	Log   bool      // y axis
	Lines []Line
}

// Line is one line. It has a figure, or one with a Middle of 0, for every place of X.
type Line struct {
	Name      string
	Values    []Interval
	Reference bool // a dashed line without dots, to compare with
	Bridges   bool // it goes on over places where a figure is missing
}

const lineChartHeight = 380

// SVG draws the chart: as a file of its own with style, for a page without.
func (l Lines) SVG(style bool) []byte {
	out, top := newDrawing(l.Text)
	bottom := top + lineChartHeight
	names := 0.0
	for _, line := range l.Lines {
		names = max(names, textWidth(line.Name, textSize))
	}
	y, ticks := newScale(l.numbers(), l.Log, bottom, top)
	left, right := out.yAxis(y, ticks, l.Y, names, top, bottom)
	x := l.places(left, right)
	l.xAxis(out, x, bottom)
	var ends []lineEnd
	for i, line := range l.Lines {
		line.draw(out, l.X, x, y, i)
		if end, ok := line.end(x, y, i); ok {
			ends = append(ends, end)
		}
	}
	out.names(ends, right, top, bottom)
	return out.finish(bottom+40, style)
}

// yAxis writes the grid with its labels, the label of the axis, and the line below the
// chart. It returns from where to where the chart has room between them and names at its
// right.
func (d *drawing) yAxis(y scale, ticks []tick, label string, names, top, bottom float64) (left, right float64) {
	labels := 0.0
	for _, t := range ticks {
		labels = max(labels, textWidth(t.label, smallSize))
	}
	left, right = margin+18+labels+8, width-margin-names-26
	for _, t := range ticks {
		class := "grid"
		if t.label == "" {
			class = "minor"
		}
		d.line(class, left, y.at(t.at), right, y.at(t.at))
		d.text("small muted", end, left-7, y.at(t.at)+4, t.label)
	}
	d.line("axis", left, bottom, right, bottom)
	d.vertical("muted", margin+9, (top+bottom)/2, label)
	return left, right
}

// numbers returns all numbers the y axis must hold.
func (l Lines) numbers() []float64 {
	var numbers []float64
	for _, line := range l.Lines {
		for _, v := range line.Values {
			if v.Middle > 0 {
				numbers = append(numbers, v.Middle, v.Lo, v.Hi)
			}
		}
	}
	return numbers
}

// places returns where the places of the x axis are. A single one is in the middle.
func (l Lines) places(left, right float64) []float64 {
	const inset = 14
	x := make([]float64, len(l.X))
	for i := range x {
		part, last := 0.5, len(x)-1
		switch {
		case l.At != nil && l.At[last] > l.At[0]:
			part = (l.At[i] - l.At[0]) / (l.At[last] - l.At[0])
		case len(x) > 1:
			part = float64(i) / float64(last)
		}
		x[i] = left + inset + float64(part*(right-left-2*inset))
	}
	return x
}

// xAxis writes as many labels of the places as there is room for, the last one among
// them.
func (l Lines) xAxis(out *drawing, x []float64, bottom float64) {
	out.text("muted", middle, (x[0]+x[len(x)-1])/2, bottom+33, l.XAxis)
	free := math.Inf(1)
	for i := len(x) - 1; i >= 0; i-- {
		half := textWidth(l.X[i], smallSize) / 2
		if x[i]+half > free {
			continue
		}
		out.line("axis", x[i], bottom, x[i], bottom+4)
		out.text("small muted", middle, x[i], bottom+16, l.X[i])
		free = x[i] - half - 8
	}
}

// class of a line's strokes and its colour, below 0 for a reference line.
func (l Line) class(index int) (stroke string, colour int) {
	if l.Reference {
		return "reference", -1
	}
	return seriesStroke(index)
}

// seriesStroke is the class of the strokes of a series, and its colour.
func seriesStroke(index int) (stroke string, colour int) {
	colour = index % seriesColours
	stroke = fmt.Sprintf("series s%d", colour)
	if index >= seriesColours {
		stroke += " dashed"
	}
	return stroke, colour
}

// draw draws the line, which is broken where a figure is missing unless it bridges that,
// with its dots and intervals.
func (l Line) draw(out *drawing, places []string, x []float64, y scale, index int) {
	stroke, colour := l.class(index)
	out.group(l.Name)
	var points []float64
	flush := func() {
		if len(points) > 2 {
			out.polyline(stroke, points)
		}
		points = nil
	}
	for i, v := range l.Values {
		if v.Middle <= 0 {
			if !l.Bridges {
				flush()
			}
			continue
		}
		points = append(points, x[i], y.at(v.Middle))
	}
	flush()
	out.endGroup()
	if l.Reference {
		return
	}
	for i, v := range l.Values {
		if v.Middle <= 0 {
			continue
		}
		out.group(fmt.Sprintf("%s, %s: %s", l.Name, places[i], v.Text))
		out.line(fmt.Sprintf("bar s%d", colour), x[i], y.at(v.Lo), x[i], y.at(v.Hi))
		out.circle(fmt.Sprintf("ring f%d", colour), x[i], y.at(v.Middle), 3)
		out.endGroup()
	}
}

// lineEnd is the end of a named line. A colour below 0 is that of a reference line.
type lineEnd struct {
	name   string
	colour int
	x, y   float64
}

// end returns where the line ends, and whether it has an end.
func (l Line) end(x []float64, y scale, index int) (lineEnd, bool) {
	for i := len(l.Values) - 1; i >= 0; i-- {
		if l.Values[i].Middle > 0 {
			_, colour := l.class(index)
			return lineEnd{l.Name, colour, x[i], y.at(l.Values[i].Middle)}, true
		}
	}
	return lineEnd{}, false
}

// names writes the names of lines beside their ends, moved up or down as far as it takes
// for no two to overlap.
func (d *drawing) names(ends []lineEnd, right, top, bottom float64) {
	slices.SortStableFunc(ends, func(a, b lineEnd) int { return cmp.Compare(a.y, b.y) })
	wanted := make([]float64, len(ends))
	for i, e := range ends {
		wanted[i] = e.y
	}
	for i, at := range spread(wanted, lineHeight, top, bottom) {
		e := ends[i]
		text, leader := "strong muted", "leader reference"
		if e.colour >= 0 {
			text, leader = fmt.Sprintf("f%d", e.colour), fmt.Sprintf("leader s%d", e.colour)
		}
		d.line(leader, e.x+5, e.y, right+16, at)
		d.text(text, start, right+20, at+4, e.name)
	}
}

// spread moves sorted heights apart until neighbours are a distance from each other, as little
// as possible, and keeps them between top and bottom where they fit. Colliding heights form a
// block around the mean of their desired places.
func spread(wanted []float64, distance, top, bottom float64) []float64 {
	type block struct {
		sum   float64 // of where its heights would put its first one
		first int
		n     int
	}
	place := func(b block) float64 {
		at := b.sum / float64(b.n)
		return max(top, min(at, bottom-float64(b.n-1)*distance))
	}
	var blocks []block
	for i, y := range wanted {
		blocks = append(blocks, block{y, i, 1})
		for len(blocks) > 1 {
			above, below := blocks[len(blocks)-2], blocks[len(blocks)-1]
			if place(above)+float64(above.n)*distance <= place(below) {
				break
			}
			above.sum += below.sum - float64(below.n)*float64(above.n)*distance
			above.n += below.n
			blocks = append(blocks[:len(blocks)-2], above)
		}
	}
	at := make([]float64, len(wanted))
	for _, b := range blocks {
		for i := range b.n {
			at[b.first+i] = place(b) + float64(i)*distance
		}
	}
	return at
}
