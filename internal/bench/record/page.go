package record

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

//go:embed page.html.tmpl
var pageText string

var recordsPage = plot.NewPage(pageText, nil)

// page is the data for the template of a page of records.
type page struct {
	Baseline string
	Machines []pageMachine
}

// pageMachine is one record.
type pageMachine struct {
	ID, Title string
	Last      bool // of the list of machines
	Facts     []pageFact
	Charts    []pageChart
	Tables    []pageTable
}

type pageFact struct{ Name, Value string }

// pageChart is a plot with its figures below.
type pageChart struct {
	SVG  template.HTML
	Open bool // the figures can be seen at once
	pageTable
}

type pageTable struct {
	Title string
	Table plot.Table
}

// WritePage writes the records as one self-contained HTML page: the plots are included, and it
// loads nothing. The same records give the same bytes. There must be one record at least.
func WritePage(w io.Writer, records []Record) error {
	p := page{Baseline: bench.Baseline}
	for i, record := range records {
		machine := record.page()
		machine.Last = i == len(records)-1
		p.Machines = append(p.Machines, machine)
	}
	return recordsPage.Write(w, p)
}

// page collects the page's data of a record.
func (r Record) page() pageMachine {
	m := pageMachine{ID: r.Slug, Title: r.Machine(), Facts: r.facts()}
	for _, p := range r.Plots() {
		chart := pageChart{
			SVG:       plot.HTML(p.chart.SVG(false)),
			Open:      p.Name == "ladder",
			pageTable: p.figures,
		}
		m.Charts = append(m.Charts, chart)
	}
	if t := experiment.CounterTable(r.Rows); len(t.Rows) > 0 {
		m.Tables = append(m.Tables, pageTable{"Events counted by the processor", cells(t, experiment.CounterLegend)})
	}
	if t := hotspotsTable(r.Profile); len(t.Rows) > 0 {
		words := cells(t, hotspotsLegend)
		words.Text = true
		m.Tables = append(m.Tables, pageTable{"Where the time goes", words})
	}
	return m
}

// cells returns a table with its legend for a page.
func cells(t text.Table, legend string) plot.Table {
	return plot.Table{Header: t.Header, Rows: t.Rows, Legend: legend}
}

// facts list the known facts about where and how a record was measured.
func (r Record) facts() []pageFact {
	ladder := r.Suite(bench.EnginesSuite)
	e := provenance(r.Rows)
	if len(ladder) > 0 {
		e = provenance(ladder)
	}
	facts := []pageFact{
		{"system", fmt.Sprintf("%s/%s, %d cores, %s", e.OS, e.Arch, e.Cores, e.Kernel)},
		{"features", text.Join(e.Features, " ")},
		{"built by", strings.TrimSpace(e.Go + " " + e.Build)},
		{"commit", e.Commit},
		{"command", e.Command},
		{"date", e.Date},
		{"load before", e.Load},
	}
	if len(ladder) > 0 {
		facts = append(facts, pageFact{"samples", fmt.Sprintf("%d of %s, seed %d", ladder[0].Samples, ladder[0].BenchTime, e.Seed)})
	}
	if p := e.Pinning; p != nil && p.Core != nil {
		facts = append(facts, pageFact{"pinned to core", fmt.Sprint(*p.Core)})
	}
	return slices.DeleteFunc(facts, func(f pageFact) bool { return f.Value == "" })
}
