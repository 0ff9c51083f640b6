package ab

import (
	"math"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// A line of a binary with the overlay has exact figures; without it, those that Go prints.
func TestNewSample(t *testing.T) {
	lines := parseLines("BenchmarkA 100 12.0 ns/op 1250 ur-wall-ns 900 ur-cpu-ns 5000 ur-run-ns 2000 ur-busy-ns 9000 ur-queued-ns" +
		" 2 ur-pairs 1 ur-parallel 3.14159265 ur:ns/eval 3.142 ns/eval 16 B/op\nBenchmarkB 10 50 ns/op\n")
	a, b := newSample(lines[0]), newSample(lines[1])
	if math.Abs(a.wall-12.5e-9) > 1e-18 || math.Abs(a.cpu-9e-9) > 1e-18 || !a.parallel || a.pairs != 2 || a.custom["ns/eval"] != 3.14159265 {
		t.Errorf("%+v", a)
	}
	if a.run != 5*time.Microsecond || a.queued != 3*time.Microsecond {
		t.Errorf("ran for %v, queued for %v", a.run, a.queued)
	}
	if !math.IsNaN(b.cpu) || math.Abs(b.wall-50e-9) > 1e-18 || b.run != 500 {
		t.Errorf("%+v", b)
	}
	for _, f := range a.line.figures {
		if f.unit != "ns/op" && f.unit != "ns/eval" && f.unit != "B/op" {
			t.Errorf("the printed line has %v", f)
		}
	}
}

// The CPU's clock is for benchmarks that are busy, even where they wait for a core; a time
// of ReportMetric follows it where it is computed from the timer.
func TestClocks(t *testing.T) {
	r := &runner{options: DefaultOptions()}
	with := func(cpu, wall float64, busy, queued, run time.Duration) [][2]sample {
		s := sample{line: line{iterations: 1000}, cpu: cpu, wall: wall, busy: busy, queued: queued, run: run, custom: map[string]float64{"ns/x": wall * 3e9}}
		return [][2]sample{{s, s}}
	}
	b := &benchmark{procs: 1}
	for name, c := range map[string]struct {
		seen [][2]sample
		want Clock
	}{
		"quiet":          {with(1e-6, 1e-6, 1e6, 0, 1e6), CPU},
		"queued":         {with(1e-6, 4e-6, 1e6, 3e6, 4e6), CPU},
		"sleeps":         {with(1e-6, 1e-4, 1e6, 1e6, 1e8), Wall},
		"sleeps, queued": {with(1e-6, 4e-6, 1e5, 2e6, 4e6), Wall},
		"too short":      {with(1e-9, 1e-9, 1e6, 0, 1e6), Wall},
	} {
		if got := r.clockOf(b, c.seen); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	seen := append(with(1, 2, 0, 0, 0), with(1, 5, 0, 0, 0)...)
	if !followsTimer(seen, "ns/x") {
		t.Error("a metric in proportion to the timer does not follow it")
	}
	seen[0][0].custom["ns/x"] *= 1.1
	if followsTimer(seen, "ns/x") {
		t.Error("a metric of its own follows the timer")
	}
}

// Memory is compared exactly where it is steady, has a floor where the user gave one, and
// does not fail by chance.
func TestMemory(t *testing.T) {
	r := &runner{options: DefaultOptions()}
	for _, limit := range []string{"allocs/op=0", "B/op=16B"} {
		if err := r.options.ParseLimit(limit); err != nil {
			t.Fatal(err)
		}
	}
	plain := &runner{options: DefaultOptions()}
	same := func(x float64) []float64 { return []float64{x, x, x, x, x} }
	for _, c := range []struct {
		r             *runner
		unit          string
		before, after []float64
		code          Code
		want          verdict.Verdict
	}{
		{r, "allocs/op", same(100), same(101), ChangedCode, verdict.Slower},
		{plain, "allocs/op", same(100), same(101), ChangedCode, verdict.NotSlower},
		{plain, "allocs/op", same(0), same(1), ChangedCode, verdict.Slower},
		{r, "B/op", same(10), same(24), ChangedCode, verdict.NotSlower},
		{r, "B/op", same(10), same(32), ChangedCode, verdict.Slower},
		{plain, "B/op", []float64{1, 2, 1, 2, 2}, []float64{1, 1, 1, 2, 1}, ChangedCode, verdict.NotSlower},
		{plain, "B/op", same(10), same(32), SameCode, verdict.Layout},
		{plain, "B/op", same(10), same(9), ChangedCode, verdict.Faster},
		{plain, "B/op", same(10), same(10), ChangedCode, verdict.Identical},
	} {
		m := memory{[2][]float64{c.before, c.after}}
		if row, ok := m.row(c.r, &benchmark{code: c.code}, c.unit); !ok || row.Verdict != c.want {
			t.Errorf("%s, %v to %v: %s, want %s", c.unit, c.before, c.after, row.Verdict, c.want)
		}
	}
}

// A slower row stays slower where its second measurement is above the limit as well.
func TestJudgeAgain(t *testing.T) {
	for change, want := range map[float64]verdict.Verdict{1.06: verdict.Slower, 1.01: verdict.Undecided} {
		f := verdict.Family{Rule: verdict.DefaultRule()}
		j := &judged{row: f.Add(false), again: f.Add(false)}
		for k := range verdict.FirstLook {
			if err := j.again.Add(1, change*(1+0.001*float64(k%3))); err != nil {
				t.Fatal(err)
			}
		}
		f.Look(true)
		out := Row{Verdict: verdict.Slower, Rounds: 20}
		if j.judgeAgain(&out); out.Verdict != want {
			t.Errorf("%v times as long when measured again: %s, want %s", change, out.Verdict, want)
		}
	}
}
