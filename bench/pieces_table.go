package bench

import (
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// EngineNames lists the engines in the order measured.
func (p *Pieces) EngineNames() []string {
	var engines []string
	for _, row := range p.Rows {
		if !slices.Contains(engines, row.Engine) {
			engines = append(engines, row.Engine)
		}
	}
	return engines
}

// Numbers lists the numbers of pieces measured, in ascending order.
func (p *Pieces) Numbers() []int {
	var numbers []int
	for _, row := range p.Rows {
		if !slices.Contains(numbers, row.Pieces) {
			numbers = append(numbers, row.Pieces)
		}
	}
	slices.Sort(numbers)
	return numbers
}

// Table has an engine a row and a number of pieces a column.
func (p *Pieces) Table() text.Table {
	t := text.Table{Header: []string{"engine"}}
	numbers := p.Numbers()
	for _, n := range numbers {
		t.Header = append(t.Header, fmt.Sprint(n))
	}
	for _, engine := range p.EngineNames() {
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

// PiecesLegend says what the figures are.
const PiecesLegend = "ns/eval by the number of pieces of both players on squares 1 to 14: medians of samples taken in one\n" +
	"run in random order, over positions drawn from the candidates of real games."

// WriteText writes the table for a terminal.
func (p *Pieces) WriteText(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s, %s/%s, %s%s\n", p.CPU, p.OS, p.Arch, p.Go, experiment.CommitText(p.Commit))
	fmt.Fprintf(out, "%d samples of %s, seed %d; %d positions of each number of pieces\n\n", p.Samples, p.BenchTime, p.Seed, p.Positions)
	_ = p.Table().WriteText(out) // out remembers its error
	fmt.Fprintf(out, "\n%s\n", PiecesLegend)
	if p.Interrupted {
		fmt.Fprintln(out, "\nThe run was interrupted; these samples were complete.")
	}
	return out.Err
}
