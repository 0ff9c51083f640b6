package solve

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// always returns one player for every thread.
func always(choose Choose) func() (Choose, error) {
	return func() (Choose, error) { return choose, nil }
}

// first makes the first legal move, perfect the best one by a table.
func first(*Decision) (int, error) { return 0, nil }

func perfect(t *Table) Choose {
	return func(d *Decision) (int, error) {
		best, _ := t.BestMove(d.Position, d.Moves)
		return best, nil
	}
}

func regret(t *testing.T, table *Table, choose Choose, o RegretOptions) RegretStats {
	t.Helper()
	return testkit.Must(table.Regret(t.Context(), always(choose), o))(t)
}

func TestPerfectPlayHasNoRegret(t *testing.T) {
	v := solution(t, 2)
	for _, all := range []bool{false, true} {
		s := regret(t, v, perfect(v), RegretOptions{All: all, Decisions: 10_000})
		testkit.ErrorIf(t, s.Mean != 0 || s.Max != 0 || s.Optimal != 1 || s.Decisions < 10_000,
			"perfect play, all %v: %+v", all, s)
	}
}

// The regret of a player over all decisions is that which the plain rules give, one position after
// another, under every rule set.
func TestRegretEqualsPlainRules(t *testing.T) {
	list := append(board.List(), variants(t)...)
	for _, r := range list[:testkit.Trials(2, len(list))] {
		r := testkit.Must(r.WithPieces(2))(t)
		v := solved(t, r, Options{})
		var regrets []float64
		sum, optimal := 0.0, 0
		for _, light := range positionsOf(t, v.index, 2) {
			for roll := 1; roll <= r.MaxRoll(); roll++ {
				for _, p := range []board.Position{light, light.Mirror()} {
					moves := r.Moves(nil, p, roll)
					if len(moves) < 2 || r.Weight(roll) == 0 {
						continue
					}
					_, best := v.BestMove(p, moves)
					regret := 100 * (best - v.After(p, moves[0]))
					regrets, sum = append(regrets, regret), sum+regret
					if regret == 0 {
						optimal++
					}
				}
			}
		}
		slices.Sort(regrets)
		n := float64(len(regrets))
		at := func(part float64) float64 { return regrets[int(math.Ceil(part*n))-1] }
		s := regret(t, v, func(d *Decision) (int, error) {
			testkit.Equal(t, d.Moves, r.Moves(nil, d.Position, d.Roll), "%s: moves of %v with a %d", r.Name(),
				d.Position.Numbers(), d.Roll)
			return 0, nil
		}, RegretOptions{All: true})
		near := func(got, want float64) bool { return math.Abs(got-want) <= want/4000 }
		testkit.ErrorIf(t, s.Decisions != int64(n) || math.Abs(s.Mean-sum/n) > 1e-9 || !near(s.Max, at(1)) ||
			!near(s.P95, at(0.95)) || !near(s.P99, at(0.99)) || math.Abs(s.Optimal-float64(optimal)/n) > 0.001,
			"%s: %+v, want %v decisions, mean %v, max %v, optimal %v", r.Name(), s, n, sum/n, at(1), float64(optimal)/n)
	}
}

func TestRegretDoesNotDependOnThreads(t *testing.T) {
	v := solution(t, 2)
	for _, all := range []bool{false, true} {
		one := regret(t, v, first, RegretOptions{All: all, Decisions: 30_000, Threads: 1})
		testkit.Equal(t, regret(t, v, first, RegretOptions{All: all, Decisions: 30_000, Threads: 4}), one,
			"all %v: one thread", all)
		testkit.ErrorIf(t, one.Mean <= 0, "all %v: the first move is never wrong: %+v", all, one)
	}
}

func TestRegretReportsErrors(t *testing.T) {
	v := solution(t, 2)
	broken := errors.New("broken")
	for _, choose := range []Choose{
		func(*Decision) (int, error) { return 0, broken },
		func(d *Decision) (int, error) { return len(d.Moves), nil },
		func(*Decision) (int, error) { return -1, nil },
	} {
		for _, all := range []bool{false, true} {
			o := RegretOptions{All: all, Decisions: 1000}
			testkit.WantError(t, testkit.ErrorOf(v.Regret(t.Context(), always(choose), o)), "", "all %v", all)
		}
	}
	for _, o := range []RegretOptions{{Pieces: 3, All: true}, {Decisions: 0}, {Pieces: -1, All: true}} {
		testkit.WantError(t, testkit.ErrorOf(v.Regret(t.Context(), always(first), o)), "", "%+v", o)
	}
}

// The expected luck of a roll before it is thrown is 0 under perfect play.
func TestLuckIsFair(t *testing.T) {
	v := solution(t, 2)
	for _, p := range positionsOf(t, finkel, 2) {
		sum := 0.0
		for roll, ways := range board.Finkel().Definition().Dice {
			sum += float64(ways) / 16 * v.Luck(p, board.Finkel().Moves(nil, p, roll))
		}
		testkit.MustNear(t, sum, 0, 1e-14, "the mean luck of %v", p.Numbers())
	}
}

func TestRegretBins(t *testing.T) {
	for _, r := range []float64{1e-13, 1e-9, 0.001, 0.1, 1, 3.7, 50, 100} {
		testkit.Near(t, binRegret(regretBin(r)), r, r/4000, "regret %g comes back", r)
		testkit.ErrorIf(t, regretBin(r) == 0, "regret %g is in the bin of no regret", r)
	}
	testkit.Equal(t, regretBin(0), 0, "the bin of no regret")
}

// Of equal moves, games between perfect players make the first one, as BestMove does.
func TestPerfectGamesMakeTheFirstBestMove(t *testing.T) {
	v := solution(t, 2)
	for i, win := range v.values {
		v.values[i] = math.Round(20*win) / 20 // many moves are equal
	}
	rules, seed := v.index.rulesOf(2), uint64(3)
	var played []board.Position
	record := func(d *Decision) (int, error) {
		played = append(played, d.Position)
		return 0, nil
	}
	regret(t, v, record, RegretOptions{Decisions: 2000, Seed: seed, Threads: 1})
	for game := uint64(0); len(played) > 0; game++ {
		p, dice := rules.Start(), rules.Dice(seed, game)
		for over := false; !over; _, over = p.Winner() {
			moves := rules.Moves(nil, p, dice.Roll())
			if len(moves) == 0 {
				p = p.Pass()
				continue
			}
			if len(moves) > 1 {
				testkit.FatalIf(t, len(played) == 0 || played[0] != p, "game %d: another decision than in %v", game, p)
				played = played[1:]
			}
			best, _ := v.BestMove(p, moves)
			p = rules.Apply(p, moves[best])
		}
	}
}

// An interruption leaves what was measured until then.
func TestRegretKeepsWhatWasMeasuredUntilAnInterruption(t *testing.T) {
	v := solution(t, 2)
	for _, all := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		asked := 0
		choose := func(*Decision) (int, error) {
			if asked++; asked == 100 {
				cancel()
			}
			return 0, nil
		}
		s, err := v.Regret(ctx, always(choose), RegretOptions{All: all, Decisions: 1 << 30, Threads: 1})
		testkit.WantErrorIs(t, err, context.Canceled, "all %v", all)
		testkit.ErrorIf(t, s.Decisions != int64(asked) || !(s.Mean > 0) || !(s.Max >= s.P99),
			"all %v: %+v after %d decisions", all, s, asked)
	}
}
