package plot

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Dots is a chart with a row for each thing measured and a panel for each figure of
// it, on a log axis unless the panel is linear.
type Dots struct {
	Text
	Rows   []Row
	Panels []Panel
	Groups []string // names of the colours, as in [Row.Group]
}

// Row is the name of a row.
type Row struct {
	Name  string
	Group int    // its colour
	Note  string // small, at the right end: "" for none
}

// Panel is one figure of every row.
type Panel struct {
	Label     string // of the axis, with the unit
	Values    []Interval
	Reference float64 // a line through it; 0 for none

	// Linear axes hold figures of any sign, and do not begin at 0. A figure without text
	// is missing.
	Linear bool
}

// has reports whether there is a figure.
func (p Panel) has(v Interval) bool { return v.Middle > 0 || p.Linear && v.Text != "" }

// Interval is a figure with its interval, and its text. A Middle of 0 is a missing figure.
type Interval struct {
	Middle, Lo, Hi float64
	Text           string
}

const rowHeight = 24

// gap between panels.
const gap = 28

// SVG draws the chart: as a file of its own with style, for a page without.
func (d Dots) SVG(style bool) []byte {
	out, top := newDrawing(d.Text)
	top = d.legend(out, top)
	names, notes := 0.0, 0.0
	for _, row := range d.Rows {
		names = max(names, textWidth(row.Name, textSize))
		notes = max(notes, textWidth(row.Note, textSize))
	}
	left, right := margin+names+12, width-margin-notes
	bottom := top + float64(len(d.Rows))*rowHeight
	panel := (right - left - gap*float64(len(d.Panels))) / float64(max(1, len(d.Panels)))
	for i, row := range d.Rows {
		y := top + (float64(i)+0.5)*rowHeight
		out.text("ink", start, margin, y+4, row.Name)
		out.text(fmt.Sprintf("strong f%d", row.Group%seriesColours), end, width-margin, y+4, row.Note)
	}
	for i, p := range d.Panels {
		from := left + float64(float64(i)*(panel+gap))
		d.panel(out, p, from, from+panel, top, bottom)
	}
	return out.finish(bottom+40, style)
}

// legend names the colours, and returns where the panels may begin.
func (d Dots) legend(out *drawing, top float64) float64 {
	if len(d.Groups) < 2 {
		return top
	}
	x := float64(margin)
	for i, name := range d.Groups {
		out.circle(fmt.Sprintf("ring f%d", i%seriesColours), x+5, top+1, 5)
		out.text("ink", start, x+15, top+5, name)
		x += 15 + textWidth(name, textSize) + 18
	}
	return top + 20
}

// panel draws the axis, the grid and the dots of one figure.
func (d Dots) panel(out *drawing, p Panel, from, to, top, bottom float64) {
	var numbers []float64
	room := 0.0 // for the text beside a dot
	for _, v := range p.Values {
		if p.has(v) {
			numbers = append(numbers, v.Middle, v.Lo, v.Hi)
			room = max(room, textWidth(v.Text, smallSize)+12)
		}
	}
	makeScale := newSpan
	if !p.Linear {
		makeScale = func(numbers []float64, from, to float64) (scale, []tick) { return newScale(numbers, true, from, to) }
	}
	s, ticks := makeScale(numbers, from, to)
	taken := from - gap/2 // by labels, up to there
	for _, t := range ticks {
		x, half := s.at(t.at), textWidth(t.label, smallSize)/2
		if t.label == "" || x-half < taken || x+half > to+gap/2 {
			out.line("minor", x, top, x, bottom)
			continue
		}
		taken = x + half + 6
		out.line("grid", x, top, x, bottom)
		out.text("small muted", middle, x, bottom+15, t.label)
	}
	out.line("axis", from, bottom, to, bottom)
	out.text("muted", middle, (from+to)/2, bottom+33, p.Label)
	if p.Reference > 0 {
		out.line("reference", s.at(p.Reference), top, s.at(p.Reference), bottom)
	}
	for i, v := range p.Values {
		if p.has(v) {
			d.dot(out, d.Rows[i], v, s, top+(float64(i)+0.5)*rowHeight, from+room, to)
		}
	}
}

// dot draws one figure with its interval and its text: at the left of the interval or,
// where there is no room, at its right, or above one that takes all the room up to the
// end of the panel.
func (d Dots) dot(out *drawing, row Row, v Interval, s scale, y, least, to float64) {
	colour := row.Group % seriesColours
	x, lo, hi := s.at(v.Middle), s.at(v.Lo), s.at(v.Hi)
	out.group(fmt.Sprintf("%s: %s [%s, %s]", row.Name, v.Text, text.GroupedFigure(v.Lo), text.GroupedFigure(v.Hi)))
	out.line(fmt.Sprintf("bar s%d", colour), lo, y, hi, y)
	out.line(fmt.Sprintf("bar s%d", colour), lo, y-4, lo, y+4)
	out.line(fmt.Sprintf("bar s%d", colour), hi, y-4, hi, y+4)
	out.circle(fmt.Sprintf("ring f%d", colour), x, y, 4.5)
	switch length := textWidth(v.Text, smallSize); {
	case lo > least:
		out.text("small muted", end, lo-8, y+4, v.Text)
	case hi+8+length <= to+gap/2:
		out.text("small muted", start, hi+8, y+4, v.Text)
	default:
		out.text("small muted", middle, min(x, to-length/2), y-7, v.Text)
	}
	out.endGroup()
}
