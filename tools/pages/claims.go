package main

import (
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/text"
)

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
	all := append(record.Suite(rows, "moves"), record.Suite(rows, "engines")...)
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
	{"engine", own(func(row record.Row) string { return row.Engine })},
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
	return func(row record.Row, all []record.Row) string {
		keys := "/board=" + row.Keys["board"] + "/eval=" + row.Keys["eval"]
		value, turn := find(all, "Value"+keys), find(all, "Turn"+keys)
		if value.Name == "" || turn.Name == "" {
			return ""
		}
		return print(value.Median*row.Metrics["values/turn"], row.Median, turn.Median)
	}
}
