package bench

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/experiment"
	"golang.org/x/perf/benchfmt"
)

// fakeCounters count what a processor of 3 GHz would that takes exactly the time of
// fakeClock, with 2 instructions a cycle and a branch miss every 1000.
type fakeCounters struct {
	measured  *time.Duration
	started   bool
	failAfter int // stops that work, -1 for all
	closed    bool
}

func (f *fakeCounters) Events() []experiment.Event {
	return []experiment.Event{experiment.Cycles, experiment.Instructions, experiment.BranchMisses}
}

func (f *fakeCounters) Start() error {
	f.started = true
	*f.measured = 0
	return nil
}

func (f *fakeCounters) Stop() ([]float64, error) {
	if !f.started {
		return nil, errors.New("stopped without a start")
	}
	f.started = false
	if f.failAfter == 0 {
		return nil, errors.New("taken away")
	}
	f.failAfter--
	cycles := 3 * float64(f.measured.Nanoseconds())
	return []float64{cycles, 2 * cycles, cycles / 1000}, nil
}

func (f *fakeCounters) Close() error {
	f.closed = true
	return nil
}

// countedOptions are fakeOptions with counters.
func countedOptions(t *testing.T, failAfter int) (runOptions, *fakeCounters) {
	o := fakeOptions(t, "bits/scalar")
	var measured time.Duration
	counters := &fakeCounters{measured: &measured, failAfter: failAfter}
	clock := o.Time
	o.Time = func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		units, elapsed, err := clock(s, passes)
		measured += elapsed
		return units, elapsed, err
	}
	o.OpenCounters = func() (experiment.Counters, error) { return counters, nil }
	return o, counters
}

func TestCountersAreReported(t *testing.T) {
	o, counters := countedOptions(t, -1)
	run, err := measure(t.Context(), t, testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if !counters.closed || counters.started {
		t.Errorf("counters after the run: %+v, want them stopped and closed", counters)
	}
	results := run.results()
	for level, work := range map[Level]string{Value: "eval", Game: "game"} {
		row, _ := run.row("bits/scalar", level)
		// bits/scalar takes 50,000 ns for everything on the fake clock.
		for unit, want := range map[string]float64{"cycles/" + work: 150_000, "instructions/" + work: 300_000, "branch-misses/" + work: 150, "IPC": 2} {
			if row.Metrics[unit] != want {
				t.Errorf("%s: %v %s, want %v", level, row.Metrics[unit], unit, want)
			}
		}
	}
	var text bytes.Buffer
	results.WriteText(&text)
	if !strings.Contains(text.String(), "Game/board=bits/eval=scalar            300000  150000  2.00            150\n") {
		t.Errorf("the table of counts is missing:\n%s", text.String())
	}
	checkCountedBenchmarks(t, run)
}

// checkCountedBenchmarks checks that benchstat would find the counts in the file.
func checkCountedBenchmarks(t *testing.T, run *engineRun) {
	t.Helper()
	var file bytes.Buffer
	if err := run.write(&file, exampleEnvironment()); err != nil {
		t.Fatal(err)
	}
	reader := benchfmt.NewReader(&file, "counted")
	found := 0
	for reader.Scan() {
		result, ok := reader.Result().(*benchfmt.Result)
		if !ok || !strings.HasPrefix(result.Name.String(), "Game/board=bits/") {
			continue
		}
		found++
		cycles, _ := result.Value("cycles/game")
		ipc, _ := result.Value("IPC")
		if cycles != 150_000 || ipc != 2 {
			t.Errorf("%s: %v cycles/game, IPC %v; want 150000 and 2", result.Name, cycles, ipc)
		}
	}
	if found != run.Rounds {
		t.Errorf("%d lines of bits/scalar at the level game, want %d", found, run.Rounds)
	}
	if units := reader.Units(); units.GetBetter("cycles/eval") != -1 || units.GetBetter("IPC") != 1 {
		t.Error("the better direction of cycles or IPC is wrong")
	}
}

// experiment.Counters that fail in the middle of a run must not cost its samples.
func TestCountersThatFailAreGivenUp(t *testing.T) {
	o, counters := countedOptions(t, 3)
	run, err := measure(t.Context(), t, testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if run.Rounds != o.Count || run.Counting.Reason != "taken away" || !counters.closed {
		t.Errorf("%d rounds, reason %q, closed %v; want %d, \"taken away\", true", run.Rounds, run.Counting.Reason, counters.closed, o.Count)
	}
	counted := 0
	for _, s := range run.Series {
		for _, sample := range s.Samples {
			if sample.Counts != nil {
				counted++
			}
		}
	}
	if counted != 3 {
		t.Errorf("%d samples have counts, want 3", counted)
	}
}

func TestRunWithoutCountersSaysWhy(t *testing.T) {
	o := fakeOptions(t, "bits/scalar")
	o.OpenCounters = func() (experiment.Counters, error) { return nil, errors.New("not on this machine") }
	run, err := measure(t.Context(), t, testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if run.Counting.Reason != "not on this machine" || len(run.Counting.Events) != 0 {
		t.Errorf("counting %+v", run.Counting)
	}
	row, _ := run.row("bits/scalar", Game)
	if row.Metrics["IPC"] != 0 {
		t.Errorf("metrics %v without counters", row.Metrics)
	}
}
