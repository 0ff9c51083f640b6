package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// playerRegret is a line of "ur regret --json".
type playerRegret struct {
	Schema    string  `json:"schema"`
	Player    string  `json:"player"`
	Seed      uint64  `json:"seed"`
	Decisions int64   `json:"decisions"`
	Mean      float64 `json:"mean"` // points
	Optimal   float64 `json:"optimal"`
}

// origins describe the players of the table.
var origins = map[string]string{
	"random":        "any move",
	"first":         "the first move of the list",
	"greedy":        "captures, then rosettes, then progress",
	"tree":          "`ur train tree`: the worth of a piece on each square, from games of 4 pieces",
	"brain:classic": "set by hand",
	"brain":         "`ur train fit --games 1500000`: its choices fitted to the exact solution",
}

// readPlayers reads the regrets of players.
func readPlayers(name string) (list []playerRegret, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	decoder := json.NewDecoder(f)
	for {
		var p playerRegret
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if p.Schema != "ur.regret/1" {
			return nil, fmt.Errorf("%s: schema %q (want ur.regret/1)", name, p.Schema)
		}
		list = append(list, p)
	}
}

// writePlayers writes the table of the players.
func writePlayers(w io.Writer, list []playerRegret) error {
	table := text.Table{Header: []string{"player", "origin", "regret", "optimal", "decisions"}}
	for _, p := range list {
		origin, ok := origins[p.Player]
		if !ok {
			return fmt.Errorf("player %q has no origin", p.Player)
		}
		table.Add(p.Player, origin, fmt.Sprintf("%.3f", p.Mean), fmt.Sprintf("%.1f %%", 100*p.Optimal), text.Grouped(p.Decisions))
	}
	return writeTable(w, table)
}
