package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/tools/study"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// rowsOf returns a report's rows of JSON, with its seed.
func rowsOf(r toolReport, output string) ([]record.Row, uint64, error) {
	var results record.Results
	err := r.addRows([]byte(output), &results)
	return results.Rows, results.Seed, err
}

// A row has the numbers of the object and of an item of its list. Objects without the list have none.
func TestReportRows(t *testing.T) {
	r := toolReport{rows: func(o object) ([]record.Row, error) {
		f := study.Figure{List: "curve", Paths: []string{"regret"}, Unit: "points/decision"}
		return studyRows(o, "Study/kind=${kind}/games=${games}", f)
	}}
	rows, seed, err := rowsOf(r, `{"seed":7,"rates":[1]}
		{"kind":"80x8","point":{"rate":0.03},"games":9,"curve":[{"games":2,"regret":1.5},{"games":4,"regret":0.5,"wins":[3,1]}]}`)
	testkit.FatalIf(t, err != nil || seed != 7 || len(rows) != 2, "%v, seed %d, %+v", err, seed, rows)
	want := record.Row{
		Name: "Study/kind=80x8/games=4", Unit: "points/decision", Samples: 1, Median: 0.5, Lo: 0.5, Hi: 0.5,
		Metrics: map[string]float64{"games": 4},
	}
	testkit.Equal(t, rows[1], want, "row")
	match := matchReport("Match", "a b", "").describe(func(row *record.Row) error { row.Note = "x"; return nil })
	rows, _, err = rowsOf(match, `{"score":0.5,"score_lo":0.25,"score_hi":0.75,"luck":{"share":[2,1]}}`)
	want = record.Row{Name: "Match", Unit: "wins/game", Samples: 1, Median: 0.5, Lo: 0.25, Hi: 0.75, Note: "x",
		Metrics: map[string]float64{"luck.share.0": 2, "luck.share.1": 1}}
	testkit.Equal(t, rows, []record.Row{want}, "rows, error %v", err)
	_, _, err = rowsOf(match, `{"score":0.5}`)
	testkit.WantError(t, err, "no number score_", "an output without an interval")
}

// The instructions of engines have no other figures.
func TestCountedRows(t *testing.T) {
	rows, seed, err := rowsOf(countReports()[0], `{"seed":3,"counter":"perf events","rows":[
		{"name":"Value/a","metrics":{"instructions/eval":12.5,"x":1}},{"name":"Value/b","metrics":{"x":1}}]}`)
	want := []record.Row{{Name: "Value/a", Unit: "instructions/eval", Samples: 1, Median: 12.5, Lo: 12.5, Hi: 12.5, Note: "perf events"}}
	testkit.NoError(t, err)
	testkit.Equal(t, rows, want, "rows, seed %d", seed)
}

// The numbers of a tree have their paths as names.
func TestFigures(t *testing.T) {
	got := make(map[string]float64)
	addFigures(got, "", map[string]any{"a": map[string]any{"b": 1.0, "text": "x"}, "c": []any{2.0, nil, []any{3.0}},
		"yes": true})
	testkit.Equal(t, got, map[string]float64{"a.b": 1, "c.0": 2, "c.2.0": 3}, "figures")
}

// A comparison of timed parts keeps the times of benchmarks.
func TestTimedRows(t *testing.T) {
	var c comparison
	testkit.NoError(t, json.Unmarshal([]byte(`{"load":[1.5,2],"seconds":99.123456,"rows":[
		{"name":"x.A","unit":"sec/op","old":2e-6,"new":1.75e-6,"delta":-0.123456,"lo":-0.2,"n":20,"verdict":"faster"},
		{"name":"x.A","unit":"B/op","delta":null,"n":20}, {"name":"x.B","unit":"sec/op","delta":0,"lo":0,"hi":0,"n":0}]}`), &c))
	want := []record.Row{{
		Name: "Timed/run=2/benchmark=x.A", Unit: "change", Samples: 20, Median: -0.1235, Lo: -0.2, Hi: 1e3,
		Note:    "faster",
		Metrics: map[string]float64{"old": 2e-6, "new": 1.75e-6, "claimed": 0.3, "load": 2, "seconds": 99.1235},
	}}
	testkit.Equal(t, timedRows("Timed/run=2/benchmark=", c), want, "rows")
}

// Every report of a suite has a name of its own, and a command that can be split.
func TestReportsHaveNames(t *testing.T) {
	for _, s := range suites(1) {
		names := make(map[string]bool)
		for _, r := range s.reports {
			_, err := process.SplitWords(r.command, func(string) string { return "x" })
			testkit.ErrorIf(t, err != nil || names[r.command+r.name], "%+v: %v", r, err)
			names[r.command+r.name] = true
		}
	}
}

