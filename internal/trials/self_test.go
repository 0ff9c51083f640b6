package trials

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// loop is a subject that counts.
type loop struct {
	n     int
	wrong error
}

func (*loop) Name() string   { return "Loop/size=100" }
func (*loop) Unit() string   { return "ns/op" }
func (l *loop) Check() error { return l.wrong }

func (l *loop) Pass() (float64, error) {
	for range 100 {
		l.n++
	}
	return 100, nil
}

// fakeSelf measures on a clock on which a pass takes 1 us and a spin 2 ns, and each
// sample is off by noise.
func fakeSelf(t *testing.T, noise float64, change func(*SelfOptions)) *Self {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	o := SelfOptions{
		Subject: &loop{}, Count: experiment.DefaultCount, BenchTime: time.Millisecond, Seed: 1,
		Time: func(_ context.Context, passes, spins int) (float64, time.Duration, error) {
			exact := float64(1000*passes + 2*spins)
			return float64(passes), time.Duration(exact * math.Exp(noise*rng.NormFloat64())), nil
		},
	}
	if change != nil {
		change(&o)
	}
	s, err := NewSelf(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSelfPlantsWhatItIsAskedFor(t *testing.T) {
	s := fakeSelf(t, 0, nil)
	if s.passes != 1000 || math.Abs(s.spins-500_000) > 1 {
		t.Errorf("%d passes, %v spins; want 1000, and 500000 that take as long", s.passes, s.spins)
	}
	for _, planted := range []float64{0, 0.05, 0.5} {
		for _, sideBySide := range []bool{true, false} {
			pair, err := s.Pair(t.Context(), 3, planted, sideBySide)
			if err != nil {
				t.Fatal(err)
			}
			if len(pair.Old) != experiment.DefaultCount || len(pair.New) != experiment.DefaultCount || pair.Paired != sideBySide {
				t.Errorf("%d and %d samples, paired %v", len(pair.Old), len(pair.New), pair.Paired)
			}
			for i := range pair.Old {
				if got := pair.New[i]/pair.Old[i] - 1; math.Abs(got-planted) > 1e-4 {
					t.Fatalf("slowdown %v, planted %v", got, planted)
				}
			}
		}
	}
}

// The whole way: a quiet machine has few false alarms, and shows a slowdown of 5 %.
func TestSelfTrials(t *testing.T) {
	s := fakeSelf(t, 0.01, nil)
	for _, sideBySide := range []bool{true, false} {
		for _, planted := range []float64{0, 0.05} {
			rates, err := s.Gate(planted, sideBySide).Run(t.Context(), compare.DefaultRule(), 20, nil)
			if err != nil || !rates.Met() || rates.Planted != planted || rates.Trials != 20 {
				t.Errorf("%+v, %v", rates, err)
			}
		}
	}
}

// With the real clock the engine works, and the spin takes time.
func TestSelfMeasures(t *testing.T) {
	s := fakeSelf(t, 0, func(o *SelfOptions) {
		o.Time, o.BenchTime, o.Count, o.Pin = nil, 10*time.Microsecond, stat.MinCount, &experiment.Pin{Core: experiment.AnyCore}
	})
	pair, err := s.Pair(t.Context(), 0, 20, true)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Min(pair.Old) <= 0 || len(pair.New) != stat.MinCount || s.sink == 0 {
		t.Errorf("pair %+v, sink %d: nothing was done", pair, s.sink)
	}
}

func TestSelfRefusesAndStops(t *testing.T) {
	for want, change := range map[string]func(*SelfOptions){
		"want at least 4":     func(o *SelfOptions) { o.Count = 3 },
		"want a positive one": func(o *SelfOptions) { o.BenchTime = 0 },
		"2 and 2 are 5":       func(o *SelfOptions) { o.Subject = &loop{wrong: errors.New("2 and 2 are 5")} },
	} {
		o := SelfOptions{Subject: &loop{}, Count: experiment.DefaultCount, BenchTime: time.Millisecond}
		change(&o)
		if _, err := NewSelf(t.Context(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fakeSelf(t, 0, nil).Pair(ctx, 0, 0, true); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
