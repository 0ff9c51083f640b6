package text

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Table is text in columns: the first is aligned to the left, the others, which hold figures,
// to the right. Cells may hold any text: they are printed by [Plain].
type Table struct {
	Header []string
	Rows   [][]string // each as long as the header

	Narrow bool // one space between columns of text instead of two
}

// columnGap is the space between columns of text.
func (t Table) columnGap() string {
	if t.Narrow {
		return " "
	}
	return "  "
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// printedLines are the header and the rows as they are printed.
func (t Table) printedLines() [][]string {
	lines := make([][]string, 0, 1+len(t.Rows))
	for _, row := range append([][]string{t.Header}, t.Rows...) {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = Plain(cell)
		}
		lines = append(lines, line)
	}
	return lines
}

// columnWidths returns every column's width in characters, least at least.
func columnWidths(lines [][]string, least int) []int {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), least)
		}
	}
	return widths
}

// alignCells pads the cells of a line to the widths.
func alignCells(line []string, widths []int) []string {
	cells := make([]string, len(line))
	for i, cell := range line {
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			cells[i] = cell + padding
		} else {
			cells[i] = padding + cell
		}
	}
	return cells
}

// Width returns the width of the table's lines as text, in characters.
func (t Table) Width() int {
	width := len(t.columnGap()) * (len(t.Header) - 1)
	for _, column := range columnWidths(t.printedLines(), 0) {
		width += column
	}
	return width
}

// WriteText writes the table for a terminal. It returns the first error of writing.
func (t Table) WriteText(w io.Writer) error {
	lines := t.printedLines()
	widths := columnWidths(lines, 0)
	out := &Writer{To: w}
	for _, line := range lines {
		fmt.Fprintln(out, strings.TrimRight(strings.Join(alignCells(line, widths), t.columnGap()), " "))
	}
	return out.Err
}

// WriteMarkdown writes the table in GitHub's Markdown, in aligned columns. It returns the first
// error of writing.
func (t Table) WriteMarkdown(w io.Writer) error {
	lines := t.printedLines()
	for _, line := range lines {
		for i := range line {
			line[i] = Markdown(line[i])
		}
	}
	widths := columnWidths(lines, len("--:"))
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
		if i > 0 {
			rule[i] = rule[i][1:] + ":"
		}
	}
	out := &Writer{To: w}
	for i, line := range lines {
		fmt.Fprintf(out, "| %s |\n", strings.Join(alignCells(line, widths), " | "))
		if i == 0 {
			fmt.Fprintf(out, "| %s |\n", strings.Join(rule, " | "))
		}
	}
	return out.Err
}
