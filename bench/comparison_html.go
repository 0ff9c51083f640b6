package bench

import (
	_ "embed" // of the page
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"
)

//go:embed comparison.html
var comparisonPage string

var comparisonTemplate = template.Must(template.New("comparison").Parse(comparisonPage))

// page is a comparison as comparison.html wants it. Everything is in it: the page
// needs no network and no script, and follows the reader's choice of light or dark.
type page struct {
	Title  string
	Tables []pageTable
	Legend string
	Notes  []string
}

type pageTable struct {
	Unit, Better  string
	Configuration []Configuration
	Header        []string
	Rows          []pageRow
	Geomeans      []string
}

type pageRow struct {
	Name  string
	Cells []pageCell
	Plot  plot
}

type pageCell struct{ Text, Class string }

// writeHTML writes the page.
func (c *Comparison) writeHTML(w io.Writer) error {
	var labels []string
	for _, s := range c.Sides {
		labels = append(labels, s.Label)
	}
	p := page{Title: "Benchmarks: " + strings.Join(labels, " → "), Legend: c.legend(), Notes: c.Notes}
	for i, t := range c.Tables {
		p.Tables = append(p.Tables, c.pageTable(t, c.changedConfiguration(i)))
	}
	return comparisonTemplate.Execute(w, p)
}

func (c *Comparison) pageTable(t ComparisonTable, configuration []Configuration) pageTable {
	text := t.text(c.Sides)
	out := pageTable{Unit: t.Unit, Better: betterName(t.Better), Configuration: configuration, Header: text.header[1:]}
	for i, row := range t.Rows {
		r := pageRow{Name: row.Name, Plot: t.plot(row)}
		classes := t.classes(row)
		for k, cell := range text.rows[i][1:] {
			r.Cells = append(r.Cells, pageCell{cell, classes[k]})
		}
		out.Rows = append(out.Rows, r)
	}
	if len(text.rows) > len(t.Rows) {
		out.Geomeans = text.rows[len(t.Rows)]
	}
	return out
}

// classes returns the class of every cell of a row behind its name: that of a delta
// says whether it is for the worse.
func (t ComparisonTable) classes(row ComparisonRow) []string {
	classes := []string{""} // of the first side
	for _, cell := range row.Cells[1:] {
		class := "same"
		if cell.Change != nil && cell.Change.Significant && t.Better != 0 {
			switch worse := worsening(cell.Change.Delta, t.Better); {
			case worse > 0:
				class = "worse"
			case worse < 0:
				class = "better"
			}
		}
		classes = append(classes, "", class, "same", "same")
	}
	return classes
}

// plot shows the samples of a row, a lane for each side.
type plot struct {
	Width, Height int
	Label         string // for readers who do not see it
	Lanes         []lane
}

type lane struct {
	Class          string
	Width          int
	Y, Top, Bottom number
	Median         number
	Box            *box
	Dots           []dot
}

type box struct{ X, Y, Width, Height number }

type dot struct{ X, Y number }

// number is a coordinate, printed short.
type number float64

func (n number) String() string { return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)), ".0") }

// Measures of a plot, in units of its view box.
const (
	plotWidth  = 320
	laneHeight = 18
	plotMargin = 4
)

// plot draws a row. All lanes share one scale.
func (t ComparisonTable) plot(row ComparisonRow) plot {
	least, most := math.Inf(1), math.Inf(-1)
	for _, cell := range row.Cells {
		if len(cell.Samples) > 0 {
			least, most = min(least, slices.Min(cell.Samples)), max(most, slices.Max(cell.Samples))
		}
	}
	class := benchunit.ClassOf(t.Unit)
	p := plot{Width: plotWidth, Label: fmt.Sprintf("from %s to %s %s", benchunit.Scale(least, class), benchunit.Scale(most, class), t.Unit)}
	x := func(v float64) number {
		if most == least {
			return plotWidth / 2
		}
		return number(plotMargin + (plotWidth-2*plotMargin)*(v-least)/(most-least))
	}
	for side, cell := range row.Cells {
		if len(cell.Samples) == 0 {
			continue
		}
		p.Lanes = append(p.Lanes, newLane(cell, side, number(p.Height), x))
		p.Height += laneHeight
	}
	return p
}

// newLane draws one side below top.
func newLane(cell ComparisonCell, side int, top number, x func(float64) number) lane {
	l := lane{Class: "other", Width: plotWidth, Y: top + laneHeight - 0.5, Top: top + 2, Bottom: top + laneHeight - 3, Median: x(cell.Center)}
	if side == 0 {
		l.Class = "first"
	}
	if !math.IsInf(cell.Lo, 0) && !math.IsInf(cell.Hi, 0) {
		l.Box = &box{x(cell.Lo), l.Top, x(cell.Hi) - x(cell.Lo), l.Bottom - l.Top}
	}
	for i, v := range cell.Samples {
		part := (number(i) + 0.5) / number(len(cell.Samples))
		l.Dots = append(l.Dots, dot{x(v), l.Top + part*(l.Bottom-l.Top)})
	}
	return l
}
