package play

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestRegretOfPlayers(t *testing.T) {
	table := solvetest.Table(t, 2)
	mean := map[string]float64{}
	for _, name := range []string{"first", "random", "brain:classic"} {
		mean[name] = testkit.Must(Regret(t.Context(), parse(t, name), table, nil,
			solve.DecisionOptions{Pieces: 2, Decisions: 20_000}))(t).Mean
	}
	testkit.ErrorIf(t, !(0 < mean["brain:classic"] && mean["brain:classic"] < mean["first"] && mean["first"] < 100),
		"mean regrets %v: a brain must be better than the first move", mean)
	s := testkit.Must(Regret(t.Context(), NewPerfect("perfect", board.Finkel(), OneTable(table)), table, nil,
		solve.DecisionOptions{Pieces: 2, All: true}))(t)
	testkit.Equal(t, []float64{s.Mean, s.Optimal}, []float64{0, 1}, "perfect play: mean regret, share of best moves")
}

// The statistics are those of the sorted regrets, on any number of threads.
func TestRegretStatistics(t *testing.T) {
	table := solvetest.Table(t, 2)
	var regrets []float64
	sum, optimal := 0.0, 0
	testkit.NoError(t, table.EachDecision(t.Context(), solve.DecisionOptions{All: true, Threads: 1}, func(_, _ int, d *solve.Decision) error {
		regret := 100 * (slices.Max(d.Win) - d.Win[0])
		regrets, sum = append(regrets, regret), sum+regret
		if regret == 0 {
			optimal++
		}
		return nil
	}))
	slices.Sort(regrets)
	n := float64(len(regrets))
	at := func(part float64) float64 { return regrets[int(math.Ceil(part*n))-1] }
	one := testkit.Must(Regret(t.Context(), First, table, nil, solve.DecisionOptions{All: true, Threads: 1}))(t)
	testkit.Equal(t, []any{one.Decisions, one.Optimal}, []any{int64(n), float64(optimal) / n}, "decisions, share of best moves")
	testkit.Near(t, one.Mean, sum/n, 1e-9, "mean")
	for _, q := range []struct{ part, got float64 }{{0.95, one.P95}, {0.99, one.P99}, {1, one.Max}} {
		testkit.Near(t, q.got, at(q.part), at(q.part)/4000, "quantile %g", q.part)
	}
	testkit.Equal(t, testkit.Must(Regret(t.Context(), First, table, nil, solve.DecisionOptions{All: true, Threads: 4}))(t), one, "on four threads")
	games := solve.DecisionOptions{Decisions: 30_000, Threads: 1}
	one = testkit.Must(Regret(t.Context(), First, table, nil, games))(t)
	games.Threads = 3
	testkit.Equal(t, testkit.Must(Regret(t.Context(), First, table, nil, games))(t), one, "in games, on three threads")
}

// playerOf returns a player that calls a function.
func playerOf(choose instanceFunc) Player {
	return Player{Spec: "function", New: func(ur.Engine) (Instance, error) { return choose, nil }}
}

func TestRegretReportsErrors(t *testing.T) {
	table := solvetest.Table(t, 2)
	for _, p := range []instanceFunc{
		func(*Turn) (int, error) { return 0, errors.New("broken") },
		func(t *Turn) (int, error) { return len(t.Moves), nil },
		func(*Turn) (int, error) { return -1, nil },
	} {
		for _, all := range []bool{false, true} {
			_, err := Regret(t.Context(), playerOf(p), table, nil, solve.DecisionOptions{All: all, Decisions: 1000})
			testkit.WantError(t, err, "", "all %v", all)
		}
	}
}

// An interruption leaves what was measured until then.
func TestRegretKeepsWhatWasMeasuredUntilAnInterruption(t *testing.T) {
	table := solvetest.Table(t, 2)
	for _, all := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		p := playerOf(func(*Turn) (int, error) {
			if asked++; asked == 100 {
				cancel()
			}
			return 0, nil
		})
		s, err := Regret(ctx, p, table, nil, solve.DecisionOptions{All: all, Decisions: 1 << 30, Threads: 1})
		testkit.WantErrorIs(t, err, context.Canceled, "all %v", all)
		testkit.ErrorIf(t, s.Decisions != int64(asked) || !(s.Mean > 0) || !(s.Max >= s.P99),
			"all %v: %+v after %d decisions", all, s, asked)
	}
}

func TestRegretBins(t *testing.T) {
	for _, r := range []float64{1e-13, 1e-9, 0.001, 0.1, 1, 3.7, 50, 100} {
		testkit.Near(t, binRegret(regretBin(r)), r, r/4000, "regret %g comes back", r)
		testkit.ErrorIf(t, regretBin(r) == 0, "regret %g is in the bin of no regret", r)
	}
	testkit.Equal(t, regretBin(0), 0, "the bin of no regret")
}
