package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// writeRules writes the built-in rule sets, each with the picture of its path.
func writeRules(w io.Writer) error {
	table := text.Table{Header: []string{"rule set", "squares", "shared", "pieces", "dice", "safe rosettes", "roll after rosette", "roll after capture"}}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, r := range rules.List() {
		shared := 0
		for square := 1; square < r.Finish(); square++ {
			if r.IsShared(square) {
				shared++
			}
		}
		table.Add("`"+r.Name()+"`", fmt.Sprint(r.Squares()), fmt.Sprint(shared), fmt.Sprint(r.Pieces()), diceText(r),
			yes[r.SafeRosettes()], yes[r.RollAfterRosette()], yes[r.RollAfterCapture()])
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	for _, r := range rules.List() {
		fmt.Fprintf(w, "\n**%s.** %s\n\n![%s](plots/rules-%s.svg)\n", r.Title(), r.About(), trackLabel(r), r.Name())
	}
	return nil
}

// diceText returns the rolls and their weights.
func diceText(r *rules.Rules) string {
	var parts []string
	for roll := range r.MaxRoll() + 1 {
		if weight := r.Weight(roll); weight > 0 {
			parts = append(parts, fmt.Sprintf("%d: %d", roll, weight))
		}
	}
	return fmt.Sprintf("%s of %d", strings.Join(parts, ", "), r.WeightSum())
}

func trackLabel(r *rules.Rules) string { return "The board and Light's path of " + r.Title() }

// rulesPlots draws the path of each rule set.
func rulesPlots() (files []file) {
	for _, r := range rules.List() {
		t := plot.Track{Label: trackLabel(r)}
		for column := range r.Columns() {
			for row := range r.Rows() {
				if r.HasTile(column, row) {
					t.Tiles = append(t.Tiles, [2]int{column, row})
				}
			}
		}
		for square := 1; square < r.Finish(); square++ {
			column, row := r.TileAt(board.Light, square)
			t.Path = append(t.Path, [2]int{column, row})
			for side := range board.Dark + 1 {
				if column, row := r.TileAt(side, square); r.IsRosette(square) {
					t.Rosettes = append(t.Rosettes, [2]int{column, row})
				}
			}
		}
		files = append(files, file{plotFolder + "/rules-" + r.Name() + ".svg", t.SVG(true)})
	}
	return files
}

// rulesEffect is a line of the record of rule sets: a match, the regret of a player, or the
// description of a table.
type rulesEffect struct {
	Schema    string   `json:"schema"`
	Rules     string   `json:"rules"`
	Games     float64  `json:"games"`
	Players   []string `json:"players"` // of a match
	LightWins float64  `json:"light_wins"`
	Turns     float64  `json:"turns"`
	Captures  float64  `json:"captures"`
	Rosettes  float64  `json:"rosettes"`
	Passes    float64  `json:"passes"`
	Luck      *struct {
		StdErr  float64 `json:"std_err"`
		Without float64 `json:"raw_std_err"`
	} `json:"luck"`
	Player string  `json:"player"` // whose regret it is
	Mean   float64 `json:"mean"`
	Meta   struct {
		Start float64 `json:"start"`
	} `json:"meta"` // of a table
}

// readEffects reads the record.
func readEffects(name string) (list []rulesEffect, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(bytes.NewReader(data))
	for in.Scan() {
		var e rulesEffect
		if err := json.Unmarshal(in.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if e.Schema != "ur.match/1" && e.Schema != "ur.regret/1" && e.Schema != "ur.table/1" {
			return nil, fmt.Errorf("%s: schema %q (want ur.match/1, ur.regret/1 or ur.table/1)", name, e.Schema)
		}
		list = append(list, e)
	}
	return list, in.Err()
}

// writeEffects writes a row for each rule set with a match of greedy against itself.
func writeEffects(w io.Writer, list []rulesEffect) error {
	table := text.Table{Header: []string{"rule set", "turns", "captures", "to rosettes", "passes", "light wins", "of perfect games", "luck", "regret of random", "of greedy", "of net", "of net@2"}}
	for _, r := range rules.List() {
		of := slices.DeleteFunc(slices.Clone(list), func(e rulesEffect) bool { return e.Rules != r.Name() })
		for _, e := range of {
			if e.Schema == "ur.match/1" && e.Luck == nil {
				table.Add(effectsRow(e, of)...)
			}
		}
	}
	if len(table.Rows) == 0 {
		return errors.New("no match of a rule set on record")
	}
	return writeTable(w, table)
}

// effectsRow returns the row of a rule set: of a match, and of the other lines of the record.
func effectsRow(match rulesEffect, of []rulesEffect) []string {
	row := []string{"`" + match.Rules + "`"}
	for _, count := range []float64{match.Turns, match.Captures, match.Rosettes, match.Passes} {
		row = append(row, fmt.Sprintf("%.1f", count/match.Games))
	}
	row = append(row, fmt.Sprintf("%.1f %%", 100*match.LightWins/match.Games))
	start, luck, regret := "", "", map[string]string{}
	for _, e := range of {
		if e.Luck != nil {
			share := e.Luck.StdErr / e.Luck.Without
			luck = fmt.Sprintf("%.0f %%", 100*(1-share*share))
		}
		switch e.Schema {
		case "ur.regret/1":
			regret[e.Player] = fmt.Sprintf("%.3f", e.Mean)
		case "ur.table/1":
			start = fmt.Sprintf("%.10f %%", 100*e.Meta.Start)
		}
	}
	row = append(row, start, luck)
	for _, player := range []string{"random", "greedy", "net", "net@2"} {
		row = append(row, regret[player])
	}
	return row
}
