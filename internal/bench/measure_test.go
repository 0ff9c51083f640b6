package bench

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/experiment"
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

func fakeOptions(t *testing.T, engines ...string) runOptions {
	t.Helper()
	o := runOptions{Levels: Levels()}
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
	run, err := measure(t.Context(), t, w, o)
	if err != nil {
		t.Fatal(err)
	}
	if run.Rounds != 6 || len(run.Series) != 12 || last != 72 {
		t.Errorf("%d rounds of %d series, progress %d; want 6 of 12, 72", run.Rounds, len(run.Series), last)
	}
	row, ok := run.row("bits/scalar", Turn)
	if !ok {
		t.Fatal("no row for bits/scalar at the turn level")
	}
	turns := w.works[Turn].(*turnWork)
	perCandidate := stat.Significant(50_000 * float64(len(turns.rolls)) / float64(turns.candidates))
	want := experiment.Row{
		Suite: EnginesSuite, Name: "Turn/board=bits/eval=scalar", Keys: map[string]string{"board": "bits", "eval": "scalar"},
		Engine: "bits/scalar", Level: "turn", Unit: "ns/turn", Clock: experiment.DefaultClock(), BenchTime: "1s", Samples: 6,
		Median: 50_000, Lo: 50_000, Hi: 50_000, Times: []float64{50_000, 50_000, 50_000, 50_000, 50_000, 50_000},
		Baseline: Baseline, Ratio: 0.25, RatioLo: 0.25, RatioHi: 0.25, NsPerCandidate: perCandidate,
		Metrics: map[string]float64{"ns/candidate": perCandidate, "bytes": row.Metrics["bytes"]}, Signature: w.Signature(Turn),
	}
	if !reflect.DeepEqual(row, want) || row.Metrics["bytes"] == 0 {
		t.Errorf("row %+v, want %+v", row, want)
	}
	if row, _ := run.row(Baseline, Game); row.Median != 200 || row.Unit != "us/game" || row.Ratio != 1 {
		t.Errorf("baseline row %+v, want 200 us/game, ratio 1", row)
	}
}

func TestSamplesTakeTheirTime(t *testing.T) {
	run, err := measure(t.Context(), t, testWorkload(t), fakeOptions(t, "bits/scalar"))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range run.Series {
		for _, sample := range s.Samples {
			units, err := run.set.Subjects[i].Pass()
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
		if _, err := measure(t.Context(), t, testWorkload(t), o); err != nil {
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
	run, err := measure(ctx, t, testWorkload(t), o)
	if !errors.Is(err, context.Canceled) || run == nil {
		t.Fatalf("run %v, error %v; want both a run and context.Canceled", run, err)
	}
	results := run.results()
	if run.Rounds != 4 || !results.Interrupted || results.Rows[0].Samples != 4 {
		t.Errorf("%d rounds, interrupted %v, %d samples; want 4, true, 4", run.Rounds, results.Interrupted, results.Rows[0].Samples)
	}
}

func TestMeasureRefusesWrongEngines(t *testing.T) {
	o := fakeOptions(t)
	o.Engines = []ur.Engine{wrongEngine{engine.Oracle()}}
	run, err := measure(t.Context(), t, testWorkload(t), o)
	var mismatch *MismatchError
	if run != nil || !errors.As(err, &mismatch) {
		t.Errorf("run %v, error %v; want only a MismatchError", run, err)
	}
}

func TestSelectionsThatAreRefused(t *testing.T) {
	for want, of := range map[string]Selection{
		`no benchmark matches "Abacus"`: {Match: regexp.MustCompile("Abacus"), Engines: []ur.Engine{engine.Oracle()}, Size: testWorkload(t).Size},
		"invalid size":                  {Size: Size{Positions: 1}},
	} {
		if _, err := enginesSuite().Select(of); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q in it", err, want)
		}
	}
}

// Every suite has a name of its own and, by default, what it takes to measure it; every
// benchmark of it has a name of its own, and a base that is measured as well.
func TestSuites(t *testing.T) {
	names := make(map[string]bool)
	for _, s := range Suites() {
		if found, err := LookupSuite(s.Name); err != nil || found.Name != s.Name || names[s.Name] || s.Short == "" || s.Package == "" {
			t.Errorf("suite %+v: %v", s, err)
		}
		names[s.Name] = true
		if testing.Short() && s.Name == ReversiSuite {
			continue
		}
		set, err := s.Select(Selection{Engines: []ur.Engine{engine.Oracle()}, Size: testWorkload(t).Size, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Complete(experiment.Options{}, set).Check(true); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		bases := make(map[string]string)
		for _, subject := range set.Subjects {
			b := experiment.Describe(subject)
			if _, ok := bases[b.Name]; ok {
				t.Errorf("two benchmarks have the name %s", b.Name)
			}
			bases[b.Name] = b.Base
		}
		for name, base := range bases {
			if _, ok := bases[base]; base != "" && !ok {
				t.Errorf("the base %s of %s is not measured", base, name)
			}
		}
	}
	if _, err := LookupSuite("abacus"); err == nil || !strings.Contains(err.Error(), "want engines, pieces") {
		t.Errorf("an unknown suite: %v", err)
	}
}
