package ab

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/abtest"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A line of a binary with the overlay has exact figures; without it, those that Go prints.
func TestNewSample(t *testing.T) {
	both := parseSamples([]byte("BenchmarkA 100 12.0 ns/op 1250 ur-wall-ns 900 ur-cpu-ns 5000 ur-run-ns 2000 ur-busy-ns 9000 ur-queued-ns"+
		" 2 ur-pairs 1 ur-parallel 3.14159265 ur:ns/eval 3.142 ns/eval 16 B/op\nBenchmarkB 10 50 ns/op\n"), 1)
	a, b := both[0], both[1]
	testkit.ErrorIf(t, math.Abs(a.wall-12.5e-9) > 1e-18 || math.Abs(a.cpu-9e-9) > 1e-18 || !a.parallel || a.pairs != 2,
		"%+v", a)
	testkit.Equal(t, a.run, 5*time.Microsecond, "time of the run")
	testkit.Equal(t, a.queued, 3*time.Microsecond, "time in the queue")
	testkit.ErrorIf(t, !math.IsNaN(b.cpu) || math.Abs(b.wall-50e-9) > 1e-18 || b.run != 500, "%+v", b)
	testkit.Equal(t, a.figures, map[string]float64{"ns/op": 12, "ns/eval": 3.14159265, "B/op": 16}, "printed")
}

// The CPU's clock is for benchmarks that are busy, even where they wait for a core; a time
// of ReportMetric follows it where it is computed from the timer.
func TestClocks(t *testing.T) {
	sampler := &sizer{hasCPU: true}
	with := func(cpu, wall float64, busy, queued, run time.Duration) [][2]sample {
		s := sample{iterations: 1000, cpu: cpu, wall: wall, busy: busy, queued: queued, run: run,
			figures: map[string]float64{"ns/x": wall * 3e9}}
		return [][2]sample{{s, s}}
	}
	b := &benchmark{procs: 1}
	for name, c := range map[string]struct {
		seen [][2]sample
		want report.Clock
	}{
		"quiet":          {with(1e-6, 1e-6, 1e6, 0, 1e6), report.CPU},
		"queued":         {with(1e-6, 4e-6, 1e6, 3e6, 4e6), report.CPU},
		"sleeps":         {with(1e-6, 1e-4, 1e6, 1e6, 1e8), report.Wall},
		"sleeps, queued": {with(1e-6, 4e-6, 1e5, 2e6, 4e6), report.Wall},
		"too short":      {with(1e-9, 1e-9, 1e6, 0, 1e6), report.Wall},
	} {
		testkit.Equal(t, sampler.chooseClock(b, c.seen), c.want, "%s", name)
	}
	seen := append(with(1, 2, 0, 0, 0), with(1, 5, 0, 0, 0)...)
	testkit.Equal(t, followsTimer(seen, "ns/x"), true, "a metric in proportion to the timer follows it")
	seen[0][0].figures["ns/x"] *= 1.1
	testkit.Equal(t, followsTimer(seen, "ns/x"), false, "a metric of its own follows the timer")
}

// Rows of memory need the evidence of times: a difference in few rounds proves nothing. A floor
// is in the unit.
func TestMemory(t *testing.T) {
	floors := DefaultOptions()
	for _, limit := range []string{"allocs/op=0", "B/op=16B"} {
		testkit.NoError(t, floors.ParseLimit(limit))
	}
	for _, c := range []struct {
		o             Options
		unit          string
		rounds        int
		before, after float64
		noise         float64
		want          verdict.Verdict
	}{
		{floors, report.AllocsUnit, 10, 100, 101, 0, verdict.Slower},
		{DefaultOptions(), report.AllocsUnit, 10, 100, 101, 0, verdict.NotSlower},
		{DefaultOptions(), report.AllocsUnit, 10, 0, 1, 0, verdict.Slower},
		{floors, report.BytesUnit, 10, 10, 24, 0, verdict.NotSlower},
		{floors, report.BytesUnit, 10, 10, 32, 0, verdict.Slower},
		{DefaultOptions(), report.BytesUnit, 1, 10, 32, 0, verdict.Undecided},
		{DefaultOptions(), report.BytesUnit, 2, 10, 32, 0, verdict.Undecided},
		{DefaultOptions(), report.BytesUnit, 3, 10, 32, 0, verdict.Slower},
		{DefaultOptions(), report.BytesUnit, 12, 100, 104, 30, verdict.Undecided},
		{DefaultOptions(), report.BytesUnit, 10, 10, 9, 0, verdict.Faster},
		{DefaultOptions(), report.BytesUnit, 10, 10, 10, 0, verdict.Identical},
	} {
		row := memoryRow(&c.o, c.unit, c.rounds, func(k int) [2]float64 {
			noisy := func(x float64) float64 { return x + c.noise*float64((k*7+int(x))%5) }
			return [2]float64{noisy(c.before), noisy(c.after)}
		})
		testkit.Equal(t, row.Verdict, c.want, "%s, %v to %v in %d rounds", c.unit, c.before, c.after, c.rounds)
		testkit.Equal(t, row.Unit, c.unit, "unit")
	}
}

