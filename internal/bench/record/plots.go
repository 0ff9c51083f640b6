package record

import (
	"io"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Plot is a chart of a record.
type Plot struct {
	Name string // of its kind, and of its file: "ladder", "pieces", "scaling", "history"
	Alt  string // a description, for readers who cannot see it

	chart   chart
	figures pageTable // behind it
}

// chart is a drawing of package plot.
type chart interface{ SVG(style bool) []byte }

// plotKinds are the kinds of plots in display order. To add one, add an entry here and a file.
func plotKinds() []plotKind {
	return []plotKind{ladderPlot, piecesPlot, scalingPlot, historyPlot}
}

// plotKind is a kind of plots.
type plotKind struct {
	name string
	alt  string

	// draw draws the record's figures. The drawing is nil when it has none.
	draw func(r Record, label string) chart

	// figures are the figures behind the plot, of a record with such figures.
	figures func(Record) pageTable
}

// Plots draws the record's figures, in the order of plotKinds.
func (r Record) Plots() []Plot {
	var plots []Plot
	for _, kind := range plotKinds() {
		if chart := kind.draw(r, kind.alt+", "+r.Machine()); chart != nil {
			plots = append(plots, Plot{kind.name, kind.alt, chart, kind.figures(r)})
		}
	}
	return plots
}

// File is the name of the plot's file for a record, with slashes: a folder for each
// kind of processor, as under results/.
func (p Plot) File(r Record) string { return r.Slug + "/" + p.Name + ".svg" }

// WriteSVG writes the plot as a standalone SVG file. The same record gives the same bytes.
func (p Plot) WriteSVG(w io.Writer) error {
	_, err := w.Write(p.chart.SVG(true))
	return err
}

// plotInterval writes a figure for a plot. A figure outside a log scale, from a file edited by
// hand, counts as missing.
func plotInterval(middle, lo, hi float64, unit string) plot.Interval {
	if !(1e-12 < lo && lo <= middle && middle <= hi && hi < 1e15) {
		return plot.Interval{}
	}
	return plot.Interval{Middle: middle, Lo: lo, Hi: hi, Text: text.Figure(middle) + unit}
}
