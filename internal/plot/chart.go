package plot

import (
	"cmp"
	"fmt"
	"slices"
)

// Chart is a chart of lines, each with its name at its right end.
type Chart struct {
	Text
	X, Y  Axis
	Lines []Line
}

// Axis is an axis of a chart. It begins at 0, or is logarithmic.
type Axis struct {
	Label     string   // with the unit
	Log       bool     // figures of 0 or less are left out
	Names     []string // of the places 0, 1, ... of an x axis; nil for numbers
	Reference float64  // a dashed line through it; 0 for none
	Top       float64  // minimum upper end
}

// Line is one line, from left to right.
type Line struct {
	Name      string
	Points    []Point
	Reference bool // a dashed line without dots, to compare with
}

// Point is a figure and its abscissa.
type Point struct {
	X float64
	Interval
}

const chartHeight = 380

// mostDots is how many points of a line are dots with bars. More have a band.
const mostDots = 40

// SVG draws the chart: as a file of its own with style, for a page without.
func (c Chart) SVG(style bool) []byte {
	out, top := newDrawing(c.Text)
	bottom := top + chartHeight
	names, xs, ys := 0.0, []float64{}, []float64{}
	lines := slices.Clone(c.Lines)
	for i, l := range lines {
		lines[i].Name = clipped(l.Name, textSize, width/3)
		names = max(names, textWidth(lines[i].Name, textSize))
		lines[i].Points = slices.DeleteFunc(slices.Clone(l.Points), func(p Point) bool { return c.X.Log && p.X <= 0 || c.Y.Log && p.Lo <= 0 })
		for _, p := range lines[i].Points {
			xs, ys = append(xs, p.X), append(ys, p.Lo, p.Middle, p.Hi)
		}
	}
	y := c.Y.scale(ys, bottom, top)
	left, right := out.yAxis(c.Y, y, names, top, bottom)
	x := c.X.scale(xs, left, right)
	out.xAxis(c.X, x, top, bottom)
	var ends []lineEnd
	for i, l := range lines {
		if len(l.Points) > 0 {
			ends = append(ends, l.draw(out, x, y, i))
		}
	}
	out.names(ends, right, top, bottom)
	return out.finish(bottom+40, style)
}

// yAxis writes the grid, its labels and the label of the axis. It returns the room between them and
// names at the right.
func (d *drawing) yAxis(a Axis, y scale, names, top, bottom float64) (left, right float64) {
	labels := 0.0
	for _, t := range y.ticks {
		labels = max(labels, textWidth(t.label, smallSize))
	}
	left, right = margin+18+labels+8, width-margin-names-26
	for _, t := range y.ticks {
		class := "grid"
		if t.label == "" {
			class = "minor"
		}
		d.line(class, left, y.at(t.at), right, y.at(t.at))
		d.text("small muted", "end", left-7, y.at(t.at)+4, t.label)
	}
	d.line("axis", left, bottom, right, bottom)
	d.add(`<text class="muted" text-anchor="middle" transform="translate(%v %v) rotate(-90)">%v</text>`, margin+9.0, (top+bottom)/2, a.Label)
	if a.Reference > 0 {
		d.line("reference", left, y.at(a.Reference), right, y.at(a.Reference))
	}
	return left, right
}

// xAxis writes the grid, as many of its labels as there is room for, the last one among them, and the
// label of the axis.
func (d *drawing) xAxis(a Axis, x scale, top, bottom float64) {
	d.line("axis", x.from, bottom, x.to, bottom)
	d.text("muted", "middle", (x.from+x.to)/2, bottom+33, a.Label)
	if a.Reference > 0 {
		d.line("reference", x.at(a.Reference), top, x.at(a.Reference), bottom)
	}
	free := x.to + gap/2
	for _, t := range slices.Backward(x.ticks) {
		at, half := x.at(t.at), textWidth(t.label, smallSize)/2
		if t.label == "" || at+half > free || at-half < x.from-gap/2 {
			d.line("minor", at, top, at, bottom)
			continue
		}
		d.line("grid", at, top, at, bottom)
		d.text("small muted", "middle", at, bottom+15, t.label)
		free = at - half - 6
	}
}

// lineEnd is the end of a named line, with the classes of its name and of the line to it.
type lineEnd struct {
	name, text, leader string
	x, y               float64
}

// draw draws a line of at least one point, and returns its end.
func (l Line) draw(out *drawing, x, y scale, index int) lineEnd {
	colour := index % seriesColours
	stroke, text, leader := fmt.Sprintf("series s%d", colour), fmt.Sprintf("f%d", colour), fmt.Sprintf("leader s%d", colour)
	if index >= seriesColours {
		stroke += " dashed"
	}
	if l.Reference {
		stroke, text, leader = "reference", "strong muted", "leader reference"
	}
	var line, band, back path
	for i, p := range l.Points {
		last := l.Points[len(l.Points)-1-i] // the band goes back below the line
		line, band, back = append(line, x.at(p.X), y.at(p.Middle)), append(band, x.at(p.X), y.at(p.Hi)), append(back, x.at(last.X), y.at(last.Lo))
	}
	end := out.group(fmt.Sprintf("%s: %s", l.Name, l.Points[len(l.Points)-1].Text))
	dots := len(l.Points) <= mostDots && !l.Reference
	if !dots {
		out.add(`<polygon class="%v" fill-opacity="0.2" points="%v"/>`, text, slices.Concat(band, back))
	}
	out.polyline(stroke, line)
	end()
	for _, p := range l.Points[:min(len(l.Points), mostDots)] {
		if dots {
			end := out.group(l.Name + ": " + p.Text)
			out.line(fmt.Sprintf("bar s%d", colour), x.at(p.X), y.at(p.Lo), x.at(p.X), y.at(p.Hi))
			out.circle("ring "+text, x.at(p.X), y.at(p.Middle), 3)
			end()
		}
	}
	return lineEnd{l.Name, text, leader, line[len(line)-2], line[len(line)-1]}
}

