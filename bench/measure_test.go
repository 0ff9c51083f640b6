package bench

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
)

// fakeCosts are the nanoseconds of a unit of work in the tests.
var fakeCosts = map[string]time.Duration{
	engine.OracleName: 200_000,
	"bits/scalar":     50_000,
	"rows/scalar":     100_000,
}

// fakeClock says that every engine takes exactly what it costs, and notes in which
// order the samples were asked for.
func fakeClock(names *[]string) fakeTime {
	return func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		if names != nil {
			*names = append(*names, s.Name())
		}
		units, err := s.Pass()
		units *= float64(passes)
		return units, time.Duration(float64(fakeCosts[s.(*Case).Engine.Name()]) * units), err
	}
}

// fakeTime is what stands in the place of a clock.
type fakeTime = func(experiment.Subject, int) (float64, time.Duration, error)

// slowedBy is a clock on which all takes so many times as long.
func slowedBy(factor float64, clock fakeTime) fakeTime {
	return func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		units, elapsed, err := clock(s, passes)
		return units, time.Duration(float64(elapsed) * factor), err
	}
}

func fakeOptions(t *testing.T, engines ...string) Options {
	t.Helper()
	o := Options{Levels: Levels()}
	o.Count, o.BenchTime, o.Seed, o.Time = 6, time.Second, 1, fakeClock(nil)
	for _, name := range engines {
		e, err := engine.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		o.Engines = append(o.Engines, e)
	}
	return o
}

func TestMeasure(t *testing.T) {
	w := testWorkload(t)
	o := fakeOptions(t, "bits/scalar", "rows/scalar", "bits/scalar")
	var last int
	o.Progress = func(p experiment.Progress) { last = p.Done }
	run, err := Measure(t.Context(), w, o)
	if err != nil {
		t.Fatal(err)
	}
	if run.Rounds != 6 || len(run.Series) != 12 || last != 72 || o.Samples() != 72 {
		t.Errorf("%d rounds of %d series, progress %d of %d; want 6 of 12, 72 of 72", run.Rounds, len(run.Series), last, o.Samples())
	}
	results := run.Results(experiment.Environment{}, nil)
	row, ok := results.Find("bits/scalar", Turn)
	if !ok {
		t.Fatal("no row for bits/scalar at the turn level")
	}
	turns := w.works[Turn].(*turnWork)
	want := Row{
		Engine: "bits/scalar", Level: Turn, Unit: "ns/turn", Samples: 6,
		Median: 50_000, Lo: 50_000, Hi: 50_000,
		Ratio: 0.25, RatioLo: 0.25, RatioHi: 0.25,
		NsPerCandidate: stat.Significant(50_000 * float64(len(turns.rolls)) / float64(turns.candidates)),
		Bytes:          row.Bytes,
	}
	if row != want {
		t.Errorf("row %+v, want %+v", row, want)
	}
	if row, _ := results.Find(Baseline, Game); row.Median != 200 || row.Unit != "us/game" || row.Ratio != 1 {
		t.Errorf("baseline row %+v, want 200 us/game, ratio 1", row)
	}
}

func TestSamplesTakeTheirTime(t *testing.T) {
	run, err := Measure(t.Context(), testWorkload(t), fakeOptions(t, "bits/scalar"))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range run.Series {
		for _, sample := range s.Samples {
			units, err := run.cases[i].Pass()
			elapsed := time.Duration(sample.PerUnit * float64(s.Passes) * units * experiment.Nanoseconds(s.Unit))
			if err != nil || elapsed < time.Second/2 || elapsed > 2*time.Second {
				t.Errorf("%s: a sample of %d passes takes %v, want about 1s", s.Name, s.Passes, elapsed)
			}
		}
	}
}

func TestRoundsAreCompleteAndInAnOrderOfTheirOwn(t *testing.T) {
	rounds := func(seed uint64) [][]string {
		o := fakeOptions(t, "bits/scalar", "rows/scalar")
		var names []string
		o.Seed, o.Time = seed, fakeClock(&names)
		if _, err := Measure(t.Context(), testWorkload(t), o); err != nil {
			t.Fatal(err)
		}
		return slices.Collect(slices.Chunk(names[len(names)-72:], 12))
	}
	first := rounds(1)
	for r, round := range first {
		sorted := slices.Compact(slices.Sorted(slices.Values(round)))
		if len(sorted) != 12 {
			t.Errorf("round %d takes %v: want every case once", r, round)
		}
	}
	if slices.Equal(first[0], first[1]) && slices.Equal(first[1], first[2]) {
		t.Error("three rounds have one order")
	}
	if again := rounds(1); !slices.EqualFunc(first, again, slices.Equal[[]string]) {
		t.Error("the order does not follow from the seed")
	}
	if other := rounds(2); slices.EqualFunc(first, other, slices.Equal[[]string]) {
		t.Error("two seeds give one order")
	}
}

func TestInterruptedRunKeepsCompleteRounds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := fakeOptions(t, "bits/scalar")
	o.Progress = func(p experiment.Progress) {
		if p.Phase == experiment.Measuring && p.Done == 4*8+2 { // in the middle of the fifth round
			cancel()
		}
	}
	run, err := Measure(ctx, testWorkload(t), o)
	if !errors.Is(err, context.Canceled) || run == nil {
		t.Fatalf("run %v, error %v; want both a run and context.Canceled", run, err)
	}
	results := run.Results(experiment.Environment{}, nil)
	if run.Rounds != 4 || !results.Interrupted || results.Samples() != 4 {
		t.Errorf("%d rounds, interrupted %v, %d samples; want 4, true, 4", run.Rounds, results.Interrupted, results.Samples())
	}
}

func TestMeasureRefusesWrongEngines(t *testing.T) {
	o := fakeOptions(t)
	o.Engines = []ur.Engine{wrongEngine{engine.Oracle()}}
	run, err := Measure(t.Context(), testWorkload(t), o)
	var mismatch *MismatchError
	if run != nil || !errors.As(err, &mismatch) {
		t.Errorf("run %v, error %v; want only a MismatchError", run, err)
	}
}

func TestOptionsCheck(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Options)
		want   string // in the error; "" for none
	}{
		{"defaults", func(o *Options) {}, ""},
		{"three samples", func(o *Options) { o.Count = 3 }, "at least 4 for a ratio"},
		{"one sample of the baseline alone", func(o *Options) { o.Count, o.Engines = 1, []ur.Engine{engine.Oracle()} }, ""},
		{"no sample", func(o *Options) { o.Count, o.Engines = 0, nil }, "at least 1"},
		{"no time", func(o *Options) { o.BenchTime = 0 }, "must be positive"},
		{"no level", func(o *Options) { o.Levels = nil }, "no level"},
	}
	for _, test := range tests {
		o := fakeOptions(t, "bits/scalar")
		test.change(&o)
		err := o.Check()
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q in it", test.name, err, test.want)
		}
	}
}
