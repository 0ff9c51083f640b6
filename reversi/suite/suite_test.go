package suite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// Every subject that is not slow runs and is right; names are unique and can be split.
func TestSubjectsRun(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range all {
		if seen[s.Name] {
			t.Errorf("two subjects are called %s", s.Name)
		}
		seen[s.Name] = true
		for _, part := range strings.Split(s.Name, "/")[1:] {
			if !strings.Contains(part, "=") {
				t.Errorf("%s: %s is no key=value", s.Name, part)
			}
		}
		if s.Slow || strings.HasPrefix(s.Name, "Perft/depth=9/generator=shift") {
			continue
		}
		if n, _, err := s.Pass(context.Background()); err != nil || n <= 0 {
			t.Errorf("%s: %v pieces, %v", s.Name, n, err)
		}
	}
}

func TestMeasure(t *testing.T) {
	now := time.Duration(0)
	clock := func() time.Duration { return now }
	steady := func(cost time.Duration) func(context.Context) (float64, uint64, error) {
		return func(context.Context) (float64, uint64, error) { now += cost; return 10, 7, nil }
	}
	rows, err := Measure(context.Background(), []Subject{
		{Name: "A/x=1", Unit: "ns/list", Pass: steady(50)}, {Name: "B/x=1", Unit: "s", Slow: true, Pass: steady(20 * time.Second)},
	}, Options{Samples: 9, Least: 500, Clock: clock})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%+v, %v", rows, err)
	}
	if r := rows[0]; r.Median != 5 || r.Low != 5 || r.High != 5 || r.Samples != 9 {
		t.Errorf("%+v, want 5 ns a list", r)
	}
	if r := rows[1]; r.Median != 2 || r.Samples != 3 || r.Nodes != 7 {
		t.Errorf("%+v, want 2 s", r)
	}
	broken := errors.New("broken")
	if _, err := Measure(context.Background(), []Subject{{Name: "C", Pass: func(context.Context) (float64, uint64, error) { return 0, 0, broken }}}, Options{Samples: 1, Clock: clock}); !errors.Is(err, broken) {
		t.Errorf("an error is lost: %v", err)
	}
}

// Of six samples the interval is all of them, of nine it leaves one out at each end.
func TestOrder(t *testing.T) {
	for n, want := range map[int]int{1: 0, 5: 0, 6: 0, 9: 1, 12: 2, 20: 5} {
		if got := order(n); got != want {
			t.Errorf("of %d samples %d are left out at either end, want %d", n, got, want)
		}
	}
}
