package report

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The additional work of a function has the calls behind it, if these differ by more than chance.
func TestDescribeFunction(t *testing.T) {
	const generic = "example.com/a.Keys[go.shape.string,example.com/b.T]"
	for want, f := range map[string]Function{
		"p.skip 41 more instructions an operation, called 12 times instead of 8": {Name: "example.com/p.skip", More: 41,
			Calls: [2]float64{8, 12}},
		"a.Keys 2 more instructions an operation": {Name: generic, More: 2},
		"a.F 6,000 fewer instructions an operation": {Name: "a.F", More: -6000,
			Calls: [2]float64{1, 1.001}},
		"a.F 30 more instructions an operation, called 2 times, and not before": {Name: "a.F", More: 30,
			Calls: [2]float64{0.0001, 2}},
		"a.F 30 fewer instructions an operation, no longer called": {Name: "a.F", More: -30,
			Calls: [2]float64{2, 0}},
	} {
		if got := f.describe(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The headline begins with times, and an allocation where there was none has no percentage.
func TestHeadline(t *testing.T) {
	row := Row{Name: "p.F", Verdict: verdict.Slower, Speaks: true}
	allocation, time := row, row
	allocation.Unit, allocation.New, allocation.Delta = AllocsUnit, 1, verdict.Number(math.Inf(1))
	time.Unit, time.Old, time.New, time.Delta = TimeUnit, 1e-9, 1.5e-9, 0.5
	r := Report{Rows: []Row{allocation, time}}
	r.Decide(false, false)
	if got := r.Summary(); !strings.HasPrefix(got, "Slower: p.F +50.00% sec/op, p.F new allocs/op.") {
		t.Error(got)
	}
}
