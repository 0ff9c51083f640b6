package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

// exampleRows are the rows of one engine: a time and a ratio for each level, each with
// the ends of its interval.
func exampleRows(engine string, times, ratios [][3]float64) []Row {
	var rows []Row
	units := []string{"ns/eval", "ns/turn", "us/game", "us/game"}
	board, eval, _ := strings.Cut(engine, "/")
	for i, level := range []string{"value", "turn", "game", "match"} {
		name := []string{"Value", "Turn", "Game", "Match"}[i] + "/board=" + board + "/eval=" + eval
		row := Row{
			Suite: "engines", Name: name, Keys: Keys(name), Engine: engine, Level: level, Unit: units[i], Clock: CPUClock, BenchTime: "25ms",
			Samples: 20, Median: times[i][0], Lo: times[i][1], Hi: times[i][2], Baseline: "array16/scalar",
			Ratio: ratios[i][0], RatioLo: ratios[i][1], RatioHi: ratios[i][2],
			Metrics: map[string]float64{"bytes": float64(1000 * (1 + i))}, Signature: "0123456789abcdef",
		}
		switch level {
		case "turn":
			row.NsPerCandidate = row.Median / 2
		case "game", "match":
			row.Metrics["games/s"] = 1e6 / row.Median
		}
		rows = append(rows, row)
	}
	return rows
}

// exampleResults are of a machine that does not exist.
func exampleResults() Results {
	e := exampleEnvironment()
	e.Features, e.Commit, e.Command = []cpu.Feature{"AVX2"}, "0123456789abcdef0123456789abcdef01234567+dirty", "ur bench run"
	r := NewResults(e, 1)
	r.Rows = slices.Concat(
		exampleRows("array16/scalar", [][3]float64{{217.3, 216, 219}, {612.4, 610, 615}, {140.2, 139.9, 141}, {141.7, 141, 142}},
			[][3]float64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}),
		exampleRows("array8/scalar", [][3]float64{{216.9, 215, 219}, {640.1, 638, 645}, {147.5, 147, 148}, {149, 148, 150}},
			[][3]float64{{0.998, 0.989, 1.004}, {1.045, 1.041, 1.049}, {1.0521, 1.049, 1.0552}, {1.0515, 1.048, 1.0549}}),
		exampleRows("lanes/avx2", [][3]float64{{11.8, 11.6, 12.1}, {4.45, 4.4, 4.5}, {0.8132, 0.81, 0.82}, {0.99, 0.98, 1}},
			[][3]float64{{0.0543, 0.05341, 0.0557}, {0.007267, 0.0072, 0.00731}, {0.0058, 0.00577, 0.00585}, {0.00699, 0.0069, 0.0071}}),
	)
	r.Seconds = 12.5
	r.Work = map[string]map[string]string{"engines": {"corpus": "00c0ffee00c0"}}
	r.Skipped = []Skipped{{"lanes/avx512", "needs AVX512BW, which this CPU does not have"}}
	return r
}

// otherRows are of a suite whose lines are benchmarks, with several units.
func otherRows() []Row {
	return []Row{
		{Suite: "search", Name: "Search/algorithm=a/without=none", Unit: "us/search", Samples: 9, Median: 20, Lo: 19, Hi: 21,
			Baseline: "Search/algorithm=a/without=none", Ratio: 1, RatioLo: 1, RatioHi: 1, Metrics: map[string]float64{"nodes/search": 1234, "nodes/s": 5}},
		{Suite: "search", Name: "Regret/depth=2", Unit: "points/decision", Samples: 1, Median: 0.05, Lo: 0.05, Hi: 0.05},
	}
}

// pieceRows have a column for each number of pieces.
func pieceRows() (rows []Row) {
	for _, n := range []string{"1", "2", "3"} {
		name := "Value/board=a/eval=b/pieces=" + n
		rows = append(rows, Row{Suite: "pieces", Name: name, Keys: Keys(name), Unit: "ns/eval", Samples: 20, Median: 10, Lo: 9, Hi: 11})
	}
	return rows
}

func TestResultsAsText(t *testing.T) {
	var out bytes.Buffer
	exampleResults().WriteText(&out)
	golden.Check(t, "ladder.txt", out.Bytes())
	r := exampleResults()
	r.Rows, r.Skipped, r.Commit, r.Interrupted = slices.Concat(otherRows(), pieceRows()), nil, "", true
	out.Reset()
	r.WriteText(&out)
	golden.Check(t, "suites.txt", out.Bytes())
}

func TestResultsAsMarkdown(t *testing.T) {
	var out bytes.Buffer
	exampleResults().WriteMarkdown(&out)
	golden.Check(t, "ladder.md", out.Bytes())
}

func TestResultsAsJSON(t *testing.T) {
	out, err := json.MarshalIndent(exampleResults(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "results.json", append(out, '\n'))
}

func TestResultsAsCSV(t *testing.T) {
	r := exampleResults()
	r.Rows[2].Metrics["IPC"] = 2.469
	var out bytes.Buffer
	if err := r.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "ladder.csv", out.Bytes())
	if err := exampleResults().WriteCSV(brokenWriter{}); err == nil {
		t.Error("a full disk is no error")
	}
}

// brokenWriter is a disk that is full.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

// A figure that is the same every time has one sample, and no other benchmark fewer.
func TestFiguresAreMeasuredOnce(t *testing.T) {
	o := fakeOptions()
	n := 0
	f := &Figure{Benchmark: Benchmark{Name: "Regret/depth=2", Unit: "points/decision", Most: 1}}
	f.Measure = func(context.Context) (float64, error) {
		n++
		f.Annotate = func(row *Row) { row.Note = "measured" }
		return 0.5, nil
	}
	o.Samplers = []Sampler{f}
	run, err := Measure(t.Context(), o)
	if err != nil || n != 1 || len(run.Series[3].Samples) != 1 || len(run.Series[0].Samples) != 6 {
		t.Fatalf("measured %d times, %v", n, err)
	}
	r := NewResults(exampleEnvironment(), 1)
	r.Add("x", run, []Configuration{{"work", "5 things"}})
	row := r.Rows[3]
	if row.Median != 0.5 || row.Samples != 1 || row.Clock != "" || row.Note != "measured" || r.Work["x"]["work"] != "5 things" || r.Rows[0].Clock != WallClock && r.Rows[0].Clock != CPUClock {
		t.Errorf("%+v", r)
	}
	saved, err := ParseSaved(written(t, run))
	if err != nil {
		t.Fatal(err)
	}
	o.Resume, o.Count = saved, 8
	if run, err = Measure(t.Context(), o); err != nil || n != 1 || len(run.Series[3].Samples) != 1 || len(run.Series[0].Samples) != 8 {
		t.Errorf("resumed: measured %d times, %v", n, err)
	}
}
