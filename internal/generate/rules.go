package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
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

// rulesEffect is a line of the record of rule sets: a match of greedy against itself, or the
// regret of a player.
type rulesEffect struct {
	Schema    string  `json:"schema"`
	Rules     string  `json:"rules"`
	Games     float64 `json:"games"`
	LightWins float64 `json:"light_wins"`
	Turns     float64 `json:"turns"`
	Captures  float64 `json:"captures"`
	Rosettes  float64 `json:"rosettes"`
	Passes    float64 `json:"passes"`
	Player    string  `json:"player"`
	Mean      float64 `json:"mean"`
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
		if e.Schema != "ur.match/1" && e.Schema != "ur.regret/1" {
			return nil, fmt.Errorf("%s: schema %q (want ur.match/1 or ur.regret/1)", name, e.Schema)
		}
		list = append(list, e)
	}
	return list, in.Err()
}

// writeEffects writes a row for each rule set with a match.
func writeEffects(w io.Writer, list []rulesEffect) error {
	table := text.Table{Header: []string{"rule set", "turns", "captures", "to rosettes", "passes", "light wins", "regret of random", "of greedy"}}
	for _, e := range list {
		if e.Schema != "ur.match/1" {
			continue
		}
		row := []string{"`" + e.Rules + "`"}
		for _, count := range []float64{e.Turns, e.Captures, e.Rosettes, e.Passes} {
			row = append(row, fmt.Sprintf("%.1f", count/e.Games))
		}
		row = append(row, fmt.Sprintf("%.1f %%", 100*e.LightWins/e.Games))
		for _, player := range []string{"random", "greedy"} {
			regret := ""
			for _, r := range list {
				if r.Schema == "ur.regret/1" && r.Rules == e.Rules && r.Player == player {
					regret = fmt.Sprintf("%.3f", r.Mean)
				}
			}
			row = append(row, regret)
		}
		table.Add(row...)
	}
	if len(table.Rows) == 0 {
		return errors.New("no match of a rule set on record")
	}
	return writeTable(w, table)
}
