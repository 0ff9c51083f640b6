package suite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Every subject that is not slow runs and is right; names are unique and can be split.
func TestSubjectsRun(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.Name()] {
			t.Errorf("two subjects are called %s", s.Name())
		}
		seen[s.Name()] = true
		for _, part := range strings.Split(s.Name(), "/")[1:] {
			if !strings.Contains(part, "=") {
				t.Errorf("%s: %s is no key=value", s.Name(), part)
			}
		}
		if experiment.Nanoseconds(s.Unit()) == 0 {
			t.Errorf("%s: %s is no time of something", s.Name(), s.Unit())
		}
		if s.slow || strings.HasPrefix(s.Name(), "Perft/depth=9/generator=shift") {
			continue
		}
		if n, err := s.Pass(); err != nil || n <= 0 {
			t.Errorf("%s: %v pieces, %v", s.Name(), n, err)
		}
	}
}

// The work of several threads goes by the wall clock, and no other.
func TestClocks(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range all {
		b := experiment.Describe(s)
		if (b.Clock == experiment.WallClock) != strings.HasPrefix(s.Name(), "Perft/depth=12/threads=") {
			t.Errorf("%s goes by the clock %q", s.Name(), b.Clock)
		}
		if b.Clock != "" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d subjects go by the wall clock, want perft 12 on one and two threads", n)
	}
}

// A slow subject is not checked by a pass of its own, and an error of any is not lost.
func TestSubjectsAreMeasured(t *testing.T) {
	passes := 0
	work := func(context.Context) (float64, uint64, error) { passes++; return 10, 7, nil }
	slow := &Subject{name: "B/x=1", unit: "s/pass", slow: true, base: "B/x=1", work: work}
	if err := slow.Check(); err != nil || passes != 0 {
		t.Errorf("%d passes for a check, %v", passes, err)
	}
	o := experiment.Options{Count: 9, BenchTime: time.Microsecond, Time: func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		n, err := s.Pass()
		return n * float64(passes), time.Duration(passes) * 50, err
	}}
	o.Subjects = []experiment.Subject{slow, &Subject{name: "A/x=1", unit: "ns/list", work: work}}
	run, err := experiment.Measure(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	results := experiment.NewResults(experiment.Environment{}, 1)
	results.Add("reversi", run, nil)
	if r := results.Rows[0]; r.Name != "B/x=1" || r.Samples != 9 || r.Metrics["nodes/pass"] != 7 || r.Ratio != 1 {
		t.Errorf("%+v", r)
	}
	if r := results.Rows[1]; r.Name != "A/x=1" || r.Median != 5 || r.Baseline != "" {
		t.Errorf("%+v, want 5 ns a list", r)
	}
	broken := errors.New("broken")
	fails := func(context.Context) (float64, uint64, error) { return 0, 0, broken }
	o.Subjects = []experiment.Subject{&Subject{name: "C", unit: "s/pass", work: fails}}
	if _, err := experiment.Measure(t.Context(), o); !errors.Is(err, broken) {
		t.Errorf("an error is lost: %v", err)
	}
}
