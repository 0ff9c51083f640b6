package ab

import (
	"fmt"
	"math"
	"regexp"
	"slices"
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

// Rows of memory need the evidence of times: a difference in few rounds proves nothing. A floor
// is in the unit.
func TestMemory(t *testing.T) {
	floors := DefaultOptions()
	for _, limit := range []string{"allocs/op=0", "B/op=16B"} {
		if err := floors.ParseLimit(limit); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		o             Options
		unit          string
		rounds        int
		before, after float64
		noise         float64
		want          verdict.Verdict
	}{
		{floors, allocsUnit, 10, 100, 101, 0, verdict.Slower},
		{DefaultOptions(), allocsUnit, 10, 100, 101, 0, verdict.NotSlower},
		{DefaultOptions(), allocsUnit, 10, 0, 1, 0, verdict.Slower},
		{floors, bytesUnit, 10, 10, 24, 0, verdict.NotSlower},
		{floors, bytesUnit, 10, 10, 32, 0, verdict.Slower},
		{DefaultOptions(), bytesUnit, 1, 10, 32, 0, verdict.Undecided},
		{DefaultOptions(), bytesUnit, 5, 10, 32, 0, verdict.Undecided},
		{DefaultOptions(), bytesUnit, 12, 100, 104, 30, verdict.Undecided},
		{DefaultOptions(), bytesUnit, 10, 10, 9, 0, verdict.Faster},
		{DefaultOptions(), bytesUnit, 10, 10, 10, 0, verdict.Identical},
	} {
		r := newRunner(c.o, nil)
		b := &benchmark{name: "a.F", procs: 1, iterations: 1, full: true}
		r.target.iterations = 1
		for k := range c.rounds {
			of := func(x float64) sample {
				l := line{iterations: 1, figures: []figure{{100, "ns/op"}, {x + c.noise*float64((k*7+int(x))%5), c.unit}}}
				return newSample(l)
			}
			r.noCPU = "no clock"
			r.take(b, [2]sample{of(c.before), of(c.after)}, true)
		}
		r.family.Look(true)
		if row := b.row(b.rows[1], &c.o); row.Unit != c.unit || row.Verdict != c.want {
			t.Errorf("%s, %v to %v in %d rounds: %s, want %s", c.unit, c.before, c.after, c.rounds, row.Verdict, c.want)
		}
	}
}

// A rate that is computed from the time is left out, another one is judged, and the user has the
// last word on its direction.
func TestRates(t *testing.T) {
	of := func(wall, derived, own float64) sample {
		return newSample(line{iterations: 1, figures: []figure{{wall, "ns/op"}, {derived, "games/s"}, {own, "hits/s"}, {own, "freed-bytes/op"}}})
	}
	r := newRunner(DefaultOptions(), nil)
	r.noCPU = "no clock"
	r.options.HigherBetter = []*regexp.Regexp{regexp.MustCompile("freed")}
	b := &benchmark{name: "a.F", procs: 1}
	b.evidence = [][2]sample{{of(100, 10, 8000), of(125, 8, 8000)}}
	r.addRows(b, [2]sample{of(110, 1000/110.0, 8000), of(120, 1000/120.0, 4000)})
	var got []string
	for _, j := range b.rows {
		got = append(got, fmt.Sprint(j.unit, " ", j.row.Higher))
	}
	if want := []string{"sec/op false", "freed-bytes/op true", "hits/s true"}; !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
	for unit, want := range map[string]int{"p99-ns/op": -1, "MB/s": 1, "freed-bytes/op": 1, "bytes": 0, "x-bytes/op": -1, "widgets": 0} {
		if got := r.direction(unit); got != want {
			t.Errorf("%s: direction %d, want %d", unit, got, want)
		}
	}
	if value, unit := Tidy(5, "p99-ns/op"); value != 5e-9 || unit != "p99-sec/op" {
		t.Errorf("%v %s", value, unit)
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
