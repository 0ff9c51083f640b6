package experiment

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// fakeSubject does 10 units of work in a pass, each of which takes so long on the clock
// of the tests.
type fakeSubject struct {
	name  string
	cost  time.Duration
	base  string
	wrong error
	does  func() error // in each pass; nil for nothing
}

func (f *fakeSubject) Name() string { return f.name }
func (f *fakeSubject) Unit() string { return "ns/op" }
func (f *fakeSubject) Check() error { return f.wrong }
func (f *fakeSubject) Describe(b *Benchmark) {
	b.Base, b.Work = f.base, "of "+f.name[:1]
	b.Metrics = func(perUnit float64) []Metric { return []Metric{{1e9 / perUnit, "op/s"}} }
}

func (f *fakeSubject) Pass() (float64, error) {
	if f.does != nil {
		if err := f.does(); err != nil {
			return 0, err
		}
	}
	return 10, nil
}

// fakeTime says that every subject takes what it costs, and notes which were asked for.
func fakeTime(names *[]string) func(Subject, int) (float64, time.Duration, error) {
	return func(s Subject, passes int) (float64, time.Duration, error) {
		if names != nil {
			*names = append(*names, s.Name())
		}
		units, err := s.Pass()
		units *= float64(passes)
		return units, time.Duration(units) * s.(*fakeSubject).cost, err
	}
}

// fakeOptions measure three subjects for 6 rounds.
func fakeOptions() Options {
	return Options{
		Subjects: []Subject{
			&fakeSubject{name: "A/kind=plain", cost: 200 * time.Microsecond},
			&fakeSubject{name: "A/kind=fast", cost: 50 * time.Microsecond},
			&fakeSubject{name: "B/kind=plain/size=3", cost: 100 * time.Microsecond},
		},
		Count: 6, BenchTime: time.Second, Seed: 1, Time: fakeTime(nil),
	}
}

func exampleEnvironment() Environment {
	return Environment{CPU: "Example 9000", OS: "linux", Arch: "amd64", Go: "go1.26.0", Date: "2026-11-21T04:29:14Z"}
}

func exampleHeading() Heading {
	return Heading{
		Environment: exampleEnvironment(), Package: "example.com/bench",
		Configuration: []Configuration{{"work", "5 things"}},
	}
}

func TestMeasure(t *testing.T) {
	o := fakeOptions()
	var told []Progress
	o.Progress = func(p Progress) { told = append(told, p) }
	rounds := 0
	o.AfterRound = func(r *Run) error {
		if rounds++; r.Rounds != rounds || len(r.Series[1].Samples) != rounds {
			t.Errorf("after round %d the run has %d rounds and %d samples", rounds, r.Rounds, len(r.Series[1].Samples))
		}
		return nil
	}
	run, err := Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if last := told[len(told)-1]; last != (Progress{Measuring, 18, 18}) || told[0] != (Progress{Checking, 0, 3}) || told[3] != (Progress{Checking, 3, 3}) {
		t.Errorf("progress %v", told)
	}
	if rounds != 6 || run.Rounds != 6 || run.Interrupted || run.Narrow {
		t.Errorf("%d rounds, run %+v", rounds, run)
	}
	for i, s := range run.Series {
		subject := o.Subjects[i].(*fakeSubject)
		want := float64(subject.cost)
		if elapsed := float64(s.Passes) * 10 * want; s.Name != subject.name || len(s.Samples) != 6 || elapsed < 0.9e9 || elapsed > 1.1e9 {
			t.Errorf("%s: %d samples of %v ns, want 6 of a second", s.Name, len(s.Samples), elapsed)
		}
		for _, sample := range s.Samples {
			if sample.PerUnit != want {
				t.Errorf("%s: %v ns/op, want %v", s.Name, sample.PerUnit, want)
			}
		}
		if metrics := s.metrics(s.Samples[0]); len(metrics) != 2 || metrics[1] != (Metric{1e9 / want, "op/s"}) {
			t.Errorf("%s: metrics %v", s.Name, metrics)
		}
	}
	if _, ok := run.Find("A/kind=fast"); !ok {
		t.Error("a series is not found")
	}
	if s, ok := run.Find("C"); ok {
		t.Errorf("%+v is found", s)
	}
}

