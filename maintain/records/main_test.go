package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// A row has the numbers of the object and of an item of its list. Objects without the list have none.
func TestReportRows(t *testing.T) {
	r := toolReport{list: "curve", name: "Study/kind=${kind}/games=${games}", figure: "regret",
		unit: "points/decision", note: "x"}
	rows, seed, err := r.rows([]byte(`{"seed":7,"rates":[1]}
		{"kind":"80x8","point":{"rate":0.03},"games":9,"curve":[{"games":2,"regret":1.5},{"games":4,"regret":0.5,"wins":[3,1]}]}`))
	if err != nil || seed != 7 || len(rows) != 2 {
		t.Fatalf("%v, seed %d, %+v", err, seed, rows)
	}
	want := record.Row{
		Name: "Study/kind=80x8/games=4", Unit: "points/decision", Samples: 1, Median: 0.5, Lo: 0.5, Hi: 0.5, Note: "x",
		Metrics: map[string]float64{"point.rate": 0.03, "games": 4, "wins.0": 3, "wins.1": 1},
	}
	if !reflect.DeepEqual(rows[1], want) {
		t.Errorf("%+v, want %+v", rows[1], want)
	}
	match := toolReport{name: "Match", figure: "score", lo: "score_lo", hi: "score_hi"}
	if rows, _, err := match.rows([]byte(`{"score":0.5,"score_lo":0.25,"score_hi":0.75,"seconds":1}`)); err != nil ||
		rows[0].Lo != 0.25 || rows[0].Hi != 0.75 || len(rows[0].Metrics) != 1 {
		t.Errorf("%+v, %v", rows, err)
	}
	if _, _, err := match.rows([]byte(`{"score":0.5}`)); err == nil ||
		!strings.Contains(err.Error(), "no number score_") {
		t.Errorf("an output without an interval: %v", err)
	}
}

// A comparison of timed parts keeps the times of benchmarks.
func TestTimedRows(t *testing.T) {
	rows, _, err := timedReports()[1].rows([]byte(`{"load":[1.5,2],"seconds":99.123456,"rows":[
		{"name":"x.A","unit":"sec/op","old":2e-6,"new":1.75e-6,"delta":-0.123456,"lo":-0.2,"n":20,"verdict":"faster"},
		{"name":"x.A","unit":"B/op","delta":null,"n":20}, {"name":"x.B","unit":"sec/op","delta":0,"lo":0,"hi":0,"n":0}]}`))
	want := []record.Row{{
		Name: "Timed/run=2/benchmark=x.A", Unit: "change", Samples: 20, Median: -0.1235, Lo: -0.2, Hi: 1e3,
		Note:    "faster",
		Metrics: map[string]float64{"old": 2e-6, "new": 1.75e-6, "claimed": 0.3, "load": 2, "seconds": 99.1235},
	}}
	if err != nil || !reflect.DeepEqual(rows, want) {
		t.Errorf("%+v, %v, want %+v", rows, err, want)
	}
}

// Every report has a name of its own, and a command that can be split.
func TestReportsHaveNames(t *testing.T) {
	for _, list := range [][]toolReport{levelReports(), playerReports(), rulesReports(), solveReports(),
		trainingReports(), matchReports(), timedReports()} {
		names := make(map[string]bool)
		for _, r := range list {
			if _, err := process.SplitWords(r.command, func(string) string { return "x" }); err != nil ||
				names[r.command+r.name] || r.unit == "" {
				t.Errorf("%+v: %v", r, err)
			}
			names[r.command+r.name] = true
		}
	}
}

// Words choose the reports of a suite, or of a rule set with its table, and no others.
func TestReportsAreChosenByWords(t *testing.T) {
	chosen := func(words ...string) (n int) {
		for _, s := range suites() {
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
		if n := chosen(strings.Fields(words)...); n != want {
			t.Errorf("%s: %d reports, want %d", words, n, want)
		}
	}
	if chosen() < 100 {
		t.Error("no words do not choose all reports")
	}
}

func TestBadArguments(t *testing.T) {
	for args, want := range map[string]string{
		"":                  "usage: records stale",
		"fit":               "usage: records stale",
		"players modern":    "the words choose none of 6 commands",
		"trials -no-such 1": "flag provided but not defined",
	} {
		if err := run(t.Context(), strings.Fields(args)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", args, err, want)
		}
	}
}