// memoryRow judges rounds of a benchmark by the figures of both sides in a unit.
func memoryRow(o *Options, unit string, rounds int, figures func(round int) [2]float64) report.Row {
	v := newJudges(o, nil, false)
	b := &benchmark{name: "a.F", procs: 1, pkg: &testPackage{}}
	for round := range rounds {
		p := Pair{Benchmark: b, clock: report.Wall}
		for side, x := range figures(round) {
			p.sides[side] = sample{iterations: 1, wall: 1e-7, figures: map[string]float64{"ns/op": 100, unit: x}}
		}
		v.addTimes([]Pair{p})
	}
	v.family.Look(true)
	return (&result{judges: v}).timeRow(b, v.fileOf(b).rows[1])
}

// Bytes that a few rounds have beside others, as by a collection, are no change.
func TestSeldomMemory(t *testing.T) {
	o := DefaultOptions()
	row := memoryRow(&o, report.BytesUnit, 10, func(k int) [2]float64 { return [2]float64{0, float64(k / 8 * 1807)} })
	testkit.ErrorIf(t, row.Old != 0 || row.New != 0 || row.Delta != 0 || row.Verdict == verdict.Slower, "%+v", row)
}

// A rate that is computed from the time is left out, another one is judged, and the user has the
// last word on its direction.
func TestRates(t *testing.T) {
	of := func(wall, derived, own float64) sample {
		return sample{iterations: 1, wall: wall * 1e-9,
			figures: map[string]float64{"ns/op": wall, "games/s": derived, "hits/s": own, "freed-bytes/op": own}}
	}
	o := DefaultOptions()
	o.HigherBetter = []*regexp.Regexp{regexp.MustCompile("freed")}
	v, f := newJudges(&o, nil, false), &file{}
	v.addRows(f, &Pair{Benchmark: &benchmark{name: "a.F", procs: 1},
		sides: [2]sample{of(110, 1000/110.0, 8000), of(120, 1000/120.0, 4000)},
		clock: report.Wall, earlier: [][2]sample{{of(100, 10, 8000), of(125, 8, 8000)}}})
	got := text.List(f.rows, func(r *judgedRow) string { return fmt.Sprint(r.unit, " ", r.row.Higher) })
	testkit.Equal(t, got, []string{"sec/op false", "freed-bytes/op true", "hits/s true"}, "rows")
	for unit, want := range map[string]int{"p99-ns/op": -1, "MB/s": 1, "freed-bytes/op": 1, "bytes": 0,
		"x-bytes/op": -1, "widgets": 0} {
		testkit.Equal(t, v.direction(unit), want, "%s: direction", unit)
	}
}

// A slower row stays slower where its second measurement shows it as well.
func TestConfirmRow(t *testing.T) {
	for _, test := range []struct {
		change, noise float64
		rounds        int
		want          verdict.Verdict
	}{
		{1.06, 0.001, 10, verdict.Slower},
		{1.01, 0.001, 10, verdict.Undecided},
		{1.06, 0.2, 10, verdict.Undecided},
		{1.3, 0.2, 12, verdict.Slower},
		{1.06, 0.2, 6, verdict.Slower}, // there was no time
	} {
		f := verdict.Family{Rule: verdict.DefaultRule()}
		r := &judgedRow{row: f.Add(false), confirm: f.Add(false)}
		for k := range test.rounds {
			testkit.NoError(t, r.confirm.Add(1, test.change*(1+test.noise*float64(k%3-1))))
		}
		f.Look(true)
		out := report.Row{Verdict: verdict.Slower, Rounds: 20}
		r.confirmRow(&out)
		testkit.Equal(t, out.Verdict, test.want, "%+v when measured again", test)
	}
}

