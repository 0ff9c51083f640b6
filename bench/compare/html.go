package compare

import (
	_ "embed" // of the page
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"golang.org/x/perf/benchunit"
)

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is a comparison as its template wants it. Everything is in it: the page
// needs no network and no script, and follows the reader's choice of light or dark.
type page struct {
	Title  string
	Tables []pageTable
	Legend string
	Notes  []string
}

type pageTable struct {
	Unit, Better  string
	Configuration []experiment.Configuration
	Header        []string
	Rows          []pageRow
	Geomeans      []string
}

type pageRow struct {
	Name  string
	Cells []pageCell
	Plot  rowPlot
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
	return pageTemplate.Execute(w, p)
}

func (c *Comparison) pageTable(t Table, configuration []experiment.Configuration) pageTable {
	text := t.text(c.Sides)
	out := pageTable{Unit: t.Unit, Better: betterName(t.Better), Configuration: configuration, Header: text.Header[1:]}
	for i, row := range t.Rows {
		r := pageRow{Name: row.Name, Plot: t.plot(row)}
		classes := t.classes(row)
		for k, cell := range text.Rows[i][1:] {
			r.Cells = append(r.Cells, pageCell{cell, classes[k]})
		}
		out.Rows = append(out.Rows, r)
	}
	if len(text.Rows) > len(t.Rows) {
		out.Geomeans = text.Rows[len(t.Rows)]
	}
	return out
}

// classes returns the class of every cell of a row behind its name: that of a delta
// says whether it is for the worse.
func (t Table) classes(row Row) []string {
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

// rowPlot shows the samples of a row, a lane for each side.
type rowPlot struct {
	Width, Height int
	Label         string // for readers who do not see it
	Lanes         []plotLane
}

type plotLane struct {
	Class          string
	Width          int
	Y, Top, Bottom coordinate
	Median         coordinate
	Box            *plotBox
	Dots           []plotDot
}

type plotBox struct{ X, Y, Width, Height coordinate }

type plotDot struct{ X, Y coordinate }

// coordinate is a place in a plot, printed short.
type coordinate float64

func (n coordinate) String() string { return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)), ".0") }

// Measures of a plot, in units of its view box.
const (
	plotWidth  = 320
	laneHeight = 18
	plotMargin = 4
)

// plot draws a row. All lanes share one scale.
func (t Table) plot(row Row) rowPlot {
	least, most := math.Inf(1), math.Inf(-1)
	for _, cell := range row.Cells {
		if len(cell.Samples) > 0 {
			least, most = min(least, slices.Min(cell.Samples)), max(most, slices.Max(cell.Samples))
		}
	}
	class := benchunit.ClassOf(t.Unit)
	p := rowPlot{Width: plotWidth, Label: fmt.Sprintf("from %s to %s %s", benchunit.Scale(least, class), benchunit.Scale(most, class), t.Unit)}
	x := func(v float64) coordinate {
		if most == least {
			return plotWidth / 2
		}
		return coordinate(plotMargin + (plotWidth-2*plotMargin)*(v-least)/(most-least))
	}
	for side, cell := range row.Cells {
		if len(cell.Samples) == 0 {
			continue
		}
		p.Lanes = append(p.Lanes, newPlotLane(cell, side, coordinate(p.Height), x))
		p.Height += laneHeight
	}
	return p
}

// newPlotLane draws one side below top.
func newPlotLane(cell Cell, side int, top coordinate, x func(float64) coordinate) plotLane {
	l := plotLane{Class: "other", Width: plotWidth, Y: top + laneHeight - 0.5, Top: top + 2, Bottom: top + laneHeight - 3, Median: x(cell.Center)}
	if side == 0 {
		l.Class = "first"
	}
	if !math.IsInf(cell.Lo, 0) && !math.IsInf(cell.Hi, 0) {
		l.Box = &plotBox{x(cell.Lo), l.Top, x(cell.Hi) - x(cell.Lo), l.Bottom - l.Top}
	}
	for i, v := range cell.Samples {
		part := (coordinate(i) + 0.5) / coordinate(len(cell.Samples))
		l.Dots = append(l.Dots, plotDot{x(v), l.Top + coordinate(part*(l.Bottom-l.Top))})
	}
	return l
}
