package suite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
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
		if s.Slow() || strings.HasPrefix(s.Name(), "Perft/depth=9/generator=shift") {
			continue
		}
		if n, err := s.Pass(); err != nil || n <= 0 {
			t.Errorf("%s: %v pieces, %v", s.Name(), n, err)
		}
	}
}

// clocks measures a subject that only waits by both clocks, and returns how many of the
// suite's go by that on the wall.
func clocks(t *testing.T) int {
	t.Helper()
	wait := func(context.Context) (float64, uint64, error) { time.Sleep(5 * time.Millisecond); return 1, 0, nil }
	rows, err := Measure(context.Background(), []*Subject{
		{name: "Wait/x=1", unit: "s/pass", slow: true, wall: true, work: wait}, {name: "Wait/x=2", unit: "s/pass", slow: true, work: wait},
	}, experiment.Options{Count: 1, BenchTime: time.Microsecond})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if r := rows[1]; r.Name != "Wait/x=1" || r.Clock != "wall" || r.Median < 0.005 {
		t.Errorf("%+v, want 5 ms or more on the wall", r)
	}
	if r := rows[0]; r.Clock != "" {
		t.Errorf("%+v, want the clock of the record", r)
	}
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range all {
		if s.Wall() {
			n++
			if !strings.HasPrefix(s.Name(), "Perft/depth=12/threads=") || s.Unit() != "s/pass" || !s.Slow() {
				t.Errorf("%s goes by the clock on the wall", s.Name())
			}
		}
	}
	return n
}

func TestMeasure(t *testing.T) {
	work := func(context.Context) (float64, uint64, error) { return 10, 7, nil }
	o := experiment.Options{Count: 9, BenchTime: time.Microsecond, Time: func(s experiment.Subject, passes int) (float64, time.Duration, error) {
		n, err := s.Pass()
		return n * float64(passes), time.Duration(passes) * 50, err
	}}
	rows, err := Measure(context.Background(), []*Subject{
		{name: "B/x=1", unit: "s/pass", slow: true, work: work}, {name: "A/x=1", unit: "ns/list", work: work},
	}, o)
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if r := rows[0]; r.Name != "A/x=1" || r.Median != 5 || r.Samples != 9 {
		t.Errorf("%+v, want 5 ns a list", r)
	}
	if r := rows[1]; r.Samples != 3 || r.Nodes != 7 {
		t.Errorf("%+v, want 3 samples", r)
	}
	if n := clocks(t); n != 2 {
		t.Errorf("%d subjects on the wall's clock, want perft 12 on one and two threads", n)
	}
	broken := errors.New("broken")
	fails := func(context.Context) (float64, uint64, error) { return 0, 0, broken }
	if _, err := Measure(context.Background(), []*Subject{{name: "C", unit: "s/pass", work: fails}}, o); !errors.Is(err, broken) {
		t.Errorf("an error is lost: %v", err)
	}
}