// The marks of stale rows know where each suite of "ur bench run" begins.
func TestBenchSuitesHaveRoots(t *testing.T) {
	for _, s := range suites(1) {
		for _, r := range s.reports {
			if strings.HasPrefix(r.command, "ur bench run ") && benchRoots[s.name] == "" {
				t.Errorf("suite %s has no root for %q", s.name, r.command)
			}
		}
	}
}

// Words choose the reports of a suite, or of a rule set with its table, and no others.
func TestReportsAreChosenByWords(t *testing.T) {
	chosen := func(words ...string) (n int) {
		for _, s := range suites(1) {
			for _, r := range s.reports {
				if r.has(words) {
					n++
				}
			}
		}
		return n
	}
	for words, want := range map[string]int{"masters": len(rulesReports()) / len(board.List()),
		"limits": len(limitReports()), "masters limits": 0} {
		testkit.Equal(t, chosen(strings.Fields(words)...), want, "%s: reports", words)
	}
	testkit.ErrorIf(t, chosen() < 100, "no words do not choose all reports")
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                  "usage: records stale",
		"fit":               "usage: records stale",
		"players modern":    "the words choose none of 12 commands",
		"trials -no-such 1": "flag provided but not defined",
	} {
		testkit.WantError(t, run(t.Context(), strings.Fields(args)), want, "%q", args)
	}
}

// commitAll commits all files of the working folder, and returns the commit.
func commitAll(t *testing.T) string {
	t.Helper()
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("git")))
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	for _, args := range []string{"init -q", "add -A", "-c user.name=n -c user.email=e commit -q -m m"} {
		testkit.Run(t, exec.Command("git", strings.Fields(args)...))
	}
	return strings.TrimSpace(testkit.Run(t, exec.Command("git", "rev-parse", "HEAD")))
}

// A row is stale if a declaration that its command reaches has changed since its commit.
func TestStale(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.WriteText(t, "go.mod", "module example.com/m\n")
	lost := commitAll(t)
	testkit.Run(t, exec.Command("git", "update-ref", "-d", "HEAD")) // as before an amendment
	testkit.WriteText(t, "solve/solve.go",
		"package solve\n\nfunc Solve() int { return help() }\nfunc help() int { return 1 }\nfunc Other() {}\n")
	commit := commitAll(t)
	row := func(command, commit, note string) record.Row {
		e := record.Environment{CPU: "c", Arch: "amd64", Go: "go1.26.8", Commit: commit, Command: command,
			Date: "2026-11-26T00:00:00Z"}
		return record.Row{Suite: "solve", Name: command, Unit: "s", Note: note,
			Provenance: &record.Provenance{Environment: e, Took: 90}}
	}
	missing := strings.Repeat("1", 40)
	rows := []record.Row{row("ur solve", commit, ""), row("ur gone", commit, ""), row("ur solve", "", ""),
		row("ur solve", "", "published: x"),
		row("ur solve", commit+"+dirty", ""), row("ur solve", missing, ""), row("ur solve", lost, "")}
	reasons := []string{"", "the command is gone", "no commit is known", "", "the tree had uncommitted changes",
		"its commit is not in this history", "its commit is not in this history"}
	check := func(want ...string) {
		t.Helper()
		testkit.Equal(t, testkit.Must(mark(t.Context(), rows))(t), want, "reasons")
	}
	check(reasons...)
	testkit.WriteText(t, "solve/solve.go", "package solve\n\n// Solve solves.\nfunc Solve() int { return help() }\n"+
		"func help() int { return 1 }\nfunc Other() { panic(1) }\n")
	check(reasons...)
	solves := toolReport{suite: "solve", command: "ur solve"}
	testkit.ErrorIf(t, !solves.isFresh(rows[:1]) || solves.isFresh(nil) || solves.lastTime(rows).Seconds() != 90,
		"a report with fresh rows is measured again")
	again := toolReport{suite: "solve", command: "ur solve", name: "Run/run=2/${name}"}
	testkit.Equal(t, again.isFresh(rows[:1]), false, "the rows of one run of a command count as those of another")
	testkit.WriteText(t, "solve/solve.go", "package solve\n\nfunc Solve() int { return help() }\nfunc help() int { return 2 }\n")
	reasons[0] = "solve.help has changed"
	check(reasons...)
	testkit.Equal(t, solves.isFresh(rows[:1]), false, "a report with stale rows is fresh")
	groups := groupStale(rows[:4])
	testkit.MustEqual(t, len(groups), 2, "groups")
	testkit.ErrorIf(t, len(groups[0].Rows) != 2 || !groups[0].Has(rows[0]) || groups[0].Has(rows[1]), "%+v", groups)
}