func TestRoundsAreCompleteAndInAnOrderOfTheirOwn(t *testing.T) {
	orders := func(r Rounds) (all [][]int) {
		var round []int
		take := func(i int) error { round = append(round, i); return nil }
		ended := func(int) (bool, error) { all = append(all, round); round = nil; return true, nil }
		if err := r.Take(t.Context(), 12, take, ended); err != nil {
			t.Fatal(err)
		}
		return all
	}
	equal := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal[[]int]) }
	first := orders(Rounds{To: 6, Seed: 1})
	for r, round := range first {
		if sorted := slices.Compact(slices.Sorted(slices.Values(round))); len(round) != 12 || len(sorted) != 12 {
			t.Errorf("round %d takes %v: want every one once", r, round)
		}
	}
	if slices.Equal(first[0], first[1]) && slices.Equal(first[1], first[2]) {
		t.Error("three rounds have one order")
	}
	if !equal(first, orders(Rounds{To: 6, Seed: 1})) || equal(first, orders(Rounds{To: 6, Seed: 2})) || equal(first, orders(Rounds{To: 6, Seed: 1, Stream: 1})) {
		t.Error("the order does not follow from the seed and the stream")
	}
	if !equal(first[2:], orders(Rounds{From: 2, To: 6, Seed: 1})) {
		t.Error("rounds that go on are in another order")
	}
	stop := errors.New("enough")
	if err := (Rounds{To: 3}).Take(t.Context(), 2, func(int) error { return nil }, func(int) (bool, error) { return true, stop }); !errors.Is(err, stop) {
		t.Errorf("error %v, want %v", err, stop)
	}
}

func TestInterruptedRunKeepsCompleteRounds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := fakeOptions()
	o.Progress = func(p Progress) {
		if p == (Progress{Measuring, 4*3 + 2, 18}) { // in the middle of the fifth round
			cancel()
		}
	}
	run, err := Measure(ctx, o)
	if !errors.Is(err, context.Canceled) || run == nil || run.Rounds != 4 || !run.Interrupted {
		t.Fatalf("run %+v, error %v; want 4 rounds and context.Canceled", run, err)
	}
	for _, s := range run.Series {
		if len(s.Samples) != 4 {
			t.Errorf("%s: %d samples, want 4", s.Name, len(s.Samples))
		}
	}
}

// A disk that is full after a round must not cost the rounds.
func TestErrorAfterARoundKeepsTheRounds(t *testing.T) {
	full := errors.New("disk full")
	o := fakeOptions()
	o.AfterRound = func(r *Run) error {
		if r.Rounds == 3 {
			return full
		}
		return nil
	}
	if run, err := Measure(t.Context(), o); !errors.Is(err, full) || run == nil || run.Rounds != 3 || !run.Interrupted {
		t.Errorf("run %+v, error %v", run, err)
	}
}

func TestMeasureRefuses(t *testing.T) {
	wrong := errors.New("2 and 2 are 5")
	for want, change := range map[string]func(*Options){
		"must be at least 1":                 func(o *Options) { o.Count = 0 },
		"must be positive":                   func(o *Options) { o.BenchTime = 0 },
		"below 100 %":                        func(o *Options) { o.Within = 1 },
		"must be at least 10":                func(o *Options) { o.Within = 0.1 },
		"nothing to measure":                 func(o *Options) { o.Subjects = nil },
		"2 and 2 are 5":                      func(o *Options) { o.Subjects[1].(*fakeSubject).wrong = wrong },
		`invalid part "fast"`:                func(o *Options) { o.Subjects[1].(*fakeSubject).name = "A/fast" },
		"want no space":                      func(o *Options) { o.Subjects[1].(*fakeSubject).name = "A b" },
		`invalid unit "s/"`:                  func(o *Options) { o.Samplers = []Sampler{&fakeSampler{unit: "s/"}} },
		"B/kind=plain/size=3: 2 and 2 are 5": func(o *Options) { o.Subjects[2].(*fakeSubject).does = func() error { return wrong } },
	} {
		o := fakeOptions()
		change(&o)
		if run, err := Measure(t.Context(), o); run != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("run %v, error %v, want %q", run, err, want)
		}
	}
	o := fakeOptions()
	o.Subjects[1].(*fakeSubject).wrong = wrong
	var check *CheckError
	if _, err := Measure(t.Context(), o); !errors.As(err, &check) || check.Name != "A/kind=fast" || !errors.Is(err, wrong) {
		t.Errorf("error %v", err)
	}
	var option *config.Error
	if err := (Options{Count: 3, BenchTime: 1}).Check(true); !errors.As(err, &option) || option.Field != "Count" {
		t.Errorf("3 samples for a ratio: %v", err)
	}
	if err := (Options{Count: 3, BenchTime: 1}).Check(false); err != nil {
		t.Error(err)
	}
}

