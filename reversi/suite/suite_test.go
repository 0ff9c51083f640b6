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
	broken := errors.New("broken")
	fails := func(context.Context) (float64, uint64, error) { return 0, 0, broken }
	if _, err := Measure(context.Background(), []*Subject{{name: "C", unit: "s/pass", work: fails}}, o); !errors.Is(err, broken) {
		t.Errorf("an error is lost: %v", err)
	}
}