// The code of a row is that of the Go it was measured with: its release and its experiments choose files.
func TestStaleByRelease(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.WriteText(t, "go.mod", "module example.com/m\n")
	testkit.WriteText(t, "solve/plain.go", "//go:build !goexperiment.simd\n\npackage solve\n\nfunc Solve() {}\n")
	vectors := "//go:build goexperiment.simd && go1.27\n\npackage solve\n\nfunc Solve() { println(%q) }\n"
	testkit.WriteText(t, "solve/simd.go", fmt.Sprintf(vectors, "before"))
	commit := commitAll(t)
	testkit.WriteText(t, "solve/simd.go", fmt.Sprintf(vectors, "after"))
	row := func(version string) record.Row {
		e := record.Environment{Arch: "amd64", Go: version, Commit: commit, Command: "ur solve"}
		return record.Row{Suite: "solve", Provenance: &record.Provenance{Environment: e}}
	}
	want := []string{"solve.Solve has changed", "", "no declaration solve.Solve at its commit"}
	rows := []record.Row{row("go1.27.4-X:simd"), row("go1.27.4"), row("go1.26.8-X:simd")}
	testkit.Equal(t, testkit.Must(mark(t.Context(), rows))(t), want, "reasons")
}

// The file of stale rows is right after it is written, and wrong after a change; nothing is stale once
// stale rows are removed.
func TestFindStale(t *testing.T) {
	t.Chdir(t.TempDir())
	testkit.WriteText(t, "go.mod", "module example.com/m\n")
	testkit.WriteText(t, "solve/solve.go", "package solve\n\nfunc Solve() int { return 1 }\n")
	e := record.Environment{CPU: "c", Arch: "amd64", Commit: commitAll(t), Command: "ur solve",
		Date: "2026-11-26T00:00:00Z"}
	results := record.NewResults(e, 1)
	results.Rows = []record.Row{{Suite: "solve", Name: "Solve", Unit: "s", Samples: 1, Median: 1, Lo: 1, Hi: 1}}
	testkit.Must(record.Keep("results", results))(t)
	find := func(o staleOptions) error { t.Helper(); return findStale(t.Context(), "results", o) }
	testkit.NoError(t, find(staleOptions{}))
	testkit.NoError(t, find(staleOptions{check: true}))
	testkit.WriteText(t, "solve/solve.go", "package solve\n\nfunc Solve() int { return 2 }\n")
	testkit.WantError(t, find(staleOptions{check: true}), "", "a check of a stale row")
	testkit.WantError(t, find(staleOptions{strict: true}), "", "a strict search that finds a stale row")
	testkit.NoError(t, find(staleOptions{remove: true, suites: []string{"search"}}))
	rows := testkit.Must(record.Read("results"))(t)
	testkit.MustEqual(t, len(rows), 1, "rows left where those of another suite are removed")
	other := results
	other.CPU = "d"
	other.Rows = []record.Row{{Suite: "solve", Name: "Published", Unit: "s", Note: "published: x"}}
	testkit.Must(record.Keep("results", other))(t)
	testkit.NoError(t, find(staleOptions{remove: true}))
	names, _ := filepath.Glob("results/*/*.json")
	testkit.Equal(t, len(names), 1, "number of files that are left, %q", names)
}

// The loop with most samples for its length is found: here the inner one.
func TestHottestLoop(t *testing.T) {
	list := parseInstructions([]byte(`
0000000000401000 <f>:
  401000:      	xorl	%eax, %eax
  401002:      	movl	$8, %ecx
  401005:      	addl	%ecx, %eax
  401007:      	decl	%ecx
  401009:      	jne	0x401005 <f+0x5>
  40100b:      	jmp	401002 <f+0x2>
  40100d:      	retq
`))
	testkit.FatalIf(t, len(list) != 7 || list[4].target != 0x401005 || list[5].target != 0x401002 ||
		list[0].target != 0, "%+v", list)
	loop := hottestLoop(list, map[uint64]int64{0x401005: 5, 0x401007: 4, 0x401002: 1})
	testkit.ErrorIf(t, len(loop) != 3 || loop[0].address != 0x401005, "%+v", loop)
	testkit.Equal(t, hottestLoop(list, nil), nil, "loop without samples")
}

func TestParseEstimate(t *testing.T) {
	const text = `
Iterations:        1000
Instructions:      4000
Total Cycles:      2510
Block RThroughput: 2.5

Cycles with backend pressure increase [ 48.07% ]
Throughput Bottlenecks:
  Resource Pressure       [ 47.77% ]
  - Zn3FP0  [ 40.00% ]
  Data Dependencies:      [ 0.30% ]
  - Register Dependencies [ 0.30% ]
  - Memory Dependencies   [ 0.00% ]
`
	want := map[string]float64{"instructions": 4, "cycles": 2.51, "throughput": 2.5, "resources": 47.77,
		"registers": 0.3, "memory": 0}
	testkit.Equal(t, parseEstimate([]byte(text), 1000), want, "estimate")
}
