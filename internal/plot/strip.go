package plot

import (
	"fmt"
	"math"
	"slices"
)

// Strip is a small drawing for a row of a table: the samples of a few series on one linear
// scale from the least to the largest, a lane for each series.
type Strip struct {
	Label string // for readers who do not see it
	Lanes []Lane
}

// Lane is a series.
type Lane struct {
	Samples []float64 // in the order taken, from top to bottom
	Median  float64
	Lo, Hi  float64 // of its interval; infinite where there is none
}

// Sizes of a strip.
const (
	stripWidth  = 320
	stripLane   = 18
	stripMargin = 4
)

// SVG draws the strip for a page that has [Style]. A strip without samples is empty.
func (s Strip) SVG() []byte {
	least, most := math.Inf(1), math.Inf(-1)
	for _, l := range s.Lanes {
		if len(l.Samples) > 0 {
			least, most = min(least, slices.Min(l.Samples)), max(most, slices.Max(l.Samples))
		}
	}
	at := func(x float64) float64 {
		if most == least {
			return stripWidth / 2
		}
		return stripMargin + float64((stripWidth-2*stripMargin)*(x-least)/(most-least))
	}
	out, top := &canvas{}, 0.0
	out.group(s.Label)
	for i, l := range s.Lanes {
		if len(l.Samples) > 0 {
			l.draw(out, i%seriesColours, top, at)
			top += stripLane
		}
	}
	out.endGroup()
	return out.svg(stripWidth, max(1, top), s.Label, false)
}

// draw draws a lane below top.
func (l Lane) draw(out *canvas, colour int, top float64, at func(float64) float64) {
	from, to := top+2, top+stripLane-3
	out.line("grid", 0, top+stripLane-0.5, stripWidth, top+stripLane-0.5)
	if !math.IsInf(l.Lo, 0) && !math.IsInf(l.Hi, 0) {
		lo, hi := at(l.Lo), at(l.Hi)
		out.area(fmt.Sprintf("f%d", colour), []float64{lo, from, hi, from, hi, to, lo, to})
	}
	for i, x := range l.Samples {
		part := (float64(i) + 0.5) / float64(len(l.Samples))
		out.circle(fmt.Sprintf("faint f%d", colour), at(x), from+float64(part*(to-from)), 2.5)
	}
	out.line(fmt.Sprintf("bar s%d", colour), at(l.Median), from, at(l.Median), to)
}
