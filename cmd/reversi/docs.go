package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/reversi/suite"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// blockMark begins or ends a table of a page that is made from a record.
var blockMark = regexp.MustCompile(`(?s)<!-- reversi:([a-z]+):begin -->\n.*?<!-- reversi:([a-z]+):end -->`)

// tables write the blocks, by name.
var tables = map[string]func(w io.Writer, r benchRecord){
	"machine":    machineTable,
	"generators": generatorTable,
	"perft":      perftTable,
	"values":     valueTable,
	"match":      matchTable,
	"state":      stateTable,
	"solve":      solveTable,
	"ablation":   ablationTable,
	"midgame":    midgameTable,
}

func writeDocs(env *cli.Env, o benchOptions) error {
	if o.from == "" {
		return cli.UsageError("--docs needs --from RECORD")
	}
	r, err := readRecord(o.from)
	if err != nil {
		return cli.UsageError("--from: %w", err)
	}
	old, err := os.ReadFile(o.docs)
	if err != nil {
		return cli.UsageError("--docs: %w", err)
	}
	text, err := fill(old, r)
	if err != nil {
		return cli.UsageError("--docs %s: %w", o.docs, err)
	}
	if o.check {
		if !bytes.Equal(text, old) {
			return cli.VerificationError("%s is not what %s says: run reversi bench --docs %s --from %s", o.docs, o.from, o.docs, o.from)
		}
		return nil
	}
	return writeFile(o.docs, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// fill writes the blocks of a page.
func fill(page []byte, r benchRecord) (text []byte, err error) {
	blocks := 0
	text = blockMark.ReplaceAllFunc(page, func(block []byte) []byte {
		names := blockMark.FindSubmatch(block)
		name := string(names[1])
		table := tables[name]
		if table == nil || name != string(names[2]) {
			err = fmt.Errorf("no block is called %q, or it does not end as it begins", name)
			return block
		}
		blocks++
		var out bytes.Buffer
		fmt.Fprintf(&out, "<!-- reversi:%s:begin -->\n\n", name)
		table(&out, r)
		fmt.Fprintf(&out, "\n<!-- reversi:%s:end -->", name)
		return out.Bytes()
	})
	if err == nil && blocks == 0 {
		err = fmt.Errorf("no block in it")
	}
	return text, err
}

// rowsOf returns the rows whose names begin so, in their order, by the rest of the name.
func rowsOf(r benchRecord, prefix string) (names []string, rows map[string]suite.Row) {
	rows = map[string]suite.Row{}
	for _, row := range r.Rows {
		if rest, ok := strings.CutPrefix(row.Name, prefix); ok && rows[rest].Name == "" {
			names = append(names, rest)
			rows[rest] = row
		}
	}
	return names, rows
}

func machineTable(w io.Writer, r benchRecord) {
	e := r.Environment
	fmt.Fprintf(w, "Measured on %s, %d cores, load %s, by the processor's time; %s, commit %.12s, %.10s.\n", e.CPU, e.Cores, e.Load, e.Go, e.Commit, e.Date)
}

func generatorTable(w io.Writer, r benchRecord) {
	names, moves := rowsOf(r, "Moves/generator=")
	_, flips := rowsOf(r, "Flips/generator=")
	_, children := rowsOf(r, "Expand/generator=")
	_, perft := rowsOf(r, "Perft/depth=9/generator=")
	fmt.Fprintln(w, "| generator | ns a list of moves | ns a flip | ns a child expanded | perft 9 | array's time over it |\n| --- | ---: | ---: | ---: | ---: | ---: |")
	for _, name := range names {
		m, f, c, p := moves[name], flips[name], children[name], perft[name]
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s s | %s |\n", name, interval(m), interval(f), interval(c), three(p.Median), three(perft["array"].Median/p.Median))
	}
}

func perftTable(w io.Writer, r benchRecord) {
	names, rows := rowsOf(r, "Perft/depth=11/")
	fmt.Fprintln(w, "| perft 11 | s | million leaves a second |\n| --- | ---: | ---: |")
	for _, name := range names {
		row := rows[name]
		fmt.Fprintf(w, "| %s | %s | %.0f |\n", name, interval(row), float64(row.Nodes)/row.Median/1e6)
	}
	threadTable(w, r)
}

// threadTable writes what a second thread is worth, if that is on record.
func threadTable(w io.Writer, r benchRecord) {
	names, rows := rowsOf(r, "Perft/depth=12/threads=")
	one := rows["1"]
	if one.Median == 0 {
		return
	}
	fmt.Fprintln(w, "\n| perft 12 on threads | s on the wall | one thread's time over it |\n| --- | ---: | ---: |")
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, interval(rows[name]), three(one.Median/rows[name].Median))
	}
}

