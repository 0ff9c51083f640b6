package bench

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/golden"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// exampleRows are the rows of one engine: a time and a ratio for each level, each with
// the ends of its interval.
func exampleRows(engine string, lanes int, times, ratios [][3]float64) []Row {
	var rows []Row
	for i, level := range Levels() {
		row := Row{
			Engine: engine, Level: level, Unit: level.Unit(), Samples: 20,
			Median: times[i][0], Lo: times[i][1], Hi: times[i][2],
			Ratio: ratios[i][0], RatioLo: ratios[i][1], RatioHi: ratios[i][2],
			Lanes: lanes, Bytes: 1000 * (1 + i) * (1 + lanes),
		}
		if level == Turn {
			row.NsPerCandidate = row.Median / 2
		}
		rows = append(rows, row)
	}
	return rows
}

// exampleResults are of a machine that does not exist.
func exampleResults() Results {
	return Results{
		Schema:   "ur.bench/1",
		CPU:      "Example 9000",
		Features: []ur.Feature{ur.AVX2},
		Go:       "go1.26.0",
		Commit:   "0123456789abcdef0123456789abcdef01234567+dirty",
		Seed:     1,
		Baseline: Baseline,
		Rows: slices.Concat(
			exampleRows(Baseline, 0, [][3]float64{{217.3, 216, 219}, {612.4, 610, 615}, {140.2, 139.9, 141}, {141.7, 141, 142}},
				[][3]float64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}),
			exampleRows("array8/scalar", 0, [][3]float64{{216.9, 215, 219}, {640.1, 638, 645}, {147.5, 147, 148}, {149, 148, 150}},
				[][3]float64{{0.998, 0.989, 1.004}, {1.045, 1.041, 1.049}, {1.0521, 1.049, 1.0552}, {1.0515, 1.048, 1.0549}}),
			exampleRows("lanes/avx2", 16, [][3]float64{{11.8, 11.6, 12.1}, {4.45, 4.4, 4.5}, {0.8132, 0.81, 0.82}, {0.99, 0.98, 1}},
				[][3]float64{{0.0543, 0.05341, 0.0557}, {0.007267, 0.0072, 0.00731}, {0.0058, 0.00577, 0.00585}, {0.00699, 0.0069, 0.0071}}),
		),
		OS:        "linux",
		Arch:      "amd64",
		Workload:  "4 positions, 2 games by turns, 3 games, of seed 1",
		Corpus:    "00c0ffee00c0",
		Signature: "0123456789abcdef",
		BenchTime: "25ms",
		Seconds:   12.5,
		Skipped:   []Skipped{{"lanes/avx512", "needs AVX512BW, which this CPU does not have"}},
	}
}

func TestLadderAsText(t *testing.T) {
	var out bytes.Buffer
	exampleResults().WriteText(&out)
	golden.Check(t, "ladder.txt", out.Bytes())
}

func TestLadderOfOneLevel(t *testing.T) {
	results := exampleResults()
	results.Rows = slices.DeleteFunc(results.Rows, func(r Row) bool { return r.Level != Turn })
	results.Skipped, results.Commit, results.Interrupted = nil, "", true
	var out bytes.Buffer
	results.WriteText(&out)
	golden.Check(t, "ladder_turn.txt", out.Bytes())
}

func TestLadderAsMarkdown(t *testing.T) {
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

func TestFormatFigure(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want string
	}{{1234.5, "1234"}, {217.3, "217"}, {11.84, "11.8"}, {1.0521, "1.05"}, {0.998, "0.998"}, {0.0543, "0.0543"}, {0.00012, "0.000120"}, {0.09997, "0.100"}, {99.97, "100"}} {
		if got := text.Figure(test.x); got != test.want {
			t.Errorf("text.Figure(%v) is %q, want %q", test.x, got, test.want)
		}
	}
	for _, test := range []struct {
		x    float64
		want string
	}{{7, "7"}, {999.6, "1,000"}, {7142, "7,142"}, {1234567.8, "1,234,568"}, {123456, "123,456"}} {
		if got := text.Count(test.x); got != test.want {
			t.Errorf("text.Count(%v) is %q, want %q", test.x, got, test.want)
		}
	}
}
