package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// table is a table of a page: a line for each row of a suite, and a column for each of its figures.
// A block can have several tables.
type table struct {
	page, block string
	suite       string
	rows        string   // expression for the names of its rows
	columns     []column // nil for the table of "ur bench run", of one processor

	title  string                         // above it; "" for none
	origin bool                           // whether each machine has a part of its own, named above it
	order  func(record.Row) float64       // figure that increases; nil for the order of the records
	below  func(rows []record.Row) string // text below it; nil for none
}

func newTable(page, block, suite, rows string, columns []column) table {
	return table{page: page, block: block, suite: suite, rows: rows, columns: columns}
}

func (t table) byMachine() table                              { t.origin = true; return t }
func (t table) sortBy(figure func(record.Row) float64) table  { t.order = figure; return t }
func (t table) endWith(below func([]record.Row) string) table { t.below = below; return t }

// column is a column of a table.
type column struct {
	title string
	cell  cell
}

// line is a row with all rows of its suite.
type line struct {
	record.Row
	all []record.Row
}

// cell returns the text of a line in a column.
type cell func(line) string

// write writes the table from its suite's rows.
func (t table) write(w io.Writer, all []record.Row) error {
	pattern, err := regexp.Compile(t.rows)
	if err != nil {
		return err
	}
	rows := slices.DeleteFunc(slices.Clone(all), func(row record.Row) bool { return !pattern.MatchString(row.Name) })
	if t.order != nil {
		slices.SortStableFunc(rows, func(a, b record.Row) int { return cmp.Compare(t.order(a), t.order(b)) })
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintf(w, "Not measured since a change; `go run ./tools/records %s` measures it.\n", t.suite)
		return err
	}
	if t.title != "" {
		fmt.Fprintf(w, "%s\n\n", t.title)
	}
	groups := [][]record.Row{rows}
	if t.origin {
		groups = text.Groups(rows, processor)
	}
	for i, group := range groups {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if t.origin || !slices.Equal(record.Processors(rows), record.Processors(usual(all))) {
			fmt.Fprintf(w, "%s.\n\n", record.Origin(group, ""))
		}
		out := t.table(group, all)
		out.Narrow = true
		if err := writeMarked(w, out); err != nil {
			return err
		}
	}
	if t.below == nil {
		return nil
	}
	_, err = fmt.Fprintf(w, "\n%s\n", t.below(rows))
	return err
}

