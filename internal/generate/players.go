package main

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// origins describe the players of the table.
var origins = map[string]string{
	"random":        "any move",
	"first":         "the first move of the list",
	"greedy":        "captures, then rosettes, then progress",
	"tree":          "`ur train tree`: the worth of a piece on each square, from games of 4 pieces",
	"brain:classic": "set by hand",
	"brain":         "`ur train fit --games 1500000`: its choices fitted to the exact solution",
}

// writePlayers writes the table of the players.
func writePlayers(w io.Writer, rows []experiment.Row) error {
	table := text.Table{Header: []string{"player", "origin", "regret", "optimal", "decisions"}}
	for _, row := range rows {
		player := row.Keys["player"]
		origin, ok := origins[player]
		if !ok {
			return fmt.Errorf("player %q has no origin", player)
		}
		table.Add(player, origin, fmt.Sprintf("%.3f", row.Median), fmt.Sprintf("%.1f %%", 100*row.Metrics["optimal"]), text.Grouped(int64(row.Metrics["decisions"])))
	}
	return writeTable(w, table)
}