// A slower row among many needs more rounds than a first look, and is measured again, unless its count works more.
func TestMeasuredAgain(t *testing.T) {
	second := func(wall float64) sample {
		return sample{iterations: 1, wall: wall, figures: map[string]float64{"ns/op": 1e9 * wall}}
	}
	for count, worksMore := range map[verdict.Verdict]bool{verdict.NotMoreWork: false, verdict.MoreWork: true} {
		o := DefaultOptions()
		v, b := newJudges(&o, nil, false), &benchmark{}
		v.fileOf(b).counts = &countRow{result: verdict.Count{Verdict: count}}
		for range 20 {
			v.family.Add(false)
		}
		rounds := 0
		for ; b.state != stateJudged && rounds < 100; rounds++ {
			noise := 1 + 0.001*float64(rounds%3)
			v.addTimes([]Pair{{Benchmark: b, clock: report.Wall, sides: [2]sample{second(1), second(1.3 * noise)}}})
			v.look([]*benchmark{b})
		}
		testkit.Equal(t, rounds == verdict.FirstLook, worksMore, "%s: judged in %d rounds", count, rounds)
		testkit.Equal(t, v.fileOf(b).rows[0].confirm == nil, worksMore, "%s: not measured again", count)
		v.family.Look(true)
		testkit.Equal(t, v.fileOf(b).rows[0].row.Verdict, verdict.Slower, "%s: verdict", count)
	}
}

func TestParseSamples(t *testing.T) {
	all := parseSamples([]byte("goos: linux\npkg: example.com/a/b\n"+
		"BenchmarkHash/rounds=1-4 \t 1000\t  350.5 ns/op\t 12.00 MB/s\t 16 B/op\t 2 allocs/op\n"+
		"BenchmarkLoud\nhello 12\nworld   \t 7\t 1e+03 ns/op\n"+ // the benchmark prints lines of its own
		"BenchmarkLoudest-4 hello      \t5\t0.25 ns/op\r\n"+
		"Benchmarking is fun 5\t1 ns/op\n"+ // no name of a benchmark
		"--- FAIL: BenchmarkBroken\nBenchmarkEmpty\nPASS\n"), 4)
	testkit.MustEqual(t, len(all), 3, "samples in %+v", all)
	first := all[0]
	testkit.ErrorIf(t, first.name != "Hash/rounds=1" || first.of.Package != "example.com/a/b" || first.iterations != 1000,
		"%+v", first)
	testkit.Equal(t, first.figures, map[string]float64{"ns/op": 350.5, "MB/s": 12, "B/op": 16, "allocs/op": 2}, "figures")
	testkit.ErrorIf(t, all[1].name != "Loud" || all[1].figures["ns/op"] != 1000 || all[1].iterations != 7,
		"%+v", all[1])
	testkit.ErrorIf(t, all[2].name != "Loudest" || all[2].figures["ns/op"] != 0.25, "%+v", all[2])
	for _, c := range []struct {
		name  string
		procs int
		want  string
	}{{"A-4", 4, "A"}, {"A-4", 1, "A-4"}, {"A/n=-4-4", 4, "A/n=-4"}, {"A-8", 4, "A-8"}} {
		got := parseSamples([]byte("Benchmark"+c.name+" 1 2 ns/op\n"), c.procs)
		testkit.Equal(t, got[0].name, c.want, "%s with %d processors", c.name, c.procs)
	}
}

func FuzzParseSamples(f *testing.F) {
	f.Add("BenchmarkA 1 2 ns/op\n")
	f.Add("BenchmarkA\nnoise 1 2 ns/op 3 B/op x\npkg: y\nBenchmarkB-2 9 1e9999 ns/op")
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range parseSamples([]byte(text), 1) {
			testkit.FatalIf(t, s.iterations < 1 || s.name != strings.TrimSpace(s.name), "%+v", s)
			for unit, x := range s.figures {
				testkit.FatalIf(t, math.IsNaN(x) || math.IsInf(x, 0) || unit == "", "%+v", s)
			}
		}
	})
}

