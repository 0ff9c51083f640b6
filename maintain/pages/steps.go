package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// ladderSteps are the article's engines on the ladder, each an idea.
var ladderSteps = []string{
	"array16/scalar", "array16/zeroskip", "rows/scalar", "bits/scalar", "bits/table", "array16/avx2",
	"bits/incremental", "lanes/go", "squares/avx2", "lanes/avx512",
}

// stepBlocks are the figures of these engines, a block each.
func stepBlocks(r results) (blocks []block) {
	for _, engine := range ladderSteps {
		name := "step-" + strings.ReplaceAll(engine, "/", "-")
		blocks = append(blocks, block{"docs/ladder.md", name,
			func(w io.Writer) error { return writeStep(w, r, engine) }})
	}
	return blocks
}

// writeStep writes an engine's figures: times, counts, hottest lines, and the estimate of its limit.
func writeStep(w io.Writer, r results, engine string) error {
	board, eval, _ := strings.Cut(engine, "/")
	keys := "/board=" + board + "/eval=" + eval
	times, counts := r.suite("engines"), r.suite("instructions")
	value, game := find(times, "Value"+keys), find(times, "Game"+keys)
	perEval, perGame := find(counts, "Value"+keys), find(counts, "Game"+keys)
	limits := find(r.suite("limits"), "Limits"+keys)
	if value.Name == "" || game.Name == "" {
		_, err := fmt.Fprintf(w, "Not measured since a change; `ur bench run --engine %s --count` measures it.\n", engine)
		return err
	}
	isStale := false
	for _, row := range []record.Row{value, game, perEval, perGame, limits} {
		isStale = isStale || row.Stale
	}
	t := text.Table{Header: []string{"ns an eval", "us a game", "instructions an eval", "a game",
		"instructions a cycle, eval", "game"}}
	t.Add(measured(value, nil), measured(game, nil), countText(perEval), countText(perGame),
		perCycle(perEval, value, limits, 1), perCycle(perGame, game, limits, 1e3))
	if isStale {
		markStale(t.Rows[0])
	}
	if err := t.WriteMarkdown(w); err != nil {
		return err
	}
	if limits.Name != "" {
		fmt.Fprintf(w, "\nHottest lines: %s.%s\n", hottestLines(limits), loopText(limits))
	}
	repeat := fmt.Sprintf("Again: `ur bench run --count --engine %s`", engine)
	if limits.Name != "" {
		repeat += fmt.Sprintf(", `go run ./maintain/records limits %s`", engine)
	}
	_, err := fmt.Fprintf(w, "\n%s.\n", repeat)
	return err
}

// countText is the median of a count, or "-".
func countText(row record.Row) string {
	if row.Name == "" {
		return "-"
	}
	return text.Count(row.Median)
}

// perCycle returns the instructions a cycle of a count, by a time in units of some ns and the frequency of the
// processor; "-" unless one processor measured both.
func perCycle(count, time, limits record.Row, unit float64) string {
	if count.Name == "" || limits.Name == "" || limits.Provenance.Processor() != time.Provenance.Processor() {
		return "-"
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
		"waits for %s in %.0f %%, for %s in %.0f %%.",
		function, m["loop.instructions"], m["loop.cycles"], m["loop.throughput"], names[0], delays[names[0]], names[1],
		delays[names[1]])
}