// fakeSampler has two benchmarks.
type fakeSampler struct {
	unit    string
	samples int
	fails   int // at that sample; 0 never
}

func (f *fakeSampler) Begin(context.Context) ([]Benchmark, string, error) {
	return []Benchmark{{Name: "A/kind=program", Unit: f.unit}, {Name: "B/kind=program", Unit: f.unit}}, "is a fake", nil
}

func (f *fakeSampler) Sample(context.Context) ([]float64, error) {
	if f.samples++; f.samples == f.fails {
		return nil, errors.New("broken")
	}
	return []float64{float64(f.samples), 7}, nil
}

func TestSamplersAreMeasured(t *testing.T) {
	o := fakeOptions()
	o.Samplers = []Sampler{&fakeSampler{unit: "us/op"}}
	run, err := Measure(t.Context(), o)
	if err != nil || !slices.Equal(run.Notes, []string{"is a fake"}) || o.Samples() != 24 {
		t.Fatalf("run %+v, %v", run, err)
	}
	if s, _ := run.Find("A/kind=program"); !slices.Equal(s.Times(), []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("times %v", s.Times())
	}
	o.Samplers = []Sampler{&fakeSampler{unit: "us/op", fails: 3}}
	if run, err = Measure(t.Context(), o); err == nil || run == nil || run.Rounds != 2 {
		t.Errorf("a program that fails later: %+v, %v", run, err)
	}
}

func TestRunEndsWhenIntervalsAreNarrow(t *testing.T) {
	for count, base := range map[int]string{13: "A/kind=plain", 40: ""} {
		o := fakeOptions()
		o.Count, o.Within = 40, 0.01
		for _, s := range o.Subjects {
			s.(*fakeSubject).base = base
		}
		run, err := Measure(t.Context(), o)
		if err != nil || run.Rounds != count || run.Narrow != (base != "") {
			t.Errorf("base %q: %d rounds, narrow %v, %v; want %d", base, run.Rounds, run.Narrow, err, count)
		}
	}
}

func TestUnits(t *testing.T) {
	for unit, want := range map[string]float64{"ns/op": 1, "us/game": 1000, "ms/x": 1e6, "s/x": 1e9, "games/s": 0, "ns": 0, "": 0} {
		if got := Nanoseconds(unit); got != want {
			t.Errorf("%q has %v ns, want %v", unit, got, want)
		}
	}
	if got := PerUnit(3*time.Millisecond, 2, "us/game"); got != 1500 {
		t.Errorf("%v us/game, want 1500", got)
	}
	if got := PerUnit(0, 1, "ns/op"); got != 1 {
		t.Errorf("%v of a clock that is too coarse, want 1", got)
	}
	procs := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(procs)
	if got := FullName("A/b=c"); got != "A/b=c" {
		t.Errorf("name on one thread %q", got)
	}
	runtime.GOMAXPROCS(4)
	if got := FullName("A/b=c"); got != "A/b=c-4" {
		t.Errorf("name on four threads %q", got)
	}
}