func valueTable(w io.Writer, r benchRecord) {
	names, rows := rowsOf(r, "Value/")
	fmt.Fprintln(w, "| evaluation | ns |\n| --- | ---: |")
	for _, name := range names {
		fmt.Fprintf(w, "| %s | %s |\n", name, interval(rows[name]))
	}
}

func stateTable(w io.Writer, r benchRecord) {
	names, rows := rowsOf(r, "State/")
	fmt.Fprintln(w, "| numbers of discs and stable discs | ns a move |\n| --- | ---: |")
	for _, name := range names {
		fmt.Fprintf(w, "| %s | %s |\n", name, interval(rows[name]))
	}
}

func matchTable(w io.Writer, r benchRecord) {
	if m := r.Match; m != nil {
		fmt.Fprintf(w, "Learned patterns against the hand-set rules, 50 ms a move, random openings of 8 discs: %s, score %.0f %% [%.0f, %.0f], %+.1f discs a game.\n",
			text.Plural(m.Games, "game"), 100*m.Score, 100*m.Low, 100*m.High, m.Discs)
	}
}

func solveTable(w io.Writer, r benchRecord) {
	names, rows := rowsOf(r, "Solve/")
	fmt.Fprintln(w, "| FForum positions | s | million nodes | million nodes a second |\n| --- | ---: | ---: | ---: |")
	for _, name := range names {
		if row := rows[name]; !strings.Contains(name, "without") {
			fmt.Fprintf(w, "| %s | %s | %s | %.1f |\n", name, interval(row), three(float64(row.Nodes)/1e6), float64(row.Nodes)/row.Median/1e6)
		}
	}
}

func ablationTable(w io.Writer, r benchRecord) {
	_, all := rowsOf(r, "Solve/set=40/")
	base := all["eval=learned"]
	fmt.Fprintln(w, "| left out | nodes, times | time, times |\n| --- | ---: | ---: |")
	names, rows := rowsOf(r, "Solve/set=40/without=")
	for _, name := range names {
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, three(float64(rows[name].Nodes)/float64(base.Nodes)), three(rows[name].Median/base.Median))
	}
}

func midgameTable(w io.Writer, r benchRecord) {
	names, rows := rowsOf(r, "Midgame/depth=10/")
	var groups []float64
	for _, name := range names {
		groups = append(groups, rows[name].Median)
	}
	slices.Sort(groups)
	if n := len(groups); n > 0 {
		fmt.Fprintf(w, "Depth 10 takes %s ms, the median of %d groups of five positions (%s to %s).\n\n",
			three((groups[(n-1)/2]+groups[n/2])/2), n, three(groups[0]), three(groups[n-1]))
	}
	names, rows = rowsOf(r, "Midgame/depth=6/without=")
	base := rows["none"]
	fmt.Fprintln(w, "| left out | nodes, times | time, times |\n| --- | ---: | ---: |")
	for _, name := range names {
		fmt.Fprintf(w, "| %s | %s | %s |\n", name, three(float64(rows[name].Nodes)/float64(base.Nodes)), three(rows[name].Median/base.Median))
	}
}

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

func interval(r suite.Row) string {
	if r.Samples < 2 {
		return three(r.Median)
	}
	return fmt.Sprintf("%s [%s, %s]", three(r.Median), three(r.Low), three(r.High))
}
