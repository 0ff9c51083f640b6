package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// trainingRecord is the output of "reversi train --curve --json" for the built-in weights.
type trainingRecord struct {
	Games  int                  `json:"games"`
	Errors [eval.Stages]float64 `json:"rms_discs"`
	Error  float64              `json:"rms_discs_all"`
	Curve  []struct {
		Games int     `json:"games"`
		Error float64 `json:"rms_discs"`
	} `json:"curve"`
}

// write writes the errors by stage, and the learning curve.
func (r trainingRecord) write(w io.Writer) error {
	if r.Games == 0 || len(r.Curve) == 0 {
		return fmt.Errorf("the training record has %d games and %d points of its curve (want some)", r.Games, len(r.Curve))
	}
	fmt.Fprintf(w, "%d games in the last round. Root mean squared error in discs on held-out games, by stage:\n\n", r.Games)
	stages := text.Table{Header: []string{"discs", "error"}}
	for s, e := range r.Errors {
		if e > 0 { // the first stage is all random moves
			first := 4 + 60/eval.Stages*s
			stages.Add(fmt.Sprintf("%d to %d", first, first+60/eval.Stages-1), three(e))
		}
	}
	if err := writeTable(w, stages); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nOf all stages, by the number of games that teach:\n\n")
	curve := text.Table{Header: []string{"games", "error"}}
	for _, p := range r.Curve {
		curve.Add(fmt.Sprint(p.Games), three(p.Error))
	}
	curve.Add("all", three(r.Error))
	return writeTable(w, curve)
}

// opponentMatch is a line of the record of matches: the output of "reversi match --json", and
// the circumstances.
type opponentMatch struct {
	Opponent string `json:"opponent"` // with its version
	Limits   string `json:"limits"`   // of both sides
	Command  string `json:"command"`
	Result   struct {
		Games int     `json:"games"`
		Score float64 `json:"score"`
		Low   float64 `json:"lo"`
		High  float64 `json:"hi"`
		Discs float64 `json:"discs"`
	} `json:"result"`
}

// readOpponents reads a record of matches.
func readOpponents(name string) (list []opponentMatch, err error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		var m opponentMatch
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
		}
		if m.Result.Games == 0 {
			return nil, fmt.Errorf("%s: line %d: a match without games", name, n)
		}
		list = append(list, m)
	}
	return list, lines.Err()
}

// writeOpponents writes the results of matches, and the commands that play them.
func writeOpponents(w io.Writer, list []opponentMatch) error {
	table := text.Table{Header: []string{"opponent", "limits", "games", "our score, %", "discs a game"}}
	for _, m := range list {
		table.Add(m.Opponent, m.Limits, fmt.Sprint(m.Result.Games),
			fmt.Sprintf("%.1f [%.0f, %.0f]", 100*m.Result.Score, 100*m.Result.Low, 100*m.Result.High), fmt.Sprintf("%+.1f", m.Result.Discs))
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, m := range list {
		fmt.Fprintf(w, "    %s\n", m.Command)
	}
	return nil
}
