package bench

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
)

// fakeSelf measures on a clock on which a pass takes 1 us and a spin 2 ns, and each
// sample is off by noise.
func fakeSelf(t *testing.T, noise float64, change func(*SelfOptions)) *Self {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	o := SelfOptions{
		Engine: engine.Fastest(), Level: Game, Count: DefaultCount, BenchTime: time.Millisecond, Seed: 1,
		Clock: func(passes, spins int) (time.Duration, error) {
			exact := float64(1000*passes + 2*spins)
			return time.Duration(exact * math.Exp(noise*rng.NormFloat64())), nil
		},
	}
	if change != nil {
		change(&o)
	}
	s, err := NewSelf(t.Context(), testWorkload(t), o)
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
			if len(pair.Old) != DefaultCount || len(pair.New) != DefaultCount || pair.Paired != sideBySide {
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

func TestOrderOfSelf(t *testing.T) {
	s := fakeSelf(t, 0, nil)
	if got := s.order(0, false); !slices.IsSorted(got) || len(got) != 2*DefaultCount {
		t.Errorf("one after the other: %v", got)
	}
	a, b := s.order(1, true), s.order(2, true)
	if slices.Equal(a, b) || !slices.Equal(a, s.order(1, true)) {
		t.Error("the order does not follow from the number of the pair alone")
	}
	for i := 0; i < len(a); i += 2 {
		if a[i]+a[i+1] != 1 {
			t.Fatalf("round %d of %v does not have both sides", i/2, a)
		}
	}
}

// The whole way: a quiet machine has few false alarms, and shows a slowdown of 5 %.
func TestSelfTrials(t *testing.T) {
	s := fakeSelf(t, 0.01, nil)
	for _, sideBySide := range []bool{true, false} {
		for _, planted := range []float64{0, 0.05} {
			rates, err := Trials(t.Context(), DefaultGateRule(), s.Trial(planted, sideBySide), 20, nil)
			if err != nil || !rates.Met() || rates.Planted != planted || rates.Trials != 20 {
				t.Errorf("%+v, %v", rates, err)
			}
		}
	}
}

// With the real clock the engine works, and the spin takes time.
func TestSelfMeasures(t *testing.T) {
	s := fakeSelf(t, 0, func(o *SelfOptions) {
		o.Clock, o.BenchTime, o.Count, o.Pin = nil, 10*time.Microsecond, stat.MinCount, &Pin{AnyCore}
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
		"at least 4 samples": func(o *SelfOptions) { o.Count = 3 },
		"must be positive":   func(o *SelfOptions) { o.BenchTime = 0 },
		"does not agree":     func(o *SelfOptions) { o.Engine = wrongEngine{engine.Oracle()} },
	} {
		o := SelfOptions{Engine: engine.Fastest(), Level: Game, Count: DefaultCount, BenchTime: time.Millisecond}
		change(&o)
		if _, err := NewSelf(t.Context(), testWorkload(t), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fakeSelf(t, 0, nil).Pair(ctx, 0, 0, true); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}
