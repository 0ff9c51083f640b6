package sample

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"golang.org/x/perf/benchfmt"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// fake returns a benchmark of 10 units a pass.
func fake(name, base string) Benchmark {
	return Benchmark{
		Name: name, Unit: "ns/op", Base: base, Work: "of " + name[:1],
		Check:   func() error { return nil },
		Pass:    func() (float64, error) { return 10, nil },
		Metrics: func(perUnit float64) []report.Metric { return []report.Metric{{Value: 1e9 / perUnit, Unit: "op/s"}} },
	}
}

// costs are the nanoseconds of a unit of the fake benchmarks.
var costs = map[string]time.Duration{"A/kind=plain": 200_000, "A/kind=fast": 50_000, "B/kind=plain/size=3": 100_000}

// fakeOptions measure three benchmarks for 6 rounds, on a clock by which each takes its cost.
func fakeOptions(names *[]string) Options {
	return Options{
		Benchmarks: []Benchmark{fake("A/kind=plain", "A/kind=plain"), fake("A/kind=fast", "A/kind=plain"),
			fake("B/kind=plain/size=3", "")},
		Count: 6, BenchTime: time.Second, Seed: 1,
		Time: func(b Benchmark, passes int) (float64, time.Duration, error) {
			if names != nil {
				*names = append(*names, b.Name)
			}
			units, err := b.Pass()
			units *= float64(passes)
			return units, time.Duration(units) * costs[b.Name], err
		},
	}
}

func TestMeasure(t *testing.T) {
	o := fakeOptions(nil)
	var told []string
	o.Progress = func(phase string, done, all int) { told = append(told, fmt.Sprint(phase, " ", done, " of ", all)) }
	rounds := 0
	o.AfterRound = func(r *Run) error {
		rounds++
		testkit.ErrorIf(t, r.Rounds != rounds || len(r.Series[1].Times) != rounds,
			"after round %d the run has %d rounds and %d samples", rounds, r.Rounds, len(r.Series[1].Times))
		return nil
	}
	run := testkit.Must(Measure(t.Context(), o))(t)
	testkit.Equal(t, told[0], "checking 0 of 3", "first progress")
	testkit.Equal(t, told[len(told)-1], "measuring 18 of 18", "last progress")
	testkit.Equal(t, rounds, 6, "rounds that were told")
	testkit.Equal(t, run.Rounds, 6, "rounds")
	testkit.Equal(t, run.Interrupted, false, "interrupted")
	for _, s := range run.Series {
		want := float64(costs[s.Name])
		elapsed := float64(s.Passes) * 10 * want
		testkit.ErrorIf(t, len(s.Times) != 6 || elapsed < 0.9e9 || elapsed > 1.1e9,
			"%s: %d samples of %v ns, want 6 of a second", s.Name, len(s.Times), elapsed)
		testkit.Equal(t, s.Times, slices.Repeat([]float64{want}, len(s.Times)), "%s: ns/op", s.Name)
	}
	var results record.Results
	run.Add(&results, "fakes", []report.Setting{{Key: "work", Value: "5 things"}})
	row := results.Rows[1]
	testkit.ErrorIf(t, row.Median != 50_000 || row.Lo != 50_000 || row.Ratio != 0.25 || row.RatioHi != 0.25 ||
		row.Metrics["op/s"] != 20_000 || row.Keys["kind"] != "fast" || row.BenchTime != "1s" ||
		row.Signature != "of A" || results.Rows[2].Baseline != "" || results.Work["fakes"]["work"] != "5 things",
		"%+v", results)
}

// Every round takes each benchmark once, in an order that follows from the seed.
func TestOrderOfRounds(t *testing.T) {
	rounds := func(seed uint64) [][]string {
		var names []string
		o := fakeOptions(&names)
		o.Seed = seed
		testkit.Must(Measure(t.Context(), o))(t)
		return slices.Collect(slices.Chunk(names[len(names)-18:], 3))
	}
	first := rounds(1)
	for r, round := range first {
		names := slices.Compact(slices.Sorted(slices.Values(round)))
		testkit.Equal(t, len(names), 3, "round %d takes %v: number of benchmarks", r, round)
	}
	testkit.Equal(t, rounds(1), first, "order of the same seed")
	second := rounds(2)
	testkit.ErrorIf(t, slices.EqualFunc(first, second, slices.Equal[[]string]),
		"the order of another seed is the same: %v", second)
}

func TestInterruptedRunKeepsCompleteRounds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := fakeOptions(nil)
	o.Progress = func(phase string, done, _ int) {
		if phase == Measuring && done == 4*3+2 { // in the middle of the fifth round
			cancel()
		}
	}
	run, err := Measure(ctx, o)
	testkit.ErrorIf(t, !errors.Is(err, context.Canceled) || run == nil || run.Rounds != 4 || !run.Interrupted ||
		len(run.Series[0].Times) != 4, "run %+v, error %v; want 4 rounds and context.Canceled", run, err)
	text := testkit.Written(t, func(w io.Writer) error { return run.Write(w, Heading{}) })
	testkit.WantText(t, text, "# ur bench run: 4 of 6 interleaved samples of 1s, seed 1\n")
	failing := fakeOptions(nil)
	full := errors.New("full")
	failing.AfterRound = func(*Run) error { return full }
	run, err = Measure(t.Context(), failing)
	testkit.ErrorIf(t, !errors.Is(err, full) || run.Rounds != 1, "%+v, %v", run, err)
}

