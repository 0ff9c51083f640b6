package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// netRecords are measurements of players with weights.
type netRecords struct {
	Records []netRecord `json:"records"`
}

// netRecord is the measurement of one player.
type netRecord struct {
	Player  string  `json:"player"`
	Weights int     `json:"weights"`
	Learned string  `json:"learned"`         // the command that made it, or its source
	Regret  float64 `json:"regret"`          // points a decision, at 1 ply
	Regret2 float64 `json:"regret_2"`        // at 2 plies; 0 where there is none
	Optimal float64 `json:"optimal"`         // share of the decisions; 0 where it is not known
	Ns      float64 `json:"ns_per_decision"` // of CPU time, at 1 ply; 0 where it is not known

	// Published is the source of a figure that was not measured here, otherwise "".
	Published string `json:"published"`

	CPU string `json:"cpu"` // on which the time was measured
}

// write writes the records as a table, and the sources of the players.
func (r netRecords) write(w io.Writer) error {
	table := text.Table{Header: []string{"player", "weights", "regret, 1 ply", "2 plies", "optimal", "ns a decision"}}
	for _, x := range r.Records {
		deep, optimal, ns := "", "", ""
		if x.Regret2 > 0 {
			deep = fmt.Sprintf("%.4f", x.Regret2)
		}
		if x.Optimal > 0 {
			optimal = fmt.Sprintf("%.1f %%", 100*x.Optimal)
		}
		if x.Ns > 0 {
			ns = fmt.Sprintf("%.0f", x.Ns)
		}
		table.Add(x.Player, text.Grouped(x.Weights), fmt.Sprintf("%.4f", x.Regret), deep, optimal, ns)
	}
	if err := table.WriteMarkdown(w); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nTimes are CPU time on one core of %s.\n\nSources:\n\n", strings.Join(r.processors(), " or "))
	for _, x := range r.Records {
		source := x.Learned
		if x.Published != "" {
			source = "published, not measured here: " + x.Published
		} else if strings.HasPrefix(x.Learned, "ur ") {
			source = "`" + x.Learned + "`"
		}
		fmt.Fprintf(w, "- %s (%s weights): %s\n", x.Player, text.Grouped(x.Weights), source)
	}
	return nil
}

// processors lists the processors on which the records were measured.
func (r netRecords) processors() (names []string) {
	for _, x := range r.Records {
		if x.CPU != "" && !slices.Contains(names, x.CPU) {
			names = append(names, x.CPU)
		}
	}
	return names
}

// plot draws regret over weights.
func (r netRecords) plot() []byte {
	lines := plot.Lines{
		Text: plot.Text{
			Title: "Regret by number of weights", Subtitle: "ns a decision stand in the table",
			Caption: "Regret in percentage points a decision of perfect play, on a log axis.",
			Label:   "Regret of players by their number of weights.",
		},
		XAxis: "weights", Y: "regret, points", Log: true,
		Lines: []plot.Line{
			{Name: "distilled", Bridges: true}, {Name: "distilled, 2 plies", Bridges: true}, {Name: "by games"}, {Name: "brain"}, {Name: "published"},
		},
	}
	for _, x := range r.Records {
		lines.X = append(lines.X, strconv.Itoa(x.Weights))
		lines.At = append(lines.At, math.Log(float64(x.Weights)))
		for i, regret := range x.onLines() {
			value := plot.Interval{Middle: regret, Lo: regret, Hi: regret, Text: fmt.Sprintf("%.3f", regret)}
			lines.Lines[i].Values = append(lines.Lines[i].Values, value)
		}
	}
	return lines.SVG(true)
}

// onLines returns the regret that a record has on each line of the plot, 0 where it has
// none.
func (x netRecord) onLines() (regret [5]float64) {
	const distilled, deep, games, brain, published = 0, 1, 2, 3, 4
	switch {
	case x.Published != "":
		regret[published] = x.Regret
	case strings.HasPrefix(x.Learned, "ur train distill"):
		regret[distilled], regret[deep] = x.Regret, x.Regret2
	case strings.HasPrefix(x.Learned, "ur train fit"):
		regret[brain] = x.Regret
	default:
		regret[games] = x.Regret
	}
	return regret
}