func TestDeclaredUnits(t *testing.T) {
	o := DefaultOptions()
	v := newJudges(&o, report.Scan([]byte("goos: linux\nUnit ns/eval better=lower\nUnit points assume=exact better=higher\nUnit x\nBenchmarkB 1 2 ns/op\n")).Directions(), false)
	testkit.Equal(t, len(v.units), 2, "directions in %v", v.units)
	for unit, want := range map[string]int{"ns/eval": -1, "points": 1, "things": 0, "games/s": 1} {
		testkit.Equal(t, v.direction(unit), want, "%s: direction", unit)
	}
}

// A run need not go on when a row is slower for certain.
func TestSurelySlower(t *testing.T) {
	for name, test := range map[string]struct {
		again []float64 // figures of the new side, where the old one has 1
		want  bool
	}{
		"not measured again":         {nil, false},
		"three times slower":         {[]float64{1.2, 1.15, 1.25}, true},
		"too few rounds":             {[]float64{1.2, 0.9, 1.3}, false},
		"too much noise":             {[]float64{1.2, 1.05, 1.6}, false},
		"slower in most rounds":      {[]float64{1.2, 0.9, 1.3, 1.2, 1.2, 1.1, 1.2, 1.2, 1.2, 1.2}, true},
		"hardly slower when again":   {[]float64{1.04, 0.9, 1.05, 1.03, 1.04, 1.04, 1.04, 1.02, 1.05, 1.06}, false},
		"as fast when it runs again": {slices.Repeat([]float64{1}, 10), false},
	} {
		row := &verdict.Row{Limit: 0.03, Verdict: verdict.Slower}
		again := &verdict.Row{Limit: 0.03}
		for _, figure := range test.again {
			testkit.NoError(t, again.Add(1, figure))
		}
		testkit.Equal(t, (&judgedRow{row: row, confirm: again}).isSurelySlower(), test.want, "%s", name)
	}
	exact := &judgedRow{row: &verdict.Row{Limit: 0.03, Exact: true, Verdict: verdict.NotSlower}}
	testkit.Equal(t, exact.isSurelySlower(), false, "without noise")
}

// An operation that fills a sample needs no run that finds its iterations. A set-up does not fill it.
func TestLongOperation(t *testing.T) {
	work := sampleWork{duration: 20 * time.Millisecond}
	of := func(cpu float64) *benchmark {
		s := sample{iterations: 1, cpu: cpu, run: time.Second, busy: time.Second, pairs: 1}
		return &benchmark{procs: 1, first: [2]sample{s, s}}
	}
	for cpu, want := range map[float64]bool{0.5: true, 1e-6: false, math.NaN(): false} {
		z := newSizing(of(cpu), work)
		testkit.ErrorIf(t, z.full != want || z.iterations != 1,
			"%v s: full is %v with %d iterations, want %v with 1", cpu, z.full, z.iterations, want)
	}
}

// A sample by the wall clock is as long as its process waits, and no shorter than others.
func TestWaitingSample(t *testing.T) {
	for _, test := range []struct {
		clock   report.Clock
		wall    float64
		elapsed time.Duration
		want    int
	}{
		{report.Wall, 1e-3, 320 * time.Millisecond, 250},
		{report.Wall, 1e-3, 25 * time.Millisecond, 20},
		{report.CPU, 1e-3, 320 * time.Millisecond, 20},
		{report.Wall, math.NaN(), 320 * time.Millisecond, 20},
	} {
		b := &benchmark{procs: 1, pkg: &testPackage{}}
		s := &sizer{work: sampleWork{duration: 20 * time.Millisecond}, sizes: map[*benchmark]*sizing{
			b: {iterations: 20, full: true, clock: test.clock, cost: [2]float64{1e-3, 1e-3}}}}
		one := sample{iterations: 20, wall: test.wall, cpu: math.NaN(), run: 20 * time.Millisecond, elapsed: test.elapsed}
		s.resize(b, [2]sample{one, one})
		testkit.Equal(t, s.sizes[b].iterations, test.want, "iterations of %+v", test)
	}
}

