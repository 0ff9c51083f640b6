package bench

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// piecesPlot has a line for each engine over the number of pieces on the board.
func (r Record) piecesPlot() (Plot, bool) {
	p := r.Pieces
	if p == nil || len(p.Rows) == 0 {
		return Plot{}, false
	}
	const alt = "Time of a value by the number of pieces on the board, for each engine"
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "What a piece on the board costs",
			Subtitle: r.measured("one core", p.Samples),
			Caption: fmt.Sprintf("Medians with their 95 %% confidence intervals, over %s positions of each number of pieces, drawn from the candidates "+
				"of real games. The baseline is %s. An evaluator that walks over the pieces rises; one that does the same for every position is flat. "+
				"The time is on a logarithmic axis.", text.Count(float64(p.Positions)), p.Baseline),
			Label: alt + ", " + r.Environment.cpu(),
		},
		XAxis: "pieces of both players on squares 1 to 14",
		Y:     Value.Unit(),
		Log:   true,
	}
	numbers := p.numbers()
	for _, n := range numbers {
		chart.X = append(chart.X, fmt.Sprint(n))
	}
	for _, engine := range p.engines() {
		line := plot.Line{Name: engine, Values: make([]plot.Interval, len(numbers))}
		for _, row := range p.Rows {
			if row.Engine == engine {
				line.Values[slices.Index(numbers, row.Pieces)] = plotInterval(row.Median, row.Lo, row.Hi, " ns/eval")
			}
		}
		chart.Lines = append(chart.Lines, line)
	}
	return newPlot("pieces", alt, chart), true
}

// scalingPlot has games/s over workers, beside what perfect cores would bring.
func (r Record) scalingPlot() (Plot, bool) {
	s := r.Scaling
	if s == nil || len(s.Rows) == 0 || s.Rows[0].Workers < 1 {
		return Plot{}, false
	}
	const alt = "Games per second over the number of workers"
	one := s.Rows[0].GamesPerSecond / float64(s.Rows[0].Workers)
	unit, divisor := countUnit(one)
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "What several cores bring: " + s.Engine,
			Subtitle: r.measured(fmt.Sprintf("%d cores", s.Cores), s.Samples),
			Caption: "Medians with their 95 % confidence intervals. The baseline, dashed, is what one worker plays times the number of workers. " +
				"One worker is measured while the other cores idle, so that it has more of a shared clock and power budget than each of many.",
			Label: alt + ", " + r.Environment.cpu(),
		},
		XAxis: "workers, each on a thread of its own",
		Y:     unit + "games/s",
		Log:   s.Rows[len(s.Rows)-1].Workers > 8,
	}
	ideal := plot.Line{Name: "one × workers", Reference: true}
	line := plot.Line{Name: s.Engine}
	for _, row := range s.Rows {
		chart.X = append(chart.X, fmt.Sprint(row.Workers))
		all := one * float64(row.Workers) / divisor
		ideal.Values = append(ideal.Values, plotInterval(all, all, all, ""))
		line.Values = append(line.Values, plotInterval(row.GamesPerSecond/divisor, row.Lo/divisor, row.Hi/divisor, " "+unit+"games/s"))
	}
	chart.Lines = []plot.Line{line, ideal}
	return newPlot("scaling", alt, chart), true
}

// countUnit returns the word for the size of a count, with a space behind it.
func countUnit(x float64) (word string, divisor float64) {
	switch {
	case x >= 1e5:
		return "million ", 1e6
	case x >= 1e2:
		return "thousand ", 1e3
	}
	return "", 1
}

// historyPlot has a line for each engine over the measurements on record. It is
// broken where the work changed, since figures of other work must not be compared.
func (r Record) historyPlot() (Plot, bool) {
	if len(r.History) == 0 {
		return Plot{}, false
	}
	const alt = "Time of a game over the measurements on record, for each engine"
	last := r.History[len(r.History)-1]
	chart := plot.Lines{
		Text: plot.Text{
			Title:    "History over commits",
			Subtitle: fmt.Sprintf("%s, one core, %d on record, from %s to %s", r.Environment.cpu(), len(r.History), r.History[0].day(), last.day()),
			Caption: "Medians with their 95 % confidence intervals. The baseline is " + last.Baseline + ": where it moves while its code does not, the machine did. " +
				"A + behind a commit marks files that were changed. Lines are broken where the work that is measured changed. The time is on a logarithmic axis.",
			Label: alt + ", " + r.Environment.cpu(),
		},
		XAxis: "commit",
		Y:     Game.Unit(),
		Log:   true,
	}
	lines := make(map[string]int) // by engine
	for i, entry := range r.History {
		if i > 0 && entry.Signature != r.History[i-1].Signature {
			chart.X = append(chart.X, "(other work)")
		}
		place := len(chart.X)
		chart.X = append(chart.X, entry.label())
		for _, row := range entry.Rows {
			if row.Level != Game {
				continue
			}
			at, ok := lines[row.Engine]
			if !ok {
				at = len(chart.Lines)
				lines[row.Engine] = at
				chart.Lines = append(chart.Lines, plot.Line{Name: row.Engine})
			}
			values := &chart.Lines[at].Values
			*values = append(*values, make([]plot.Interval, max(0, place+1-len(*values)))...)
			(*values)[place] = plotInterval(row.Median, row.Lo, row.Hi, " us/game")
		}
	}
	if len(chart.Lines) == 0 {
		return Plot{}, false
	}
	return newPlot("history", alt, chart), true
}
