package timing

import (
	"slices"
	"testing"
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
		{"too few processes", processes(0, 1)[:7], processes(8, 8)[9:], false},
	} {
		if costs := (startCosts{test.old, test.new}); (costs.reason() != "") != test.want {
			t.Errorf("%s: reason %q, want one: %v", test.name, costs.reason(), test.want)
		}
	}
}