// A process that was killed inside of a benchmark does not tell its set-up, and what the first function does before its
// sub-benchmarks is none.
func TestSetUp(t *testing.T) {
	p := &testPackage{}
	ran := []sample{{busy: time.Second}}
	for i, run := range []struct {
		cpu    time.Duration
		killed bool
		want   time.Duration
	}{{9 * time.Second, true, 0}, {1500 * time.Millisecond, false, 500 * time.Millisecond},
		{1010 * time.Millisecond, false, 10 * time.Millisecond}, {3 * time.Second, true, 10 * time.Millisecond},
		{2 * time.Second, false, 10 * time.Millisecond}} {
		p.observe(frame.Result{CPU: run.cpu, Wall: run.cpu}, ran, run.killed)
		testkit.Equal(t, p.overhead, run.want, "set-up after run %d", i)
	}
}

// TestFitBenchmarks leaves out what the time does not bring to a first look: the last of many benchmarks, and the longest of
// a few. Where the time brings all to enough rounds to pass, those with fewer come first.
func TestFitBenchmarks(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		rounds []time.Duration // of each benchmark
		taken  int             // rounds that the first has
		want   string
	}{
		{[]time.Duration{100 * ms, 200 * ms, 400 * ms}, 0, "ABC"},
		{[]time.Duration{9000 * ms, 100 * ms, 900 * ms, 400 * ms}, 0, "BD"},
		{[]time.Duration{9000 * ms, 8000 * ms}, 0, "B"},
		{[]time.Duration{9000 * ms}, 0, "A"},
		{slices.Repeat([]time.Duration{60 * ms}, 20), 0, "ABCDEFGHIJKLMNOP"},
		{[]time.Duration{600 * ms, 500 * ms}, 0, "AB"},
		{[]time.Duration{600 * ms, 900 * ms}, 5, "AB"},
		{[]time.Duration{600 * ms, 900 * ms}, 6, "B"},
		{[]time.Duration{600 * ms, 1300 * ms}, 6, "A"}, // they need 7.8 of the 10 s
	} {
		v := newJudges(&Options{}, nil, true)
		var benchmarks []*benchmark
		for i, round := range test.rounds {
			b := &benchmark{pkg: &testPackage{Package: &report.Package{}}, printed: string(rune('A' + i)), expected: round}
			if i%2 == 0 { // no round yet
				b.expected, b.first = 0, [2]sample{{run: round / 2}, {run: round / 2}}
			}
			benchmarks = append(benchmarks, b)
		}
		v.fileOf(benchmarks[0]).pairs = make([]Pair, test.taken)
		fitting := fitBenchmarks(&job{Run: &frame.Run{Budget: frame.NewBudget(10*time.Second, false)}}, v, benchmarks)
		testkit.Equal(t, namesOf(fitting), test.want, "rounds of %v", test.rounds)
	}
}

// TestEnoughWait lets a benchmark without a detectable slowdown wait where the time does not suffice for the first look of
// another one.
func TestEnoughWait(t *testing.T) {
	o := DefaultOptions()
	for _, test := range []struct {
		change, noise float64
		rounds        int
		want          string
	}{
		{0, 0.08, verdict.FirstLook, "B"}, {0, 0.01, 5, "B"}, {0, 0.5, verdict.FirstLook, "AB"}, {0, 0.5, 5, "AB"},
		{0, 0.01, 4, "AB"}, {0.1, 0.01, 5, "AB"},
	} {
		v := newJudges(&o, nil, true)
		pkg := &testPackage{Package: &report.Package{}}
		looked, waiting := &benchmark{pkg: pkg, printed: "A", procs: 1}, &benchmark{pkg: pkg, printed: "B", procs: 1}
		waiting.expected = 9 * time.Second
		for round := range test.rounds {
			sides := [2]sample{{wall: 1, cpu: 1, figures: map[string]float64{timePrinted: 1}}}
			sides[frame.New] = sides[frame.Old]
			sides[frame.New].wall = math.Exp(test.change + test.noise*float64(round%3-1))
			v.addTimes([]Pair{{Benchmark: looked, sides: sides, clock: report.Wall}})
		}
		v.look([]*benchmark{looked})
		testkit.Equal(t, looked.isOpen(), true, "open after %+v", test)
		open := fitBenchmarks(&job{Run: &frame.Run{Budget: frame.NewBudget(20*time.Second, false)}}, v, []*benchmark{looked, waiting})
		testkit.Equal(t, namesOf(open), test.want, "measured next after %+v", test)
	}
}