// names writes the names of lines beside their ends, moved up or down as far as it takes
// for no two to overlap.
func (d *drawing) names(ends []lineEnd, right, top, bottom float64) {
	slices.SortStableFunc(ends, func(a, b lineEnd) int { return cmp.Compare(a.y, b.y) })
	at := make([]float64, len(ends))
	for i, e := range ends {
		at[i] = e.y
		if i > 0 {
			at[i] = max(e.y, at[i-1]+lineHeight)
		}
	}
	for i, e := range slices.Backward(ends) {
		at[i] = min(at[i], bottom-float64(len(ends)-1-i)*lineHeight)
		d.line(e.leader, e.x+5, e.y, right+16, at[i])
		d.text(e.text, "start", right+20, at[i]+4, e.name)
	}
}

// Rows is a chart with a row for each thing measured, and a panel for each of its figures.
type Rows struct {
	Text
	Rows   []Row
	Panels []Axis
	Groups []string // names of the colours, as in [Row.Group]
}

// Row is a thing measured.
type Row struct {
	Name   string
	Group  int        // its colour
	Note   string     // small, at the right end: "" for none
	Values []Interval // for each panel; without text it is missing
}

// rowHeight is that of a row, and gap the distance between panels.
const (
	rowHeight = 24
	gap       = 28
)

// SVG draws the chart: as a file of its own with style, for a page without.
func (r Rows) SVG(style bool) []byte {
	out, top := newDrawing(r.Text)
	if len(r.Groups) > 1 {
		x := float64(margin)
		for i, name := range r.Groups {
			out.circle(fmt.Sprintf("ring f%d", i%seriesColours), x+5, top+1, 5)
			out.text("ink", "start", x+15, top+5, name)
			x += 15 + textWidth(name, textSize) + 18
		}
		top += 20
	}
	names, notes := 0.0, 0.0
	for i, row := range r.Rows {
		y := r.middle(top, i) + 4
		out.text("ink", "start", margin, y, row.Name)
		out.text(fmt.Sprintf("strong f%d", row.Group%seriesColours), "end", width-margin, y, row.Note)
		names, notes = max(names, textWidth(row.Name, textSize)), max(notes, textWidth(row.Note, textSize))
	}
	left, right, bottom := margin+names+12, width-margin-notes, top+float64(len(r.Rows))*rowHeight
	panel := (right-left)/float64(max(1, len(r.Panels))) - gap
	for k, axis := range r.Panels {
		r.panel(out, axis, k, left+float64(k)*(panel+gap), panel, top, bottom)
	}
	return out.finish(bottom+40, style)
}

// middle is the height of a row.
func (r Rows) middle(top float64, row int) float64 { return top + (float64(row)+0.5)*rowHeight }

// panel draws the axis and the figures of a panel.
func (r Rows) panel(out *drawing, axis Axis, k int, from, length, top, bottom float64) {
	var numbers []float64
	shown := func(v Interval) bool { return v.Text != "" && (!axis.Log || v.Lo > 0) }
	for _, row := range r.Rows {
		if v := row.Values[k]; shown(v) {
			numbers = append(numbers, v.Lo, v.Middle, v.Hi)
		}
	}
	x := axis.scale(numbers, from, from+length)
	out.xAxis(axis, x, top, bottom)
	for i, row := range r.Rows {
		if v := row.Values[k]; shown(v) {
			row.draw(out, v, x, r.middle(top, i))
		}
	}
}

// draw draws a figure with its interval and its text: at the left of the interval or, where there is
// no room, at its right, or above an interval that takes all the room.
func (row Row) draw(out *drawing, v Interval, x scale, y float64) {
	defer out.group(fmt.Sprintf("%s: %s [%s, %s]", row.Name, v.Text, label(v.Lo), label(v.Hi)))()
	bar, lo, hi := fmt.Sprintf("bar s%d", row.Group%seriesColours), x.at(v.Lo), x.at(v.Hi)
	out.line(bar, lo, y, hi, y)
	out.line(bar, lo, y-4, lo, y+4)
	out.line(bar, hi, y-4, hi, y+4)
	out.circle(fmt.Sprintf("ring f%d", row.Group%seriesColours), x.at(v.Middle), y, 4.5)
	switch length := textWidth(v.Text, smallSize); {
	case lo-8-length >= x.from:
		out.text("small muted", "end", lo-8, y+4, v.Text)
	case hi+8+length <= x.to+gap/2:
		out.text("small muted", "start", hi+8, y+4, v.Text)
	default:
		out.text("small muted", "middle", min(x.at(v.Middle), x.to-length/2), y-7, v.Text)
	}
}
