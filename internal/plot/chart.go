package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Chart is a chart of lines, each with its name at its right end.
type Chart struct {
	Text
	X, Y  Axis
	Lines []Line
}

// Axis is an axis of a chart. It begins at 0, or is logarithmic.
type Axis struct {
	Label     string   // text with the unit
	Log       bool     // figures of 0 or less are left out
	Names     []string // labels at 0, 1, ... on an x axis; nil for numbers
	Reference float64  // a dashed line through it, of a y axis; 0 for none
	Top       float64  // minimum upper end
}

// Line is one line, from left to right.
type Line struct {
	Name   string
	Points []Point
}

// Point is a figure and its abscissa.
type Point struct {
	X float64
	Interval
}

const chartHeight = 380

// mostDots is how many points of a line are dots with bars. More have a band.
const mostDots = 40

// SVG draws the chart.
func (c Chart) SVG() []byte {
	out, top := newDrawing(c.Text)
	bottom := top + chartHeight
	names, xs, ys := 0.0, []float64{}, []float64{}
	lines := slices.Clone(c.Lines)
	for i, l := range lines {
		lines[i].Name = clipText(l.Name, textSize, width/3)
		names = max(names, textWidth(lines[i].Name, textSize))
		lines[i].Points = slices.DeleteFunc(slices.Clone(l.Points),
			func(p Point) bool { return c.X.Log && p.X <= 0 || c.Y.Log && p.Lo <= 0 })
		for _, p := range lines[i].Points {
			xs, ys = append(xs, p.X), append(ys, p.Lo, p.Middle, p.Hi)
		}
	}
	y := c.Y.newScale(ys, bottom, top)
	left, right := out.yAxis(c.Y, y, names, top, bottom)
	x := c.X.newScale(xs, left, right)
	out.xAxis(c.X, x, top, bottom)
	var ends []lineEnd
	for i, l := range lines {
		if len(l.Points) > 0 {
			ends = append(ends, l.drawLine(out, x, y, i))
		}
	}
	out.writeNames(ends, right, bottom)
	return out.writeCaption(bottom + 40)
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
		d.addLine(class, left, y.at(t.at), right, y.at(t.at))
		d.addText("small muted", "end", left-7, y.at(t.at)+4, t.label)
	}
	d.addLine("axis", left, bottom, right, bottom)
	d.addElement(`<text class="muted" text-anchor="middle" transform="translate(%v %v) rotate(-90)">%v</text>`,
		margin+9.0, (top+bottom)/2, a.Label)
	if a.Reference > 0 {
		d.addLine("reference", left, y.at(a.Reference), right, y.at(a.Reference))
	}
	return left, right
}

// xAxis writes the grid, as many of its labels as there is room for, the last one among them, and the
// label of the axis.
func (d *drawing) xAxis(a Axis, x scale, top, bottom float64) {
	d.addLine("axis", x.from, bottom, x.to, bottom)
	d.addText("muted", "middle", (x.from+x.to)/2, bottom+33, a.Label)
	free := x.to + gap
	for _, t := range slices.Backward(x.ticks) {
		at, half := x.at(t.at), textWidth(t.label, smallSize)/2
		if t.label == "" || at+half > free || at-half < x.from-gap {
			d.addLine("minor", at, top, at, bottom)
			continue
		}
		d.addLine("grid", at, top, at, bottom)
		d.addText("small muted", "middle", at, bottom+15, t.label)
		free = at - half - 6
	}
}

// lineEnd is the end of a named line, with the classes of its name and of the line to it.
type lineEnd struct {
	name, text, leader string
	x, y               float64
}

// drawLine draws a line of at least one point, and returns its end.
func (l Line) drawLine(out *drawing, x, y scale, index int) lineEnd {
	colour := index % seriesColours
	stroke, text, leader := fmt.Sprintf("series s%d", colour), fmt.Sprintf("f%d", colour), fmt.Sprintf("leader s%d",
		colour)
	if index >= seriesColours {
		stroke += " dashed"
	}
	var line, band, back path
	for i, p := range l.Points {
		last := l.Points[len(l.Points)-1-i] // the band goes back below the line
		line, band, back = append(line, x.at(p.X), y.at(p.Middle)), append(band, x.at(p.X),
			y.at(p.Hi)), append(back, x.at(last.X), y.at(last.Lo))
	}
	end := out.openGroup(fmt.Sprintf("%s: %s", l.Name, l.Points[len(l.Points)-1].Text))
	dots := len(l.Points) <= mostDots
	if !dots {
		out.addElement(`<polygon class="%v" fill-opacity="0.2" points="%v"/>`, text, slices.Concat(band, back))
	}
	out.addElement(`<polyline class="%v" points="%v"/>`, stroke, line)
	end()
	for _, p := range l.Points[:min(len(l.Points), mostDots)] {
		if dots {
			end := out.openGroup(l.Name + ": " + p.Text)
			out.addLine(fmt.Sprintf("bar s%d", colour), x.at(p.X), y.at(p.Lo), x.at(p.X), y.at(p.Hi))
			out.addElement(`<circle class="%v" cx="%v" cy="%v" r="3"/>`, "ring "+text, x.at(p.X), y.at(p.Middle))
			end()
		}
	}
	return lineEnd{l.Name, text, leader, line[len(line)-2], line[len(line)-1]}
}