// TestSharedSetUp lets the benchmarks of a function with a long set-up share a process, and wait together.
func TestSharedSetUp(t *testing.T) {
	pkg := &testPackage{Package: &report.Package{}}
	s := &timeSampler{job: &job{Run: &frame.Run{}}, sizer: sizer{hasCPU: true, sizes: make(map[*benchmark]*sizing)}}
	var benchmarks []*benchmark
	for _, name := range []string{"F/a", "G", "F/b"} {
		b := &benchmark{pkg: pkg, printed: name, procs: 1, expected: 700 * time.Millisecond,
			first: [2]sample{{gap: 600 * time.Millisecond}, {gap: 500 * time.Millisecond}}}
		if name == "G" {
			b.expected, b.first = 900*time.Millisecond, [2]sample{}
		}
		benchmarks, s.sizes[b] = append(benchmarks, b), &sizing{}
	}
	findSharedSetUps(benchmarks)
	testkit.Equal(t, text.List(s.divide(benchmarks), namesOf), []string{"F/aF/b", "G"}, "processes")
	j := &job{Run: &frame.Run{Budget: frame.NewBudget(10*time.Second, false)}}
	testkit.Equal(t, namesOf(fitBenchmarks(j, newJudges(&Options{}, nil, true), benchmarks)), "G",
		"of F/a and F/b with 8.4 s and G with 5.4 s, measured first in 10 s")
}

// A benchmark that hangs on the new side alone is open and takes at least some time; with others there is
// nothing to compare.
func TestLateBenchmarks(t *testing.T) {
	testkit.SkipOn(t, testkit.ErrorOf(exec.LookPath("sh")))
	const passes, hangs, fails = "echo BenchmarkA 1 20 ns/op", "exec sleep 600", "exit 1"
	const hangsAlone = `case "$*" in *-test.cpu=1) exec sleep 600; esac; echo BenchmarkA-3 1 20 ns/op`
	t.Setenv("GOMAXPROCS", "3")
	for name, test := range map[string]struct {
		programs [2]string
		time     time.Duration
		reason   string
		procs    int
	}{
		"hang":                    {[2]string{passes, hangs}, time.Minute, "", 1},
		"hang on both sides":      {[2]string{hangs, hangs}, 2 * time.Second, "longer than", 3},
		"hang with one processor": {[2]string{hangsAlone, hangsAlone}, 3 * time.Second, "", 3},
		"failure":                 {[2]string{passes, fails}, time.Minute, "exit status 1 and prints no reason", 1},
		"failure of a slow one":   {[2]string{hangs, fails}, 3 * time.Second, "exit status 1 and prints no reason", 3},
	} {
		t.Run(name, func(t *testing.T) {
			j, s, p := newTestJob(t, Options{Time: time.Minute}), &source.Sides{Trees: [2]*source.Tree{{}, {}}, Current: -1}, &testPackage{Package: &report.Package{}}
			for side, program := range test.programs {
				dir := t.TempDir()
				s.Trees[side].Root, s.Trees[side].Stored = filepath.Join(dir, "root"), filepath.Join(dir, "stored")
				p.dirs[side], p.binaries[side] = s.Trees[side].Root, filepath.Join(dir, "program")
				testkit.WriteText(t, filepath.Join(s.Trees[side].Stored, "a"), "")
				testkit.NoError(t, os.WriteFile(p.binaries[side], []byte("#!/bin/sh\n"+program+"\n"), 0o777))
			}
			k := &benchmark{pkg: p, printed: "A", name: "a.A", procs: 1}
			testkit.NoError(t, runAllLate(t.Context(), j, &builds{sides: s}, []*benchmark{k}, time.Now().Add(test.time)))
			testkit.Equal(t, k.procs, test.procs, "processors")
			open := test.reason == ""
			testkit.ErrorIf(t, open != (k.atLeast >= 1 || k.first[frame.New].wall > 0) ||
				open != (k.state != stateNotJudged) || !open &&
				(k.as != verdict.NotJudged || !strings.Contains(k.reason, test.reason)),
				"%+v (want the reason %q)", k, test.reason)
		})
	}
}

