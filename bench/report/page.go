package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Page is a web page in one file that loads nothing else: sentences, tables with a forest plot of intervals, and charts.
// Strangers choose the names of benchmarks, so all text is escaped, and only the page's own script may run.
type Page struct {
	Title     string
	Sentences []string // the answer first
	Tables    []PageTable
	Charts    [][]byte // drawings of package plot
	Notes     []string
}

// PageTable is a table with sortable columns. A drawing of the rows' intervals follows the first column.
type PageTable struct {
	Caption string
	Header  []string // as many as each row has cells
	Rows    []PageRow
}

// PageRow is a row of a table. Its change and the ends of the interval are relative, 0.05 for 5 % more, NaN if unknown.
type PageRow struct {
	Class         string // "bad", "good" or "open"; "" for a row without news
	Cells         []PageCell
	Delta, Lo, Hi float64
	Limit         float64 // largest passing change; 0 draws none
}

// PageCell is the text of a cell, and the key to sort it by: a number, or text.
type PageCell struct{ Text, Sort string }

// TextCell returns a cell sorted by its text.
func TextCell(s string) PageCell { return PageCell{s, s} }

// NumberCell returns a cell sorted by a number, behind all others if it is NaN.
func NumberCell[N ~float64](s string, x N) PageCell {
	if math.IsNaN(float64(x)) {
		return PageCell{Text: s}
	}
	return PageCell{s, strings.Replace(fmt.Sprint(float64(x)), "+Inf", "Infinity", 1)}
}

//go:embed page/page.html
var pageText string

//go:embed page/style.css
var pageStyle string

//go:embed page/sort.js
var pageScript string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	hash := sha256.Sum256([]byte(pageScript))
	view := struct {
		*Page
		Style  template.CSS
		Script template.JS
		Hash   string // of the script
		Tables []tableView
		Charts []template.HTML
	}{Page: p, Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Hash: "sha256-" + base64.StdEncoding.EncodeToString(hash[:])}
	for _, t := range p.Tables {
		view.Tables = append(view.Tables, newTableView(t))
	}
	for _, chart := range p.Charts {
		view.Charts = append(view.Charts, template.HTML(chart))
	}
	return pageTemplate.Execute(w, view)
}

// The parts of a page as its template reads them.
type (
	tableView struct {
		Caption    string
		Header     []string
		Less, More string // labels of the plot's ends
		Rows       []rowView
	}
	rowView struct {
		Class string
		Cells []cellView
		Mark  mark
	}
	cellView struct{ Label, Text, Sort string }

	// mark is a row of the forest plot, in percent of its width.
	mark struct {
		Drawn             bool
		Text, Sort        string
		At, Lo, Hi, Limit float64 // Limit is 0 for none
	}
)

func newTableView(t PageTable) tableView {
	reach := plotReach(t.Rows)
	view := tableView{Caption: t.Caption, Header: t.Header, Less: Percent(1/(1+reach) - 1), More: Percent(reach)}
	for _, row := range t.Rows {
		r := rowView{Class: row.Class, Mark: newMark(row, reach)}
		for i, cell := range row.Cells {
			r.Cells = append(r.Cells, cellView{t.Header[i], text.Plain(cell.Text), text.Plain(cell.Sort)})
		}
		view.Rows = append(view.Rows, r)
	}
	return view
}

// plotReach returns the change at the right end of a forest plot: nine tenths of the intervals fit between it and its
// inverse. The others end at an edge.
func plotReach(rows []PageRow) float64 {
	var ends []float64
	for _, row := range rows {
		if row.isDrawn() {
			ends = append(ends, max(math.Abs(math.Log1p(row.Lo)), math.Abs(math.Log1p(row.Hi)), math.Log1p(row.Limit)))
		}
	}
	slices.Sort(ends)
	for _, reach := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5} {
		if len(ends) == 0 || ends[9*(len(ends)-1)/10] <= math.Log1p(reach) {
			return reach
		}
	}
	return 10
}

// isDrawn reports whether the row has a finite change and an interval.
func (r *PageRow) isDrawn() bool {
	return !math.IsNaN(r.Delta+r.Lo+r.Hi) && !math.IsInf(r.Delta, 0) && r.Delta > -1
}

// newMark places a row on a logarithmic axis from the inverse of a reach to the reach.
func newMark(row PageRow, reach float64) mark {
	if !row.isDrawn() {
		return mark{}
	}
	at := func(change float64) float64 {
		x := math.Log1p(max(change, -1)) / math.Log1p(reach)
		return math.Round(500+500*min(1, max(-1, x))) / 10
	}
	m := mark{Drawn: true, At: at(row.Delta), Lo: at(row.Lo), Hi: at(row.Hi), Sort: fmt.Sprint(row.Delta),
		Text: fmt.Sprintf("%s [%s, %s]", Percent(row.Delta), Percent(row.Lo), Percent(row.Hi))}
	if row.Limit > 0 && row.Limit < reach {
		m.Limit = at(row.Limit)
	}
	return m
}

// htmlPage returns the report as a page, without the rows of unreached benchmarks.
func htmlPage(r *Report) *Page {
	p := &Page{Title: text.Plain(describeSides(r)), Sentences: text.List(r.sentences(), text.Plain)}
	rows := filter(withoutUnmeasured(r.Rows), func(row Row) bool { return row.Code != SameCode })
	slices.SortStableFunc(rows, func(a, b Row) int { return pageRank(&a) - pageRank(&b) })
	t := PageTable{Header: []string{"benchmark", "change", "unit", "old", "new", "sees", "n", "verdict"},
		Caption: "A dot is an estimate, its line the 95 % interval, and the dashed line the limit. Larger changes stand at the edge."}
	for _, row := range rows {
		t.Rows = append(t.Rows, PageRow{Class: []string{"bad", "open", "good", ""}[pageRank(&row)],
			Delta: float64(row.Delta), Lo: float64(row.Lo), Hi: float64(row.Hi), Limit: row.Limit,
			Cells: []PageCell{TextCell(row.Name), NumberCell(strings.TrimSpace(row.change()+" "+row.interval()), row.Delta),
				TextCell(row.unitText()), NumberCell(Figure(row.Old, row.Unit), row.Old),
				NumberCell(Figure(row.New, row.Unit), row.New), NumberCell(row.detectableText(), row.Detectable),
				NumberCell(fmt.Sprint(row.Rounds), float64(row.Rounds)), TextCell(row.verdictText())}})
	}
	if len(rows) > 0 {
		p.Tables = []PageTable{t}
	}
	for _, line := range slices.Concat([]string{r.Measurement.describe()}, listRemarks(r)) {
		if line != "" {
			p.Notes = append(p.Notes, text.Plain(strings.ReplaceAll(line, "\n", " ")))
		}
	}
	return p
}

// pageRank orders rows: losses, open ones, gains, and the rest.
func pageRank(row *Row) int {
	switch {
	case row.Verdict == verdict.Slower || row.Verdict == verdict.MoreWork:
		return 0
	case row.Verdict == verdict.Faster || row.Verdict == verdict.LessWork:
		return 2
	case !row.isQuiet():
		return 1
	}
	return 3
}
