package bench

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is text in columns: the first is aligned to the left, the others, which
// hold figures, to the right.
type table struct {
	header []string
	rows   [][]string
}

// widths returns the width of every column in characters, least at least.
func (t table) widths(least int) []int {
	widths := make([]int, len(t.header))
	for _, row := range append([][]string{t.header}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), least)
		}
	}
	return widths
}

// aligned pads the cells of a row to the widths.
func aligned(row []string, widths []int) []string {
	cells := make([]string, len(row))
	for i, cell := range row {
		padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
		if i == 0 {
			cells[i] = cell + padding
		} else {
			cells[i] = padding + cell
		}
	}
	return cells
}

// writeText writes the table for a terminal.
func (t table) writeText(w io.Writer) {
	widths := t.widths(0)
	for _, row := range append([][]string{t.header}, t.rows...) {
		fmt.Fprintln(w, strings.TrimRight(strings.Join(aligned(row, widths), "  "), " "))
	}
}

// writeMarkdown writes the table as GitHub's markdown has it, in columns that can
// be read as they stand.
func (t table) writeMarkdown(w io.Writer) {
	widths := t.widths(len("--:"))
	rule := make([]string, len(widths))
	for i, width := range widths {
		rule[i] = strings.Repeat("-", width)
		if i > 0 {
			rule[i] = rule[i][1:] + ":"
		}
	}
	for i, row := range append([][]string{t.header, rule}, t.rows...) {
		if i != 1 {
			row = aligned(row, widths)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}
