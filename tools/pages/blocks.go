package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// list returns every block of every page: the tables, and what is no table of a suite.
func list(rows []record.Row) []block {
	blocks := []block{
		{"docs/play.md", "rules", writeRules},
		{"docs/ladder.md", "claims", func(w io.Writer) error { return writeClaims(w, rows) }},
		{"docs/ladder.md", "limits", func(w io.Writer) error { return writeLimits(w, rows) }},
		{"docs/ab-validation.md", "answers", func(w io.Writer) error { return writeAnswers(w, rows) }},
		{"docs/ab-validation.md", "commits", func(w io.Writer) error { return writeDecidedCommits(w, rows) }},
		{"docs/ab-validation.md", "further", func(w io.Writer) error { return writeFurtherTrials(w, rows) }},
		{"docs/learning.md", "studies", func(w io.Writer) error { return writeStudies(w, rows) }},
		{"docs/reversi.md", "machine", func(w io.Writer) error {
			machine := record.Origin(usual(record.Suite(rows, "reversi")), "one core")
			const text = "Measured on %s, in CPU time unless a table names the wall clock or another machine.\n"
			_, err := fmt.Fprintf(w, text, machine)
			return err
		}},
	}
	for _, t := range tables {
		blocks = append(blocks, block{t.page, t.block,
			func(w io.Writer) error { return t.write(w, record.Suite(rows, t.suite)) }})
	}
	return blocks
}

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
	"array16/scalar", "array16/zeroskip", "rows/scalar", "bits/scalar", "bits/table", "bits/incremental", "lanes/go",
	"array16/avx2", "squares/avx2", "lanes/avx512",
}

// writeLimits writes the limits of the steps: instructions a cycle, the estimate of the hottest loop, and the hottest
// lines.
func writeLimits(w io.Writer, rows []record.Row) error {
	times, counts := record.Suite(rows, "engines"), record.Suite(rows, "instructions")
	t := text.Table{Narrow: true, Header: []string{"engine", "instructions a cycle, eval", "game", "hottest loop", "instructions",
		"cycles", "by units alone", "waits, %", "hottest lines, %"}}
	var missing []string
	for _, engine := range ladderSteps {
		keys := "/" + bench.SubName(engine)
		limits := find(record.Suite(rows, "limits"), "Limits"+keys)
		if limits.Name == "" {
			missing = append(missing, engine)
			continue
		}
		line := []string{engine, perCycle(find(times, "Value"+keys), find(counts, "Value"+keys), limits, 1),
			perCycle(find(times, "Game"+keys), find(counts, "Game"+keys), limits, 1e3)}
		line = append(append(line, loopCells(limits)...), hottestLines(limits))
		if limits.Stale {
			markStale(line)
		}
		t.Add(line...)
	}
	if len(t.Rows) > 0 {
		if err := writeMarked(w, t); err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(w, "\nNot measured since a change: %s; `go run ./tools/records limits ENGINE` measures one.\n",
		strings.Join(missing, ", "))
	return err
}

// perCycle returns the instructions a cycle of a time in units of some ns; "" if one processor did not measure the time
// and the frequency.
func perCycle(time, count, limits record.Row, unit float64) string {
	if count.Name == "" || time.Name == "" || processor(limits) != processor(time) {
		return ""
	}
	return fmt.Sprintf("%.2f", count.Median/(time.Median*unit*limits.Median))
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
		func(line string) string { return fmt.Sprintf("`%s` %.0f", line, 100*shares[line]) }), ", ")
}

// loopCells returns the function of the hottest loop, its instructions, its cycles, those by its units alone, and the waits
// that it has.
func loopCells(limits record.Row) []string {
	m := limits.Metrics
	if m["loop.instructions"] == 0 {
		return make([]string, 5)
	}
	delays := map[string]float64{"units": m["loop.resources"], "registers": m["loop.registers"],
		"memory": m["loop.memory"]}
	var waits []string
	for _, name := range text.Ranked(delays)[:2] {
		if percent := fmt.Sprintf("%.0f", delays[name]); percent != "0" {
			waits = append(waits, name+" "+percent)
		}
	}
	function := limits.Note[strings.LastIndexByte(limits.Note, '/')+1:]
	return []string{"`" + function + "`", fmt.Sprintf("%.0f", m["loop.instructions"]), fmt.Sprintf("%.1f", m["loop.cycles"]),
		fmt.Sprintf("%.1f", m["loop.throughput"]), strings.Join(waits, ", ")}
}

// claims are figures of the video on the Royal Game of Ur with a brain matrix and AVX2, those of its
// program measured on an AMD Zen 5 in November 2026, compiled by g++ 12 -O3 -march=native, and ours.
var claims = []struct{ what, claimed, program, ours string }{
	{"a value, scalar", "2,000 ns", "217 ns", "Value/board=array16/eval=scalar"},
	{"a value with zeros skipped", "", "", "Value/board=array16/eval=sparse"},
	{"a value, AVX2", "170 ns", "33 ns", "Value/board=array16/eval=avx2"},
	{"a game", "100 us", "38 to 40 us", "Game/board=array16/eval=scalar"},
	{"", "", "", "Game/board=array16/eval=avx2"},
	{"", "", "", "Game/board=squares/eval=avx2"},
	{"", "", "", "Game/board=lanes/eval=avx512"},
	{"futures in a list allocated before", "faster", "", "Futures/board=array16/list=one"},
	{"futures in a new list", "slower", "", "Futures/board=array16/list=new"},
}

// writeClaims writes the figures of the source beside ours.
func writeClaims(w io.Writer, rows []record.Row) error {
	t := text.Table{Header: []string{"what", "the source claims", "its program at -O3", "here", "engine", "processor"}, Narrow: true}
	all := append(record.Suite(rows, "engines"), record.Suite(rows, "moves")...)
	for _, c := range claims {
		row := find(all, c.ours)
		if row.Name == "" {
			continue
		}
		engine := row.Engine
		if engine == "" {
			engine = row.Keys["board"]
		}
		here := fmt.Sprintf("%s %s", text.Figure(row.Median), row.Unit)
		if row.Stale {
			here += stale
		}
		t.Add(c.what, c.claimed, c.program, here, engine, processor(row))
	}
	return writeMarked(w, t)
}

// turnParts are the columns of the parts of a turn.
var turnParts = []column{
	{"engine", func(row line) string { return row.Engine }},
	{"moves, ns a turn", figure("%s")},
	{"getValue, ns a turn", valuesOfTurn(func(values, _, _ float64) string { return text.Figure(values) })},
	{"all, ns a turn", at("Turn/board=${board}/eval=${eval}", figure("%s"))},
	{"moves, %", valuesOfTurn(func(_, moves, turn float64) string { return fmt.Sprintf("%.0f", 100*moves/turn) })},
	{"getValue, %", valuesOfTurn(func(values, _, turn float64) string { return fmt.Sprintf("%.0f", 100*values/turn) })},
	{"getValue, times the moves", valuesOfTurn(func(values, moves, _ float64) string {
		return fmt.Sprintf("%.1f", values/moves)
	})},
}

// valuesOfTurn prints a figure of an engine's times of a turn: of all its values, of its moves and of
// the whole.
func valuesOfTurn(print func(values, moves, turn float64) string) cell {
	return func(row line) string {
		keys := "/board=" + row.Keys["board"] + "/eval=" + row.Keys["eval"]
		value, turn := find(row.all, "Value"+keys), find(row.all, "Turn"+keys)
		if value.Name == "" || turn.Name == "" {
			return ""
		}
		return print(value.Median*row.Metrics["values/turn"], row.Median, turn.Median)
	}
}
