package compare

import (
	_ "embed" // of the page
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/perf/benchunit"
)

//go:embed page.html.tmpl
var pageText string

var comparisonPage = plot.NewPage(pageText, nil)

// page is the data of the page of a comparison.
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
	Plot  template.HTML
}

type pageCell struct{ Text, Class string }

// writeHTML writes the page.
func (c *Comparison) writeHTML(w io.Writer) error {
	labels := text.List(c.Sides, func(s Side) string { return s.Label })
	p := page{Title: "Benchmarks: " + strings.Join(labels, " → "), Legend: c.legend(), Notes: c.Notes}
	for i, t := range c.Tables {
		p.Tables = append(p.Tables, c.pageTable(t, c.changedConfiguration(i)))
	}
	return comparisonPage.Write(w, p)
}

func (c *Comparison) pageTable(t Table, configuration []experiment.Configuration) pageTable {
	text := t.text(c.Sides)
	out := pageTable{Unit: t.Unit, Better: betterName(t.Better), Configuration: configuration, Header: text.Header[1:]}
	for i, row := range t.Rows {
		r := pageRow{Name: row.Name, Plot: plot.HTML(t.strip(row).SVG())}
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

// classes returns the class of every cell of a row after its name: the class of a delta shows
// whether it is for the worse.
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

// strip returns the drawing of the samples of a row.
func (t Table) strip(row Row) plot.Strip {
	least, most := math.Inf(1), math.Inf(-1)
	var s plot.Strip
	for _, cell := range row.Cells {
		if len(cell.Samples) > 0 {
			least, most = min(least, slices.Min(cell.Samples)), max(most, slices.Max(cell.Samples))
		}
		s.Lanes = append(s.Lanes, plot.Lane{Samples: cell.Samples, Median: cell.Center, Lo: cell.Lo, Hi: cell.Hi})
	}
	class := benchunit.ClassOf(t.Unit)
	s.Label = fmt.Sprintf("from %s to %s %s", benchunit.Scale(least, class), benchunit.Scale(most, class), t.Unit)
	return s
}
