package commithistory

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// store writes a step in which benchmark A changes by a part, and B does not.
func store(t *testing.T, dir, base, head, date string, change float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(len(date)), uint64(head[0])))
	var out strings.Builder
	fmt.Fprintf(&out, "base: %s\nhead: %s\ndate: %s\n", base, head, date)
	for _, side := range []string{"old", "new"} {
		fmt.Fprintf(&out, "side: %s\npkg: x.org/a\n", side)
		for range 20 {
			a := 100 * math.Exp(0.005*rng.NormFloat64())
			if side == "new" {
				a *= 1 + change
			}
			fmt.Fprintf(&out, "BenchmarkA 10 %f ns/op\nBenchmarkB 10 %f ns/op\n", a, 50*math.Exp(0.005*rng.NormFloat64()))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, date+".txt"), []byte(out.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The steps are a chain whatever their dates, and the point of change is found.
func TestHistory(t *testing.T) {
	dir := t.TempDir()
	store(t, dir, "bbbb", "cccc", "20260101T000000Z", 0.10)
	store(t, dir, "aaaa", "bbbb", "20260102T000000Z", 0)
	store(t, dir, "cccc", "dddd", "20260103T000000Z", -0.05)
	steps, err := Read(dir, verdict.DefaultRule())
	if err != nil {
		t.Fatal(err)
	}
	if steps[0].Head != "bbbb" || steps[1].Head != "cccc" || steps[2].Head != "dddd" {
		t.Fatalf("order %s, %s, %s", steps[0].Head, steps[1].Head, steps[2].Head)
	}
	series := Follow(steps)
	if len(series) != 2 || series[0].Benchmark != "x.org/a.A" || len(series[1].Points) != 0 {
		t.Fatalf("%+v", series)
	}
	points := series[0].Points
	if len(points) != 2 || points[0].Step != 1 || points[0].Verdict != verdict.Slower || points[1].Verdict != verdict.Faster {
		t.Errorf("points %+v", points)
	}
	if last := series[0].Relative[2]; math.Abs(last-1.1*0.95) > 0.02 {
		t.Errorf("relative time %v, want about 1.045", last)
	}
	var out bytes.Buffer
	if err := Write(&out, steps, series); err != nil || !strings.Contains(out.String(), "cccc +") {
		t.Errorf("%v\n%s", err, &out)
	}
	if svg := Chart(steps, series); !bytes.Contains(svg, []byte("dddd")) {
		t.Error("the chart lacks a commit")
	}
}

func TestHistoryOfOtherFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Read(dir, verdict.DefaultRule()); err == nil {
		t.Error("an empty folder has a history")
	}
	if err := os.WriteFile(filepath.Join(dir, "x.txt"), []byte("BenchmarkA 1 2 ns/op\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir, verdict.DefaultRule()); err == nil || !strings.Contains(err.Error(), "not a stored result") {
		t.Errorf("error %v", err)
	}
}

// A pair of commits without changed code has no samples, and two runs of a pair are one step.
func TestHistoryOfEmptyAndRepeatedSteps(t *testing.T) {
	dir := t.TempDir()
	empty := "base: aaaa\nhead: bbbb\ndate: 0\nside: old\n# ur bench ab\nside: new\n"
	if err := os.WriteFile(filepath.Join(dir, "0.txt"), []byte(empty), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, more := range []int{0, 1, 2} {
		if more > 0 {
			store(t, dir, "bbbb", "cccc", fmt.Sprint(more), 0.1)
		}
		steps, err := Read(dir, verdict.DefaultRule())
		if err != nil || len(steps) != 1+min(more, 1) || steps[0].Changes == nil {
			t.Fatalf("%+v, %v", steps, err)
		}
		series := Follow(steps)
		if svg := Chart(steps, series); !bytes.Contains(svg, []byte("bbbb")) {
			t.Error("the chart lacks a commit")
		}
		if err := Write(new(bytes.Buffer), steps, series); err != nil {
			t.Error(err)
		}
		if more > 0 && (math.Abs(series[0].Relative[1]-1.1) > 0.02 || steps[1].Changes[0].N != 20*more) {
			t.Errorf("after %d runs: %+v", more, series)
		}
	}
}