func TestMeasureRefuses(t *testing.T) {
	wrong := errors.New("wrong")
	for want, change := range map[string]func(o *Options){
		"3 samples of 1s (want at least 4": func(o *Options) { o.Count = 3 },
		"6 samples of 0s":                  func(o *Options) { o.BenchTime = 0 },
		"no benchmarks":                    func(o *Options) { o.Benchmarks = nil },
		"wrong":                            func(o *Options) { o.Benchmarks[1].Check = func() error { return wrong } },
		"A/kind=plain: broken": func(o *Options) {
			o.Benchmarks[0].Pass = func() (float64, error) { return 0, errors.New("broken") }
		},
	} {
		o := fakeOptions(nil)
		change(&o)
		run, err := Measure(t.Context(), o)
		testkit.WantError(t, err, want, "a changed run")
		testkit.Equal(t, run, nil, "run that fails with %q", want)
	}
	o := fakeOptions(nil)
	o.Benchmarks[1].Check = func() error { return wrong }
	_, err := Measure(t.Context(), o)
	var check *CheckError
	testkit.ErrorIf(t, !errors.As(err, &check) || check.Name != "A/kind=fast" || !errors.Is(err, wrong),
		"%v, want a CheckError", err)
}

// The file is in Go's format, with a configuration for each work and a checksum at its end.
func TestWrite(t *testing.T) {
	procs := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(procs)
	run := testkit.Must(Measure(t.Context(), fakeOptions(nil)))(t)
	var text bytes.Buffer
	heading := Heading{Environment: record.Environment{CPU: "Example 9000", OS: "linux", Go: "go1.26.0"},
		Suite: "fakes", Package: "example.com/bench",
		Settings: []report.Setting{{Key: "work", Value: "5 things"}}}
	testkit.NoError(t, run.Write(&text, heading))
	body, sum, _ := strings.Cut(text.String(), "# sha256 ")
	testkit.ErrorIf(t, sum != fmt.Sprintf("%x\n", sha256.Sum256([]byte(body))) ||
		!strings.Contains(body, "# suite fakes\n") || !strings.Contains(body, "# commit unknown, go1.26.0"),
		"%s", text.String())
	reader := benchfmt.NewReader(&text, "file")
	counts := make(map[string]int)
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Error(r)
		case *benchfmt.Result:
			counts[r.Name.String()]++
			testkit.ErrorIf(t, r.GetConfig("cpu") != "Example 9000" || r.GetConfig("work") != "5 things" ||
				r.GetConfig("signature") != "of "+r.Name.String()[:1], "%s: configuration %v", r.Name, r.Config)
		}
	}
	testkit.ErrorIf(t, counts["A/kind=fast-4"] != 6 || len(counts) != 3 || reader.Units().GetBetter("op/s") != 1 ||
		reader.Units().GetBetter("ns/op") != -1, "%v", counts)
}

// The real clocks advance, and a pinned thread knows its core.
func TestClocksAndPin(t *testing.T) {
	for _, clock := range []report.Clock{report.CPU, report.Wall} {
		sum := 0
		units, elapsed, err := timePasses(t.Context(), clock, func() (float64, error) {
			for i := range 1000 {
				sum += i * i
			}
			return 2, nil
		}, 1000)
		testkit.ErrorIf(t, units != 2000 || elapsed <= 0 || err != nil || sum == 0,
			"%s: %v units in %v, %v", clock, units, elapsed, err)
	}
	o := fakeOptions(nil)
	o.Count, o.Time, o.BenchTime = 4, nil, time.Microsecond
	run, err := Measure(t.Context(), o)
	testkit.ErrorIf(t, err != nil || (run.Pinning.Core == nil) == (run.Pinning.Reason == ""),
		"%+v, %v", run.Pinning, err)
	testkit.ErrorIf(t, runtime.GOOS == "linux" && run.Pinning.Core == nil, "not pinned: %s", run.Pinning.Reason)
}

// busy keeps the processor busy for a pass.
//
//go:noinline
func busy() (sum float64) {
	for i := range 1 << 16 {
		sum += float64(i) / 3
	}
	return sum
}

// The profile of a run names the engines, their levels and the hottest functions.
func TestWriteHottest(t *testing.T) {
	var raw, out bytes.Buffer
	testkit.SkipOn(t, pprof.StartCPUProfile(&raw))
	b := fake("A", "")
	b.Engine, b.Scope, b.Pass = "x/y", "value", func() (float64, error) { return 1 + 0*busy(), nil }
	_, err := Measure(t.Context(), Options{Benchmarks: []Benchmark{b}, Count: 4, BenchTime: 30 * time.Millisecond})
	pprof.StopCPUProfile()
	testkit.NoError(t, err)
	testkit.NoError(t, WriteHottest(&out, raw.Bytes()))
	testkit.WantText(t, out.String(), "x/y value, ", "bench/sample.busy ")
	testkit.WantError(t, WriteHottest(&out, []byte("garbage")), "", "garbage is a profile")
}
