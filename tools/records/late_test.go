package main

import (
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Of several runs the worst exit code counts: a run that passes hides the slowdown.
func TestRunsOfLateWork(t *testing.T) {
	for _, c := range []struct{ a, b, want int }{
		{slower, slower, slower}, {slower, undecided, undecided}, {undecided, slower, undecided},
		{undecided, passed, passed}, {passed, slower, passed},
	} {
		testkit.Equal(t, worseCode(c.a, c.b), c.want, "worse exit code")
	}
	testkit.Equal(t, countVerdicts(map[string]int{"slower": 1}), "slower", "one run")
	testkit.Equal(t, countVerdicts(map[string]int{"slower": 20}), "slower in 20 runs", "runs that agree")
	testkit.Equal(t, countVerdicts(map[string]int{"undecided": 1, "slower": 19}), "slower in 19 runs, undecided in 1 run", "others")
}
