package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/golden"
)

func TestGateReport(t *testing.T) {
	g, err := Gate(exampleComparison(t, "old", "new"), DefaultRule())
	if err != nil {
		t.Fatal(err)
	}
	for format, ending := range map[string]string{"text": "txt", "markdown": "md", "json": "json"} {
		var out bytes.Buffer
		if err := g.Write(&out, format); err != nil {
			t.Error(err)
		}
		golden.Check(t, "compare/gate."+ending, out.Bytes())
	}
	if err := g.Write(&bytes.Buffer{}, "html"); err == nil {
		t.Error("writes html")
	}
	var names []string
	for _, row := range g.With(verdict.Regression) {
		names = append(names, row.Benchmark+" "+row.Unit)
	}
	want := "Parse-4 allocs/op, Turn/board=array16/eval=scalar-4 sec/turn, Game/board=bits/eval=incremental-4 us/game, " +
		"Parse-4 B/op"
	if got := strings.Join(names, ", "); got != want || g.Verdict != verdict.Regression {
		t.Errorf("%s: %s, want %s", g.Verdict, got, want)
	}
	if !strings.Contains(strings.Join(g.Notes, "\n"), `not judged: the better direction is unknown: text-bytes`) {
		t.Errorf("notes %q", g.Notes)
	}
}

func TestGateVerdictIsTheWorst(t *testing.T) {
	tests := []struct {
		old, new string
		want     verdict.Verdict
	}{
		{"old", "old", verdict.Pass},
		{"new", "new", verdict.Pass},
		{"old", "new", verdict.Regression},
	}
	for _, test := range tests {
		g, err := Gate(exampleComparison(t, test.old, test.new), DefaultRule())
		if err != nil {
			t.Fatal(err)
		}
		if g.Verdict == verdict.Undecided && test.want == verdict.Pass && len(g.With(verdict.Regression)) == 0 {
			continue // ten samples with spikes may be too few to pass
		}
		if g.Verdict != test.want {
			t.Errorf("%s to %s: %s, want %s", test.old, test.new, g.Verdict, test.want)
		}
	}
	few := compareTexts(t, Options{}, "BenchmarkA 1 1 ns/op\nBenchmarkA 1 1 ns/op\n", "BenchmarkA 1 9 ns/op\nBenchmarkA 1 9 ns/op\n")
	g, err := Gate(few, DefaultRule())
	if err != nil || g.Verdict != verdict.Undecided {
		t.Errorf("two samples: %+v, %v", g, err)
	}
	var out bytes.Buffer
	if err := g.Write(&out, "json"); err != nil {
		t.Fatal(err)
	}
	var report struct {
		Verdict verdict.Verdict
		Rows    []struct {
			Detectable *float64
			Reason     string
			Needed     int `json:"samples_needed"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if report.Verdict != verdict.Undecided || report.Rows[0].Detectable != nil || report.Rows[0].Needed != experiment.DefaultCount ||
		report.Rows[0].Reason != "2 and 2 samples, at least 4 a side are needed" {
		t.Errorf("%+v", report)
	}
}

func TestGateNeedsADirection(t *testing.T) {
	text := "BenchmarkA 1 1 thing\nBenchmarkA 1 1 thing\nBenchmarkA 1 1 thing\nBenchmarkA 1 1 thing\n"
	_, err := Gate(compareTexts(t, Options{}, text, text), DefaultRule())
	if err == nil || !strings.Contains(err.Error(), `"Unit thing better=lower"`) {
		t.Errorf("error %v", err)
	}
	g, err := Gate(compareTexts(t, Options{}, "Unit thing better=higher\n"+text, text), DefaultRule())
	if err != nil || g.Verdict != verdict.Pass || g.Rows[0].Better != 1 {
		t.Errorf("%+v, %v", g, err)
	}
}

// What only repeats a measurement in another unit is judged once; what does not, or
// means something else, is judged.
func TestDerivedUnitsAreJudgedOnce(t *testing.T) {
	var text strings.Builder
	for _, ns := range []float64{100, 103, 99, 101, 102, 100} {
		fmt.Fprintf(&text, "BenchmarkA 1 %v ns/op %.5g MB/s %v ns/half %v B/op %v cycles/op\n", ns, 1e5/ns, ns/2, 2*ns, ns*ns)
	}
	header := "Unit B/op better=higher\nUnit cycles/op better=lower\n"
	g, err := Gate(compareTexts(t, Options{}, header+text.String(), text.String()), DefaultRule())
	if err != nil {
		t.Fatal(err)
	}
	var units []string
	for _, row := range g.Rows {
		units = append(units, row.Unit)
	}
	if got := strings.Join(units, " "); got != "sec/op B/op cycles/op" {
		t.Errorf("judged %s, want sec/op, B/op, where more is said to be better, and cycles/op", got)
	}
	want := "B/s is sec/op in another unit, and was not judged beside it"
	if !slices.Contains(g.Notes, want) || len(g.Notes) != 2 {
		t.Errorf("notes %q, want %q and that of sec/half", g.Notes, want)
	}
}
