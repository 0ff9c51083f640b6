package judge

import (
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
)

func TestChanceOfProcesses(t *testing.T) {
	processes := func(slow int, cost float64) []float64 {
		return slices.Concat(slices.Repeat([]float64{1}, 16-slow), slices.Repeat([]float64{cost}, slow))
	}
	for _, test := range []struct {
		name     string
		old, new []float64
		want     bool
	}{
		{"none", processes(0, 1), processes(0, 1), false},
		{"new", processes(0, 1), processes(3, 8), true},
		{"one process", processes(0, 1), processes(1, 8), false},
		{"the same on both sides", processes(4, 8), processes(4, 8), false},
		{"much slower than before", processes(4, 2), processes(6, 8), true},
		{"more often", processes(1, 8), processes(10, 8), true},
		{"noise of a busy machine", processes(4, 2.3), processes(7, 2.3), false},
		{"half are faster than before", processes(16, 1.7), processes(8, 1.7), false},
		{"too few processes", processes(0, 1)[:7], processes(8, 8)[9:], false},
	} {
		if costs := (Processes{test.old, test.new}); (costs.Chance() != "") != test.want {
			t.Errorf("%s: reason %q, want one: %v", test.name, costs.Chance(), test.want)
		}
	}
}

// Few processes that run a benchmark shortly, and few rounds, tell together what neither tells alone.
func TestChanceOfRounds(t *testing.T) {
	starts := func(slow int) []float64 {
		return slices.Concat(slices.Repeat([]float64{3}, 8-slow), slices.Repeat([]float64{24}, slow))
	}
	rounds := func(slow int) (pairs []Pair) {
		for i := range 8 {
			p := Pair{Sides: [2]listing.Sample{{CPU: 1, Wall: 1}, {CPU: 1, Wall: 1}}}
			if i < slow {
				p.Sides[frame.New].CPU = 8
			}
			pairs = append(pairs, p)
		}
		return pairs
	}
	for _, test := range []struct {
		starts, rounds int // slow processes of the new side
		want           bool
	}{{0, 0, false}, {1, 1, false}, {1, 2, true}, {0, 4, true}, {3, 0, true}} {
		f := Evidence{Starts: Processes{starts(0), starts(test.starts)}, Pairs: rounds(test.rounds)}
		if got := f.chance(); (got != "") != test.want {
			t.Errorf("%d slow of 8 processes and %d of 8 rounds: %q, want a reason: %v", test.starts, test.rounds, got, test.want)
		}
	}
	if f := (Evidence{Pairs: rounds(4)[:5]}); f.chance() != "" {
		t.Errorf("4 slow of 5 rounds: %q, want none of too few", f.chance())
	}
}