// The timed part of each benchmark doubles. It is a sixth of the work or less, and none of the rest
// counts: setup, teardown and the sections between StopTimer and StartTimer.
func TestTimedPart(t *testing.T) {
	testkit.NeedLong(t, "measures two commits")
	dir := newRepository(t)
	testkit.NoError(t, abtest.Make(filepath.Join("testdata", "timed"), dir, "base", "double"))
	o := between(dir, "base", "double")
	o.sample.iterations = 0
	o.sample.duration = 2e6
	o.Bench = "StopShort|Growing|Teardown|Batch"
	got := testkit.Must(Run(t.Context(), o))(t)
	testkit.SkipIf(t, got.CPUClock == report.NoClock, "no CPU clock in the timers of this system")
	timed := 0
	for _, row := range got.Rows {
		if row.Unit != "sec/op" {
			continue
		}
		timed++
		testkit.ErrorIf(t, row.Rounds == 0 || row.Delta < 0.3 || row.Delta > 2, // a sixth if all counted
			"%s: %s in %d rounds (want about +100 %%)", row.Name, report.Percent(row.Delta), row.Rounds)
	}
	testkit.Equal(t, timed, 4, "number of benchmarks")
}

// Samples are short where all counts show large changes: their times need less care.
func TestSampleTime(t *testing.T) {
	large := verdict.Count{Verdict: verdict.MoreWork, Lo: 0.2, Hi: 0.3}
	small := verdict.Count{Verdict: verdict.MoreWork, Lo: 0.04, Hi: 0.05}
	fewer := verdict.Count{Verdict: verdict.LessWork, Lo: -0.4, Hi: -0.2}
	for _, test := range []struct {
		name   string
		counts []verdict.Count
		want   time.Duration
	}{
		{"large changes", []verdict.Count{large, fewer, large}, leastSample},
		{"a small change", []verdict.Count{large, fewer, small}, 50 * time.Millisecond},
		{"undecided", []verdict.Count{large, {Lo: 0.2, Hi: 0.3}}, 50 * time.Millisecond},
		{"no count", []verdict.Count{{}}, 50 * time.Millisecond},
	} {
		j := newTestJob(t, Options{Time: time.Minute})
		b := &builds{layouts: false, cpuClock: "clock_gettime"}
		v := newJudges(&j.Options, nil, true)
		p := &testPackage{Package: &report.Package{}}
		var open []*benchmark
		for _, c := range test.counts {
			k := &benchmark{pkg: p, procs: 1}
			v.fileOf(k).counts = &countRow{result: c}
			open = append(open, k)
		}
		testkit.Equal(t, newPlan(j, b, newLinkPool(j, b), open, v).work.duration, test.want, "%s: samples", test.name)
	}
}

// Slow benchmarks wait until no other one is open, and are given up if the commit fails anyway. The new side does not run
// them with others.
func TestSlowBenchmarks(t *testing.T) {
	p := &testPackage{Package: &report.Package{}, reach: map[string]reach.Change{"BenchmarkA": {Code: report.ChangedCode},
		"BenchmarkB": {Code: report.ChangedCode}}}
	slow, other := &benchmark{pkg: p, printed: "A"}, &benchmark{pkg: p, printed: "B"}
	before, after := &found{failed: map[string]error{"A": frame.TimeoutError{Limit: time.Second}, "B": errNoFigures}}, &found{failed: make(map[string]error)}
	lists := &lister{pkg: p, before: before}
	testkit.Equal(t, lists.withoutSlow(after), []string{"BenchmarkB"}, "functions of the new side")
	testkit.Equal(t, frame.IsTimeout(after.failed["A"]), true, "a slow function counts as late")

	l := &listing{benchmarks: []*benchmark{slow, other}, slow: []*benchmark{slow}}
	j := newTestJob(t, Options{Time: time.Minute})
	j.Budget = frame.NewBudget(0, false) // what runs now has no time
	testkit.NoError(t, l.confirmLate(t.Context(), j, nil))
	testkit.Equal(t, slow.isOpen(), true, "open beside another benchmark")
	testkit.Equal(t, namesOf(l.fast()), "B", "benchmarks that do not wait")
	other.advance(stateJudged)
	testkit.NoError(t, l.confirmLate(t.Context(), j, nil))
	testkit.Equal(t, slow.isOpen(), false, "open without time")

	slow.state, l.slow, j.Budget = stateReached, []*benchmark{slow}, frame.NewBudget(time.Hour, false)
	v := newJudges(&j.Options, nil, true)
	v.fileOf(other).rows = []*judgedRow{{row: &verdict.Row{Verdict: verdict.Slower, Exact: true}}}
	testkit.NoError(t, l.runSlow(t.Context(), j, nil, v))
	testkit.Equal(t, slow.isOpen(), false, "open beside one that is slower")
}

