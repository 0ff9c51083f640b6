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

// gap is the space between columns of text.
func (t Table) gap() string {
	if t.Narrow {
		return " "
	}
	return "  "
}

// Add adds a row.
func (t *Table) Add(cells ...string) { t.Rows = append(t.Rows, cells) }

// lines are the header and the rows as they are printed.
func (t Table) lines() [][]string {
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

// widths returns the width of every column in characters, least at least.
func widths(lines [][]string, least int) []int {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), least)
		}
	}
	return widths
}

// aligned pads the cells of a line to the widths.
func aligned(line []string, widths []int) []string {
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
	width := len(t.gap()) * (len(t.Header) - 1)
	for _, column := range widths(t.lines(), 0) {
		width += column
	}
	return width
}

// WriteText writes the table for a terminal. It returns the first error of writing.
func (t Table) WriteText(w io.Writer) error {
	lines := t.lines()
	widths := widths(lines, 0)
	out := &Writer{To: w}
	for _, line := range lines {
		fmt.Fprintln(out, strings.TrimRight(strings.Join(aligned(line, widths), t.gap()), " "))
	}
	return out.Err
}

// WriteMarkdown writes the table in GitHub's Markdown, in aligned columns. It returns the first
// error of writing.
func (t Table) WriteMarkdown(w io.Writer) error {
	lines := t.lines()
	for _, line := range lines {
		for i := range line {
			line[i] = Markdown(line[i])
		}
	}
	widths := widths(lines, len("--:"))
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
		if i > 0 {
			rule[i] = rule[i][1:] + ":"
		}
	}
	out := &Writer{To: w}
	for i, line := range lines {
		fmt.Fprintf(out, "| %s |\n", strings.Join(aligned(line, widths), " | "))
		if i == 0 {
			fmt.Fprintf(out, "| %s |\n", strings.Join(rule, " | "))
		}
	}
	return out.Err
}