// writeNames writes the names of lines beside their ends, moved up or down as far as it takes
// for no two to overlap.
func (d *drawing) writeNames(ends []lineEnd, right, bottom float64) {
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
		d.addLine(e.leader, e.x+5, e.y, right+16, at[i])
		d.addText(e.text, "start", right+20, at[i]+4, e.name)
	}
}

const gap = 14 // room of a label beyond the ends of an axis

// scale maps numbers from lo to hi, lo < hi, onto lengths.
type scale struct {
	log      bool
	lo, hi   float64
	from, to float64
	ticks    []tick
}

// tick is a mark on an axis; without a label it is a minor one.
type tick struct {
	at    float64
	label string
}

func (s scale) at(x float64) float64 {
	lo, hi := s.lo, s.hi
	if s.log {
		x, lo, hi = math.Log10(x), math.Log10(lo), math.Log10(hi)
	}
	return s.from + float64((x-lo)/(hi-lo)*(s.to-s.from))
}

// newScale returns a scale of finite numbers, above 0 on a log scale, and its ticks.
func (a Axis) newScale(numbers []float64, from, to float64) scale {
	s := scale{log: a.Log, from: from, to: to}
	if a.Names != nil {
		for i, name := range a.Names {
			s.ticks = append(s.ticks, tick{float64(i), name})
		}
		s.lo, s.hi = -0.3, float64(len(a.Names))-0.7
		return s
	}
	for _, x := range []float64{a.Reference, a.Top} {
		if x > 0 {
			numbers = append(numbers, x)
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range numbers {
		lo, hi = min(lo, x), max(hi, x)
	}
	if len(numbers) == 0 {
		lo, hi = 1, 10
	}
	if a.Log {
		s.ticks = logTicks(lo, hi, math.Log10(hi/lo)*120 < math.Abs(to-from))
	} else {
		s.ticks = linearTicks(min(lo, 0), max(hi, 0))
	}
	s.lo, s.hi = s.ticks[0].at, s.ticks[len(s.ticks)-1].at
	if a.Log {
		margin := math.Pow(s.hi/s.lo, 0.03) // so that no dot stands on the edge
		s.lo, s.hi = s.lo/margin, s.hi*margin
	}
	return s
}

// logTicks has a tick at 1, 2, ... 9 times every power of ten, from the last at or
// below lo to the first at or above hi. Powers of ten are labelled and, on request,
// 2 and 5 times them.
func logTicks(lo, hi float64, few bool) (ticks []tick) {
	for exponent := int(math.Floor(math.Log10(lo))); ; exponent++ {
		for digit := 1; digit < 10; digit++ {
			x := powerOfTen(digit, exponent)
			if powerOfTen(digit+1, exponent) <= lo*(1+1e-9) {
				continue
			}
			t := tick{at: x}
			if digit == 1 || few && (digit == 2 || digit == 5) {
				t.label = text.GroupedFigure(x)
			}
			if ticks = append(ticks, t); x >= hi*(1-1e-9) && len(ticks) > 1 {
				return ticks
			}
		}
	}
}

// powerOfTen returns digit times 10 to the exponent, as near as a number can be.
func powerOfTen(digit, exponent int) float64 {
	x, _ := strconv.ParseFloat(strconv.Itoa(digit)+"e"+strconv.Itoa(exponent), 64) // infinite beyond all numbers
	return x
}

// linearTicks has about seven ticks at multiples of 1, 2 or 5 times a power of ten, from the last at
// or below lo to the first at or above hi.
func linearTicks(lo, hi float64) (ticks []tick) {
	if lo == hi {
		hi++
	}
	step := 0.0
	for exponent := int(math.Floor(math.Log10(hi-lo))) - 1; step == 0; exponent++ {
		for _, digit := range []int{1, 2, 5} {
			if hi-lo <= 6*powerOfTen(digit, exponent)*(1+1e-9) {
				step = powerOfTen(digit, exponent)
				break
			}
		}
	}
	for i := math.Floor(lo/step + 1e-9); len(ticks) == 0 || ticks[len(ticks)-1].at < hi-step*1e-9; i++ {
		ticks = append(ticks, tick{i * step, text.GroupedFigure(i * step)})
	}
	return ticks
}