// A nap is on the wall, and what another program would take of the core is like one.
func TestClocks(t *testing.T) {
	const nap = 30 * time.Millisecond
	sleepy := &fakeSubject{name: "A", does: func() error { time.Sleep(nap); return nil }}
	units, wall, err := WallClock.Time(t.Context(), sleepy, 2)
	if err != nil || wall < 2*nap || units != 20 {
		t.Errorf("two naps take %v on the wall, %v units, error %v; want %v at least", wall, units, err, 2*nap)
	}
	if DefaultClock() != CPUClock {
		if _, err := ParseClock("cpu"); err == nil {
			t.Error("a clock that there is not can be chosen")
		}
		t.Skip("this system has no exact clock of processor time")
	}
	_, cpu, err := CPUClock.Time(t.Context(), sleepy, 2)
	if err != nil || cpu <= 0 || cpu > nap {
		t.Errorf("the processor worked for %v, error %v; the naps are %v", cpu, err, 2*nap)
	}
	run, err := Measure(t.Context(), Options{Subjects: []Subject{sleepy}, Count: 2, BenchTime: time.Microsecond})
	if err != nil || run.Others < 0.5 || run.Options.TimedBy != CPUClock {
		t.Errorf("others took %v of the time by the clock %s, error %v; want most", run.Others, run.Options.TimedBy, err)
	}
}

func TestParseClock(t *testing.T) {
	if clock, err := ParseClock("wall"); err != nil || clock != WallClock {
		t.Errorf("clock %q, error %v", clock, err)
	}
	if _, err := ParseClock("sun"); err == nil {
		t.Error("the sun is a clock")
	}
}

// fakeCounters count 3 cycles for each ns of the fake clock.
type fakeCounters struct {
	measured  *time.Duration
	failAfter int // stops that work, -1 for all
	closed    bool
}

func (f *fakeCounters) Events() []Event { return []Event{Cycles, Instructions, BranchMisses} }
func (f *fakeCounters) Start() error    { *f.measured = 0; return nil }
func (f *fakeCounters) Close() error    { f.closed = true; return nil }

func (f *fakeCounters) Stop() ([]float64, error) {
	if f.failAfter == 0 {
		return nil, errors.New("taken away")
	}
	f.failAfter--
	cycles := 3 * float64(f.measured.Nanoseconds())
	return []float64{cycles, 2 * cycles, cycles / 1000}, nil
}

func TestCounters(t *testing.T) {
	for _, failAfter := range []int{-1, 3, 0} {
		o := fakeOptions()
		var measured time.Duration
		counters := &fakeCounters{&measured, failAfter, false}
		clock := o.Time
		o.Time = func(s Subject, passes int) (float64, time.Duration, error) {
			units, elapsed, err := clock(s, passes)
			measured += elapsed
			return units, elapsed, err
		}
		o.OpenCounters = func() (Counters, error) { return counters, nil }
		run, err := Measure(t.Context(), o)
		if err != nil || !counters.closed || run.Rounds != 6 || (run.Counting.Reason == "taken away") != (failAfter >= 0) {
			t.Errorf("%d rounds, counting %+v, closed %v, %v", run.Rounds, run.Counting, counters.closed, err)
		}
		counted := 0
		for _, s := range run.Series {
			for _, sample := range s.Samples {
				if sample.Counts == nil {
					continue
				}
				counted++
				if sample.Counts[Cycles] != 3*sample.PerUnit || sample.Counts.IPC() != 2 {
					t.Errorf("%s: counts %v of %v ns/op", s.Name, sample.Counts, sample.PerUnit)
				}
			}
		}
		if want := map[int]int{-1: 18, 3: 3, 0: 0}[failAfter]; counted != want {
			t.Errorf("%d samples have counts, want %d", counted, want)
		}
		if failAfter < 0 {
			checkCountsAreSaved(t, run)
		}
	}
}

// checkCountsAreSaved reads back what a run with counters wrote.
func checkCountsAreSaved(t *testing.T, run *Run) {
	t.Helper()
	saved, err := ParseSaved(written(t, run))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range run.Series {
		got, want := saved.series[s.Name].samples[0], s.Samples[0]
		if got.PerUnit != stat.Significant(want.PerUnit) || got.Counts[Cycles] != stat.Significant(want.Counts[Cycles]) || got.Counts[Cycles] == 0 {
			t.Errorf("%s: saved %+v, want %+v", s.Name, got, want)
		}
	}
}

// written is the file of a run.
func written(t *testing.T, run *Run) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := run.Write(&text, exampleHeading()); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}
