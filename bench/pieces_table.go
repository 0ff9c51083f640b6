package bench

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// engines lists the engines in the order measured.
func (p *Pieces) engines() []string {
	var engines []string
	for _, row := range p.Rows {
		if !slices.Contains(engines, row.Engine) {
			engines = append(engines, row.Engine)
		}
	}
	return engines
}

// numbers lists the numbers of pieces measured, in ascending order.
func (p *Pieces) numbers() []int {
	var numbers []int
	for _, row := range p.Rows {
		if !slices.Contains(numbers, row.Pieces) {
			numbers = append(numbers, row.Pieces)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// table has an engine a row and a number of pieces a column.
func (p *Pieces) table() text.Table {
	t := text.Table{Header: []string{"engine"}}
	numbers := p.numbers()
	for _, n := range numbers {
		t.Header = append(t.Header, fmt.Sprint(n))
	}
	for _, engine := range p.engines() {
		cells := slices.Concat([]string{engine}, make([]string, len(numbers)))
		for _, row := range p.Rows {
			if row.Engine == engine {
				cells[1+slices.Index(numbers, row.Pieces)] = text.Figure(row.Median)
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// piecesLegend says what the figures are.
const piecesLegend = "ns/eval by the number of pieces of both players on squares 1 to 14: medians of samples taken in one\n" +
	"run in random order, over positions drawn from the candidates of real games."

// WriteText writes the table for a terminal.
func (p *Pieces) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s, %s/%s, %s%s\n", p.CPU, p.OS, p.Arch, p.Go, formatCommit(p.Commit))
	fmt.Fprintf(w, "%d samples of %s, seed %d; %d positions of each number of pieces\n\n", p.Samples, p.BenchTime, p.Seed, p.Positions)
	p.table().WriteText(w)
	fmt.Fprintf(w, "\n%s\n", piecesLegend)
}
