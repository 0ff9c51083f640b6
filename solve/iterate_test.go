package solve_test

import (
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
)

// Both methods give the values of the solver, on every position that can be reached, under all rule sets.
func TestIterations(t *testing.T) {
	for _, all := range board.List() {
		for pieces := 1; pieces <= 2; pieces++ {
			if pieces == 2 && !all.IsFinkel() {
				continue
			}
			r := testkit.Must(all.WithPieces(pieces))(t)
			table := testkit.Must(solve.Solve(t.Context(), r, solve.Options{}))(t)
			g := solve.NewIterations(r)
			value := testkit.Must(g.ByValue(t.Context()))(t)
			policy := testkit.Must(g.ByPolicy(t.Context()))(t)
			for i, p := range g.Positions {
				want := table.Win(p)
				if math.Abs(value.Win[i]-want) > 1e-11 || math.Abs(policy.Win[i]-want) > 1e-11 {
					t.Fatalf("%s, %s: %v by values, %v by policies, want %v", r.Name(), r.FormatPosition(p), value.Win[i],
						policy.Win[i], want)
				}
			}
			t.Logf("%s, %d pieces: %d and %d sweeps, %d improvements", r.Name(), pieces, value.Sweeps, policy.Sweeps, policy.Improvements)
			testkit.ErrorIf(t, (policy.Improvements > 0) != (pieces > 1) || value.Sweeps < 2 || policy.Sweeps <= policy.Improvements,
				"%s: %+v, %+v", r.Name(), value.Sweeps, policy.Sweeps)
		}
	}
	_, err := solve.NewIterations(testkit.Must(board.Finkel().WithPieces(1))(t)).ByPolicy(testkit.CanceledContext())
	testkit.WantError(t, err, "canceled", "a cancelled run")
}
