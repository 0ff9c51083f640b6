package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// writeRules writes the built-in rule sets, each with its board and path.
func writeRules(w io.Writer) error {
	table := text.Table{Narrow: true, Header: []string{"rule set", "squares", "shared", "pieces", "ways to roll 0, 1, ...",
		"safe rosettes", "roll after rosette", "roll after capture"}}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, r := range board.List() {
		shared, d := 0, r.Definition()
		for square := 1; square < r.Finish(); square++ {
			if r.IsShared(square) {
				shared++
			}
		}
		table.Add("`"+r.Name()+"`", fmt.Sprint(r.Squares()), fmt.Sprint(shared), fmt.Sprint(r.Pieces()), diceText(r),
			yes[d.SafeRosettes], yes[d.RollAfterRosette], yes[d.RollAfterCapture])
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	drawn := make(map[string]bool)
	for _, r := range board.List() {
		fmt.Fprintf(w, "\n**%s.** %s\n", r.Title(), r.Definition().About)
		if drawing := boardText(r); !drawn[drawing] {
			drawn[drawing] = true
			fmt.Fprintf(w, "\n```text\n%s```\n", drawing)
		}
	}
	return nil
}

// diceText returns the weights of the rolls from 0 on.
func diceText(r *board.Rules) string {
	var weights []string
	for roll := range r.MaxRoll() + 1 {
		weights = append(weights, fmt.Sprint(r.Weight(roll)))
	}
	return fmt.Sprintf("%s of %d", strings.Join(weights, "+"), r.WeightSum())
}

// boardText returns the board of a rule set: the numbers of Light's squares on each tile, "-" on others,
// and a star on rosettes.
func boardText(r *board.Rules) string {
	numbers, rosettes := make(map[[2]int]string), make(map[[2]int]string)
	for square := 1; square < r.Finish(); square++ {
		for side := range board.Dark + 1 {
			column, row := r.TileAt(side, square)
			at := [2]int{column, row}
			if side == board.Light {
				numbers[at] = strings.TrimPrefix(fmt.Sprintf("%s/%d", numbers[at], square), "/")
			}
			if r.IsRosette(square) {
				rosettes[at] = "*"
			}
		}
	}
	var out strings.Builder
	for column, tiles := range r.Definition().Board {
		line := ""
		for row, c := range tiles {
			cell, at := "", [2]int{column, row}
			if c == '#' {
				cell = cmp.Or(numbers[at], "-") + rosettes[at]
			}
			line += fmt.Sprintf("%-7s", cell)
		}
		fmt.Fprintln(&out, strings.TrimRight(line, " "))
	}
	return out.String()
}

// ladderSteps are the article's engines on the ladder, each an idea.
var ladderSteps = []string{
	"array16/scalar", "array16/zeroskip", "rows/scalar", "bits/scalar", "bits/table", "array16/avx2",
	"bits/incremental", "lanes/go", "squares/avx2", "lanes/avx512",
}

// writeStep writes an engine's figures: times, counts, hottest lines, and the estimate of its limit.
func writeStep(w io.Writer, rows []record.Row, engine string) error {
	keys := "/" + bench.SubName(engine)
	times, counts := record.Suite(rows, "engines"), record.Suite(rows, "instructions")
	value, game := find(times, "Value"+keys), find(times, "Game"+keys)
	perEval, perGame := find(counts, "Value"+keys), find(counts, "Game"+keys)
	limits := find(record.Suite(rows, "limits"), "Limits"+keys)
	if value.Name == "" || game.Name == "" {
		_, err := fmt.Fprintf(w, "Not measured since a change; `ur bench run --engine %s --count` measures it.\n", engine)
		return err
	}
	fmt.Fprintf(w, "An eval takes %s ns%s; a game %s us%s.", measured(value, nil), countText(perEval, value, limits, 1),
		measured(game, nil), countText(perGame, game, limits, 1e3))
	used := []record.Row{value, game, perEval, perGame, limits}
	if slices.ContainsFunc(used, func(row record.Row) bool { return row.Stale }) {
		fmt.Fprint(w, " The code has changed since.")
	}
	if limits.Name != "" {
		fmt.Fprintf(w, " Hottest lines: %s.%s", hottestLines(limits), loopText(limits))
	}
	_, err := fmt.Fprintf(w, "\n\n    ur bench run --count --engine %s\n", engine)
	return err
}

// countText describes a median count, with the instructions a cycle by a time in units of some ns and the
// processor's frequency if one processor measured both; "" without a count.
func countText(count, time, limits record.Row, unit float64) string {
	if count.Name == "" {
		return ""
	}
	perCycle := ""
	if limits.Name != "" && limits.Provenance.Processor() == time.Provenance.Processor() {
		perCycle = fmt.Sprintf(", %.2f a cycle", count.Median/(time.Median*unit*limits.Median))
	}
	return fmt.Sprintf(" and %s instructions%s", text.Count(count.Median), perCycle)
}

// hottestLines lists the lines with most samples, with their shares.
func hottestLines(limits record.Row) string {
	shares := make(map[string]float64)
	for name, share := range limits.Metrics {
		if line, ok := strings.CutPrefix(name, "lines."); ok {
			shares[line] = share
		}
	}
	return strings.Join(text.List(text.Ranked(shares),
		func(line string) string { return fmt.Sprintf("`%s` %.0f %%", line, 100*shares[line]) }), ", ")
}

// loopText describes the estimate of the hottest loop.
func loopText(limits record.Row) string {
	m := limits.Metrics
	if m["loop.instructions"] == 0 {
		return ""
	}
	delays := map[string]float64{"units": m["loop.resources"], "registers": m["loop.registers"],
		"memory": m["loop.memory"]}
	names := text.Ranked(delays)
	function := limits.Note[strings.LastIndexByte(limits.Note, '/')+1:]
	return fmt.Sprintf(" Hottest loop, in `%s`: %.0f instructions, %.1f cycles, %.1f by its units alone; "+
		"waits for %s %.0f %%, %s %.0f %%.",
		function, m["loop.instructions"], m["loop.cycles"], m["loop.throughput"], names[0], delays[names[0]], names[1],
		delays[names[1]])
}
