package count

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// TestMain lets a counter run this test binary: a benchmark is a number of steps.
func TestMain(m *testing.M) {
	served, err := Serve(func(name string) (func() error, error) {
		var steps int
		if _, err := fmt.Sscanf(name, "Steps/n=%d", &steps); err != nil {
			return nil, errors.New("no steps")
		}
		return func() error { walk(steps); return nil }, nil
	})
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	case !served:
		sandbox.Main(m)
	}
}

var walked int

//go:noinline
func walk(steps int) {
	for range steps {
		walked += walked>>3 + 1
	}
}

// A process counts its own passes, exactly with valgrind, and a benchmark that it refuses has the reason.
func TestServe(t *testing.T) {
	counters := map[string]*Counter{"clock of the task, as perf event": {name: "perf", env: []string{"UR_AB_PERF=1:1"}}}
	if !hasPerfEvent("1:1") {
		delete(counters, "clock of the task, as perf event")
	}
	if c, err := findValgrind(t.Context(), t.TempDir()); err == nil {
		counters["valgrind"] = c
	}
	testkit.SkipIf(t, len(counters) == 0, "neither perf events nor valgrind")
	for name, c := range counters {
		result := testkit.Must(c.Run(t.Context(), Job{
			Args:       func([]string) []string { return []string{os.Args[0]} },
			Iterations: map[string]int{"Steps/n=1000000": 2, "Steps/n=4000000": 1, "Walk": 1},
			Method:     Functions, Timeout: time.Minute, Folder: t.TempDir(),
		}))(t)
		testkit.Equal(t, result.Failed, map[string]string{"Walk": "no steps"}, "%s: failed", name)
		a, b := result.Benchmarks["Steps/n=1000000"][0].Instructions, result.Benchmarks["Steps/n=4000000"][0].Instructions
		switch ratio := b / a; {
		case !(a > 0 && b > 0):
			t.Errorf("%s: counts %v and %v", name, a, b)
		case name == "valgrind" && (a < 1_000_000 || ratio < 3.999 || ratio > 4.001): // the clock counts nanoseconds
			t.Errorf("%s: 4 times the steps take %v times the instructions", name, ratio)
		}
	}
}
