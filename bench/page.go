package bench

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template of a page of records shows.
type page struct {
	Style    template.CSS
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
	Skipped   []Skipped
}

type pageFact struct{ Name, Value string }

// pageChart is a plot with its figures below.
type pageChart struct {
	SVG  template.HTML
	Open bool // the figures can be seen at once
	pageTable
}

type pageTable struct {
	Title  string
	Table  pageCells
	Legend string
	Text   bool // cells are words, not figures
}

type pageCells struct {
	Header []string
	Rows   [][]string
}

// WritePage writes the records as one HTML page that needs nothing else: the plots
// are in it, and it loads nothing from anywhere. The same records give the same
// bytes. There must be one record at least.
func WritePage(w io.Writer, records []Record) error {
	p := page{Style: template.CSS(plot.Style), Baseline: records[0].Results.Baseline}
	for i, record := range records {
		machine := record.page()
		machine.Last = i == len(records)-1
		p.Machines = append(p.Machines, machine)
	}
	return pageTemplate.Execute(w, p)
}

// page collects what a page says of a record.
func (r Record) page() pageMachine {
	m := pageMachine{ID: r.Slug, Title: r.Environment.cpu(), Facts: r.facts(), Skipped: r.Results.Skipped}
	for _, p := range r.Plots() {
		chart := pageChart{
			SVG:       template.HTML(p.chart.SVG(false)), // of our own making, with all text escaped
			Open:      p.Name == "ladder",
			pageTable: r.plotTable(p.Name),
		}
		m.Charts = append(m.Charts, chart)
	}
	if t := r.Results.counterTable(); len(t.Rows) > 0 {
		m.Tables = append(m.Tables, pageTable{Title: "What the processor counted", Table: cells(t), Legend: counterLegend})
	}
	if t := hotspotsTable(r.Profile); len(t.Rows) > 0 {
		m.Tables = append(m.Tables, pageTable{Title: "Where the time goes", Table: cells(t), Legend: hotspotsLegend, Text: true})
	}
	return m
}

// plotTable has the figures behind a plot.
func (r Record) plotTable(name string) pageTable {
	switch name {
	case "ladder":
		return pageTable{Table: cells(r.Results.ladderTable()), Legend: r.Results.legend()}
	case "pieces":
		return pageTable{Table: cells(r.Pieces.table()), Legend: piecesLegend}
	case "scaling":
		return pageTable{Table: cells(r.Scaling.table()), Legend: scalingLegend}
	}
	return pageTable{Table: cells(historyTable(r.History)), Legend: historyLegend}
}

// cells are those of a table.
func cells(t text.Table) pageCells { return pageCells(t) }

// facts are where and how a record was measured, without what is not known.
func (r Record) facts() []pageFact {
	e, results := r.Environment, r.Results
	var features []string
	for _, f := range e.Features {
		features = append(features, string(f))
	}
	facts := []pageFact{
		{"system", fmt.Sprintf("%s/%s, %d cores, %s", e.OS, e.Arch, e.Cores, e.Kernel)},
		{"features", strings.Join(features, " ")},
		{"built by", strings.TrimSpace(e.Go + " " + e.Build)},
		{"commit", e.Commit},
		{"date", e.Date},
		{"load before", e.Load},
		{"samples", fmt.Sprintf("%d of %s, seed %d, in %s s", results.samples(), results.BenchTime, results.Seed, text.Figure(results.Seconds))},
		{"work", results.Workload},
		{"corpus, signature", strings.Trim(results.Corpus+", "+results.Signature, ", ")},
	}
	if p := e.Pinning; p != nil && p.Core != nil {
		facts = append(facts, pageFact{"pinned to core", fmt.Sprint(*p.Core)})
	}
	var known []pageFact
	for _, fact := range facts {
		if fact.Value != "" {
			known = append(known, fact)
		}
	}
	return known
}

// historyLegend says how to read a history's table.
const historyLegend = "us/game: medians of each measurement on record. A ratio is that of the fastest engine then to the baseline."

// historyTable has a line for each measurement, latest first.
func historyTable(history []HistoryEntry) text.Table {
	t := text.Table{Header: []string{"date", "commit", "built by", "baseline us/game", "fastest", "us/game", "ratio"}}
	for i := len(history) - 1; i >= 0; i-- {
		h := history[i]
		baseline, _ := h.Find(h.Baseline, Game)
		fastest := baseline
		for _, row := range h.Rows {
			if row.Level == Game && (fastest.Engine == "" || row.Median < fastest.Median) {
				fastest = row
			}
		}
		commit := strings.TrimPrefix(formatCommit(h.Commit), ", commit ")
		t.Rows = append(t.Rows, []string{h.day(), commit, h.Go,
			text.Figure(baseline.Median), fastest.Engine, text.Figure(fastest.Median), text.Figure(fastest.Ratio)})
	}
	return t
}