// A benchmark that takes too long, and that the old side does not have or skips, is an addition: the old side's process
// ends at once, but not with an iteration.
func TestAddedBenchmarkTakesLong(t *testing.T) {
	p := &testPackage{Package: &report.Package{}, reach: map[string]reach.Change{"BenchmarkA": {Code: report.ChangedCode},
		"BenchmarkB": {Code: report.ChangedCode}, "BenchmarkC": {Code: report.ChangedCode}}}
	late := func() error { return frame.TimeoutError{Limit: time.Second} }
	l, j := &listing{units: make(map[string]int)}, newTestJob(t, Options{Time: time.Minute})
	l.pair(j, p, [2]*found{{skipped: []string{"B"}, failed: map[string]error{"C": errNoFigures}},
		{failed: map[string]error{"A": late(), "B": late(), "C": late()}}})
	testkit.Equal(t, namesOf(l.late), "C", "benchmarks that are compared with the old side")
	testkit.Equal(t, len(l.added), 2, "added benchmarks %v", l.added)
}

// A benchmark without a round or a count is undecided, and says that time was short.
func TestUnmeasuredBenchmark(t *testing.T) {
	j := newTestJob(t, Options{Time: time.Minute})
	b := &benchmark{pkg: &testPackage{Package: &report.Package{}}, procs: 1}
	rows := newResult(j, newJudges(&j.Options, nil, true), []*benchmark{b}).rowsOf(b)
	testkit.Equal(t, len(rows), 1, "rows %+v", rows)
	testkit.Equal(t, rows[0].Verdict, verdict.Undecided, "verdict")
	testkit.Equal(t, rows[0].Reason, "there was no time to measure it", "reason")
}

// A long run whose operations were too few is made again with more, until the horizon.
func TestLengthenLong(t *testing.T) {
	run := func(iterations int) *Pair {
		s := sample{iterations: iterations, wall: 1e-6}
		return &Pair{sides: [2]sample{s, s}}
	}
	z := &sizing{iterations: 2000, long: time.Second}
	if !z.lengthenLong(run(z.iterations)) || z.iterations != 1_150_000 {
		t.Errorf("%d operations, want 1,150,000", z.iterations)
	}
	if z.lengthenLong(run(z.iterations)) {
		t.Errorf("a run of %v is made again", timedWork(&run(z.iterations).sides[frame.Old]))
	}
}

// A benchmark passes after a long run of both sides with the least timed work that lets it pass, unless that differs.
func TestLacksHorizon(t *testing.T) {
	for _, c := range []struct {
		iterations int     // of 1 us; 0 is no long run
		slowdown   float64 // of the new side
		want       string
	}{
		{0, 1, "lacks a run of 100ms on each side: there was no time"},
		{99_000, 1, "has too little timed work in its long runs: 99ms"},
		{100_000, 1, ""},
		{1_000_000, 1, ""},
		{1_000_000, 2, "differs in long runs, and there was no time to repeat these: +100% in runs of 1s"},
	} {
		b := &benchmark{pkg: &testPackage{Package: &report.Package{}}, procs: 1}
		o := DefaultOptions()
		v := newJudges(&o, nil, true)
		v.needsHorizon = true
		if c.iterations > 0 {
			p := Pair{Benchmark: b, clock: report.CPU}
			for side, factor := range []float64{1, c.slowdown} {
				p.sides[side] = sample{iterations: c.iterations, cpu: 1e-6 * factor, wall: 1e-6 * factor}
			}
			v.addLongRun(p, time.Second)
		}
		testkit.Equal(t, v.lacksHorizon(b), c.want, "%d operations, %g times as slow", c.iterations, c.slowdown)
	}
}
