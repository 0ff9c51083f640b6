package main

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// reversiRecord is the record of the suite reversi.
type reversiRecord []experiment.Row

// reversiTables are the blocks of docs/reversi.md, each with the benchmarks in it.
var reversiTables = []struct {
	name       string
	benchmarks string // matches their names
	write      func(w io.Writer, r reversiRecord) error
}{
	{"generators", "^(Moves|Flips|Expand|Perft/depth=9)/", generatorTable},
	{"perft", "^Perft/depth=1[12]/", perftTable},
	{"state", "^State/", stateTable},
	{"values", "^Value/", valueTable},
	{"match", "^Match/", matchTable},
	{"solve", "^Solve/", solveTable},
	{"ablation", "^Solve/set=40/", ablationTable},
	{"midgame", "^Midgame/", midgameTable},
}

// writeReversi writes a table below the origin of its rows, if that is not the usual one.
func writeReversi(w io.Writer, r reversiRecord, benchmarks string, write func(io.Writer, reversiRecord) error) error {
	pattern := regexp.MustCompile(benchmarks)
	rows := slices.DeleteFunc(slices.Clone(r), func(row experiment.Row) bool { return !pattern.MatchString(row.Name) })
	fmt.Fprint(w, elsewhere(rows, r))
	return write(w, rows)
}

// rowsOf returns the rows whose names begin so, in their order, by the rest of the name.
func rowsOf(r reversiRecord, prefix string) (names []string, rows map[string]experiment.Row) {
	rows = map[string]experiment.Row{}
	for _, row := range r {
		if rest, ok := strings.CutPrefix(row.Name, prefix); ok && rows[rest].Name == "" {
			names = append(names, rest)
			rows[rest] = row
		}
	}
	return names, rows
}

func machineTable(w io.Writer, r reversiRecord) error {
	_, err := fmt.Fprintf(w, "Measured on %s, in CPU time unless a table names the wall clock or another machine.\n", record.Origin(usual(r), "one core"))
	return err
}

// writeTable writes a table, which must have rows.
func writeTable(w io.Writer, t text.Table) error {
	if len(t.Rows) == 0 {
		return errors.New("no rows on record")
	}
	return t.WriteMarkdown(w)
}

func generatorTable(w io.Writer, r reversiRecord) error {
	names, moves := rowsOf(r, "Moves/generator=")
	_, flips := rowsOf(r, "Flips/generator=")
	_, children := rowsOf(r, "Expand/generator=")
	_, perft := rowsOf(r, "Perft/depth=9/generator=")
	table := text.Table{Header: []string{"generator", "ns a list of moves", "ns a flip", "ns a child expanded", "perft 9, s", "speedup"}}
	for _, name := range names {
		p := perft[name]
		table.Add(name, interval(moves[name]), interval(flips[name]), interval(children[name]), three(p.Median), three(perft["array"].Median/p.Median))
	}
	return writeTable(w, table)
}

func perftTable(w io.Writer, r reversiRecord) error {
	names, rows := rowsOf(r, "Perft/depth=11/")
	table := text.Table{Header: []string{"perft 11", "s", "million leaves a second"}}
	for _, name := range names {
		row := rows[name]
		table.Add(name, interval(row), fmt.Sprintf("%.0f", nodes(row)/row.Median/1e6))
	}
	if err := writeTable(w, table); err != nil {
		return err
	}
	return threadTable(w, r)
}

// threadTable writes the speedup of a second thread, if it is on record.
func threadTable(w io.Writer, r reversiRecord) error {
	names, rows := rowsOf(r, "Perft/depth=12/threads=")
	one := rows["1"]
	if one.Median == 0 {
		return nil
	}
	table := text.Table{Header: []string{"perft 12 on threads", "wall-clock s", "speedup"}}
	slices.Sort(names)
	for _, name := range names {
		table.Add(name, interval(rows[name]), three(one.Median/rows[name].Median))
	}
	fmt.Fprintln(w)
	return writeTable(w, table)
}

// nsTable writes the time of each row.
func nsTable(w io.Writer, r reversiRecord, prefix, what, unit string) error {
	names, rows := rowsOf(r, prefix)
	table := text.Table{Header: []string{what, unit}}
	for _, name := range names {
		table.Add(name, interval(rows[name]))
	}
	return writeTable(w, table)
}

func valueTable(w io.Writer, r reversiRecord) error {
	return nsTable(w, r, "Value/", "evaluation", "ns")
}

func stateTable(w io.Writer, r reversiRecord) error {
	return nsTable(w, r, "State/", "numbers of discs and stable discs", "ns a move")
}

func matchTable(w io.Writer, r reversiRecord) error {
	_, rows := rowsOf(r, "Match/")
	for _, m := range rows {
		_, err := fmt.Fprintf(w, "Learned patterns against the hand-set rules, 50 ms a move, random openings of 8 discs: %s, score %.0f %% [%.0f, %.0f], %+.1f discs a game.\n",
			text.Plural(int(m.Metrics["games"]), "game"), 100*m.Median, 100*m.Lo, 100*m.Hi, m.Metrics["discs/game"])
		return err
	}
	return errors.New("no match on record")
}

func solveTable(w io.Writer, r reversiRecord) error {
	names, rows := rowsOf(r, "Solve/")
	table := text.Table{Header: []string{"FForum positions", "s", "million nodes", "million nodes a second"}}
	for _, name := range names {
		if row := rows[name]; !strings.Contains(name, "without") {
			table.Add(name, interval(row), three(nodes(row)/1e6), fmt.Sprintf("%.1f", nodes(row)/row.Median/1e6))
		}
	}
	return writeTable(w, table)
}

func ablationTable(w io.Writer, r reversiRecord) error {
	_, all := rowsOf(r, "Solve/set=40/")
	return withoutTable(w, r, "Solve/set=40/without=", all["eval=learned"])
}

// withoutTable writes the cost of leaving out a technique, as ratios to a baseline.
func withoutTable(w io.Writer, r reversiRecord, prefix string, base experiment.Row) error {
	names, rows := rowsOf(r, prefix)
	table := text.Table{Header: []string{"without", "nodes, times", "time, times"}}
	for _, name := range names {
		table.Add(name, three(nodes(rows[name])/nodes(base)), three(rows[name].Median/base.Median))
	}
	return writeTable(w, table)
}

func midgameTable(w io.Writer, r reversiRecord) error {
	names, rows := rowsOf(r, "Midgame/depth=10/positions=")
	var groups []float64
	for _, name := range names {
		groups = append(groups, rows[name].Median)
	}
	slices.Sort(groups)
	if n := len(groups); n > 0 {
		fmt.Fprintf(w, "Depth 10 takes %s ms, the median of %d groups of five positions (%s to %s).\n\n",
			three((groups[(n-1)/2]+groups[n/2])/2), n, three(groups[0]), three(groups[n-1]))
	}
	_, ten := rowsOf(r, "Midgame/depth=10/without=")
	return withoutTable(w, r, "Midgame/depth=10/without=", ten["none"])
}

// nodes are those of a pass.
func nodes(row experiment.Row) float64 { return row.Metrics["nodes/pass"] }

// three writes a figure with three digits.
func three(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	case x >= 1:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.3f", x)
}

func interval(r experiment.Row) string {
	if r.Samples < 2 {
		return three(r.Median)
	}
	return fmt.Sprintf("%s [%s, %s]", three(r.Median), three(r.Lo), three(r.Hi))
}
