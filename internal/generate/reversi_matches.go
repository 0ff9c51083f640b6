package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// writeTraining writes the errors of the built-in weights by stage, and their learning curve.
func writeTraining(w io.Writer, rows []experiment.Row) error {
	training := find(rows, "Training")
	m := training.Metrics
	if m["curve.0.games"] == 0 {
		return errors.New("no training with a curve on record")
	}
	fmt.Fprintf(w, "%.0f games in the last round. Root mean squared error in discs on held-out games, by stage:\n\n", m["games"])
	stages := text.Table{Header: []string{"discs", "error"}}
	for s := range eval.Stages {
		if e := m[fmt.Sprintf("rms_discs.%d", s)]; e > 0 { // the first stage is all random moves
			first := 4 + 60/eval.Stages*s
			stages.Add(fmt.Sprintf("%d to %d", first, first+60/eval.Stages-1), three(e))
		}
	}
	if err := writeTable(w, stages); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nOf all stages, by the number of games that teach:\n\n")
	curve := text.Table{Header: []string{"games", "error"}}
	for i := 0; ; i++ {
		games, ok := m[fmt.Sprintf("curve.%d.games", i)]
		if !ok {
			break
		}
		curve.Add(fmt.Sprint(games), three(m[fmt.Sprintf("curve.%d.rms_discs", i)]))
	}
	curve.Add("all", three(training.Median))
	return writeTable(w, curve)
}

// writeOpponents writes the results of matches, and the commands that play them. The note of a
// match names the opponent, with its version, and the limits of both sides.
func writeOpponents(w io.Writer, rows []experiment.Row) error {
	table := text.Table{Header: []string{"opponent", "limits", "games", "our score, %", "discs a game"}}
	for _, row := range rows {
		opponent, limits, _ := strings.Cut(row.Note, "; ")
		limits, _, _ = strings.Cut(limits, "; ")
		table.Add(opponent, limits, fmt.Sprint(row.Metrics["games"]),
			fmt.Sprintf("%.1f [%.0f, %.0f]", 100*row.Median, 100*row.Lo, 100*row.Hi), fmt.Sprintf("%+.1f", row.Metrics["discs"]))
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, row := range rows {
		fmt.Fprintf(w, "    %s\n", row.Provenance.Command)
	}
	return nil
}

// writeStrength writes what each technique of the midgame's search is worth in games.
func writeStrength(w io.Writer, rows []experiment.Row) error {
	table := text.Table{Header: []string{"without", "limit", "games", "score with it, %", "gain in Elo"}}
	for _, row := range rows {
		name := strings.TrimPrefix(strings.TrimPrefix(row.Name, "Ablation/"), "without=")
		table.Add(name, row.Note, fmt.Sprint(row.Metrics["games"]), fmt.Sprintf("%.1f [%.0f, %.0f]", 100*row.Median, 100*row.Lo, 100*row.Hi),
			fmt.Sprintf("%+.0f [%+.0f, %+.0f]", rating.Elo(row.Median), rating.Elo(row.Lo), rating.Elo(row.Hi)))
	}
	return writeTable(w, table)
}