// writeMarked writes a table, and explains its marks of stale figures.
func writeMarked(w io.Writer, t text.Table) error {
	note := noteStale(t)
	if err := writeTable(w, t); err != nil || note == "" {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s\n", note)
	return err
}

// writeTable writes a table. A column with the same text in more than three lines becomes a part of the
// sentence below it; one without any text is left out.
func writeTable(w io.Writer, t text.Table) error {
	var same []string
	for i := len(t.Header) - 1; i > 0 && len(t.Rows) > 3; i-- {
		first := t.Rows[0][i]
		if slices.ContainsFunc(t.Rows, func(line []string) bool { return line[i] != first }) {
			continue
		}
		if first != "" {
			same = append(same, fmt.Sprintf("%s (%s)", t.Header[i], first))
		}
		t.Header = slices.Delete(t.Header, i, i+1)
		for k, line := range t.Rows {
			t.Rows[k] = slices.Delete(line, i, i+1)
		}
	}
	t.Marked = true
	err := t.WriteMarkdown(w)
	if len(same) > 0 {
		slices.Reverse(same)
		_, err = fmt.Fprintf(w, "\nEqual in every line: %s.\n", strings.Join(same, ", "))
	}
	return err
}

// table returns the lines of some rows. Without columns they are those of one processor.
func (t table) table(rows, all []record.Row) text.Table {
	if t.columns == nil {
		rows = usual(rows)
		out := record.Table(rows, 2)
		record.AddCounts(&out, rows)
		for _, line := range out.Rows {
			if slices.ContainsFunc(rows,
				func(row record.Row) bool { return row.Stale && (row.Engine == line[0] || row.Engine == "") }) {
				markStale(line)
			}
		}
		return out
	}
	out := text.Table{Header: text.List(t.columns, func(c column) string { return c.title })}
	for _, row := range rows {
		out.Add(text.List(t.columns, func(c column) string { return c.cell(line{row, all}) })...)
		if row.Stale {
			markStale(out.Rows[len(out.Rows)-1])
		}
	}
	return out
}

// stale marks lines and figures whose code has changed since they were measured.
const stale = "†"

// markStale marks a line of a table.
func markStale(line []string) { line[0] += stale }

// noteStale explains the marks of a table. Where all lines have one, it removes them.
func noteStale(t text.Table) string {
	if !strings.Contains(fmt.Sprint(t.Rows), stale) {
		return ""
	}
	if slices.ContainsFunc(t.Rows, func(line []string) bool { return !strings.HasSuffix(line[0], stale) }) {
		return stale + " From older code."
	}
	for _, line := range t.Rows {
		line[0] = strings.TrimSuffix(line[0], stale)
	}
	return "From older code."
}

// processor names the processor behind a row.
func processor(row record.Row) string { return row.Provenance.Processor() }

// usual returns the rows of the most frequent processor.
func usual(rows []record.Row) (most []record.Row) {
	for _, some := range text.Groups(rows, processor) {
		if len(some) > len(most) {
			most = some
		}
	}
	return most
}

// find returns the row of a name, or a zero one.
func find(rows []record.Row, name string) record.Row {
	for _, row := range rows {
		if row.Name == name {
			return row
		}
	}
	return record.Row{}
}

// key is the value of a key of the name.
func key(k string) cell { return func(row line) string { return row.Keys[k] } }

// rest is the part of the name behind a prefix.
func rest(prefix string) cell {
	return func(row line) string { return strings.TrimPrefix(row.Name, prefix) }
}

func note(row line) string { return row.Note }

// at is a cell of another row: ${KEY} in its name is a key of this row. It is empty if there is no
// such row.
func at(name string, c cell) cell {
	return func(row line) string {
		other := find(row.all, os.Expand(name, func(k string) string { return row.Keys[k] }))
		if other.Name == "" {
			return ""
		}
		text := c(line{other, row.all})
		if text != "" && other.Stale && !row.Stale {
			text += stale
		}
		return text
	}
}

// formatted prints a figure of a row, if it has it; %s stands for text.Figure.
func formatted(format string, figure func(record.Row) float64) cell {
	return func(row line) string {
		switch x := figure(row.Row); {
		case math.IsNaN(x):
			return ""
		case strings.Contains(format, "%s"):
			return fmt.Sprintf(format, text.Figure(x))
		default:
			return fmt.Sprintf(format, x)
		}
	}
}

// figure prints the main figure.
func figure(format string) cell { return formatted(format, median) }

func median(row record.Row) float64 { return row.Median }

// metric returns another figure of a row; NaN where the row lacks it.
func metric(unit string) func(record.Row) float64 {
	return func(row record.Row) float64 {
		if x, ok := row.Metrics[unit]; ok {
			return x
		}
		return math.NaN()
	}
}

// count prints another figure as a count.
func count(unit string) cell {
	return func(row line) string { return text.Count(row.Metrics[unit]) }
}

// scaled multiplies a figure.
func scaled(factor float64, figure func(record.Row) float64) func(record.Row) float64 {
	return func(row record.Row) float64 { return factor * figure(row) }
}

// per divides a figure by another one of the same row.
func per(figure, by func(record.Row) float64) func(record.Row) float64 {
	return func(row record.Row) float64 { return figure(row) / by(row) }
}

// over prints the figure of a row divided by that of another one, by name.
func over(base string, figure func(record.Row) float64) cell {
	return func(row line) string {
		return text.Figure(figure(row.Row) / figure(find(row.all, base)))
	}
}

// measured prints the main figure with its interval.
func measured(row line) string {
	if row.Samples < 2 {
		return text.Figure(row.Median)
	}
	return report.IntervalText(row.Median, row.Lo, row.Hi)
}

// percent prints the main figure with its interval in per cent.
func percent(row line) string {
	return fmt.Sprintf("%.1f [%.0f–%.0f]", 100*row.Median, 100*row.Lo, 100*row.Hi)
}

// ratio prints the ratio to the baseline with its interval.
func ratio(row line) string {
	return report.IntervalText(row.Ratio, row.RatioLo, row.RatioHi)
}

// enginesLegend explains the figures of the suite engines.
const enginesLegend = " Times are CPU time. " +
	"Turns of engines that play games side by side are measured in whole games. Instructions are counted by " +
	"`ur bench run --count`, without AVX-512 if valgrind counts."

// scalingLegend explains the figures of the suite scaling.
const scalingLegend = "Efficiency is games/s over those of one worker times the number of workers. " +
	"One worker has the other cores' share of a common clock or power budget."
