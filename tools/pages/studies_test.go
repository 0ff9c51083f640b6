package main

import (
	"io"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/tools/study"
)

// A study has its chart with a line for each value of its key, its best run, and the command that goes on.
func TestStudies(t *testing.T) {
	var rows []record.Row
	for name, median := range map[string]float64{"lambda=0/rate=0.01": 0.5, "lambda=0/rate=0.1": 0.7, "lambda=0.7/rate=0.01": 0.25} {
		r := row(study.Suite, "Study/study=lambda-rate/"+name, "points/decision", median)
		p := *r.Provenance
		p.Command = "ur train td " + name
		r.Provenance, r.Metrics = &p, map[string]float64{"cpu_seconds": 4}
		rows = append(rows, r)
	}
	page := testkit.Written(t, func(w io.Writer) error { return writeStudies(w, rows) })
	testkit.WantText(t, page, "Best of 3 runs: lambda 0.7, rate 0.01, regret, points 0.250 (`lambda-rate`, 12 s).",
		"](plots/study-lambda-rate.svg)", "Not measured; `go run ./tools/records measure study hidden-units` measures it.")
	files := studyCharts(rows)
	testkit.FatalIf(t, len(files) != 1 || files[0].name != "docs/plots/study-lambda-rate.svg", "%d charts", len(files))
	testkit.WantText(t, string(files[0].data), ">lambda 0<", ">lambda 0.7<", "lambda 0, rate 0.1: 0.7")
}

// A second figure of a study is drawn from the metrics of its rows, and shares of games won have their Elo.
func TestSecondFigure(t *testing.T) {
	r := row(study.Suite, "Study/study=brain-games/method=fit/games=3000", "wins/game", 0.75)
	r.Metrics = map[string]float64{"regret": 0.125}
	page := testkit.Written(t, func(w io.Writer) error { return writeStudies(w, []record.Row{r}) })
	testkit.WantText(t, page, "Best of 1 runs: method fit, games 3000, games won, % 75.0 (`brain-games`, 0 s).", " Elo from left to right, method fit: +191.",
		"Best of 1 runs: method fit, games 3000, regret, points 0.125 (the runs of `brain-games`, 0 s).", "](plots/study-brain-regret.svg)")
}

// The names of studies choose no runs of other studies, and every run has an abscissa.
func TestStudyNames(t *testing.T) {
	names := map[string]bool{}
	known := map[string]bool{}
	for _, s := range study.List() {
		known[s.Name] = true
		if s.Runs == nil {
			testkit.Equal(t, known[s.Figure.Of], true, "%s: the study %q of its rows", s.Name, s.Figure.Of)
			continue
		}
		for _, r := range s.Runs(1) {
			isMetric := s.X == "cpu_seconds"
			if !strings.Contains("/"+r.Keys, "/"+s.X+"=") && !isMetric || !strings.Contains("/"+r.Keys, "/"+s.Lines+"=") {
				t.Errorf("%s: %s has no key %s or %s", s.Name, r.Keys, s.X, s.Lines)
			}
			if name := s.Name + "/" + r.Keys; names[name] {
				t.Errorf("two runs are named %s", name)
			} else {
				names[name] = true
			}
		}
	}
}
