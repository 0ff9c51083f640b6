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

// visited is a decision that was visited.
type visited struct {
	question
	number uint64
	moves  [board.MaxMoves]board.Move
	win    [board.MaxMoves]float64
}

type question struct {
	position board.Position
	roll     int
}

// decisionsOf returns the decisions in the order of their parts.
func decisionsOf(t *testing.T, table *Table, o DecisionOptions) (all []visited) {
	t.Helper()
	byThread := make([]map[int][]visited, 8)
	testkit.NoError(t, table.EachDecision(t.Context(), o, func(thread, part int, d *Decision) error {
		if byThread[thread] == nil {
			byThread[thread] = map[int][]visited{}
		}
		v := visited{question: question{d.Position, d.Roll}, number: d.Number}
		copy(v.moves[:], d.Moves)
		copy(v.win[:], d.Win)
		byThread[thread][part] = append(byThread[thread][part], v)
		return nil
	}))
	parts := map[int][]visited{}
	for _, of := range byThread {
		for part, list := range of {
			testkit.ErrorIf(t, parts[part] != nil, "part %d is of two threads", part)
			parts[part] = list
		}
	}
	for part, left := 0, len(parts); left > 0; part++ {
		if parts[part] != nil {
			all, left = append(all, parts[part]...), left-1
		}
	}
	return all
}

// All decisions are those which the plain rules give, one position after another, under every rule set.
func TestDecisionsEqualPlainRules(t *testing.T) {
	list := append(board.List(), variants(t)...)
	for _, r := range list[:testkit.Trials(2, len(list))] {
		r := testkit.Must(r.WithPieces(2))(t)
		v := solved(t, r, Options{})
		got := map[question]visited{}
		all := decisionsOf(t, v, DecisionOptions{All: true, Threads: 3})
		for _, d := range all {
			got[d.question] = d
		}
		testkit.Equal(t, len(got), len(all), "different decisions")
		for _, light := range positionsOf(t, v.index, 2) {
			for roll := 1; roll <= r.MaxRoll(); roll++ {
				for _, p := range []board.Position{light, light.Mirror()} {
					moves := r.Moves(nil, p, roll)
					if len(moves) < 2 || r.Weight(roll) == 0 {
						continue
					}
					d := got[question{p, roll}]
					delete(got, question{p, roll})
					want := visited{question: question{p, roll}, number: d.number}
					for i, m := range moves {
						want.moves[i], want.win[i] = m, v.After(p, m)
					}
					testkit.FatalIf(t, d != want, "%s: %+v, want %+v", r.Name(), d, want)
				}
			}
		}
		testkit.Equal(t, len(got), 0, "%s: more decisions than the rules have", r.Name())
	}
}

func TestDecisionsDoNotDependOnThreads(t *testing.T) {
	v := solution(t, 2)
	for _, all := range []bool{false, true} {
		one := decisionsOf(t, v, DecisionOptions{All: all, Decisions: 30_000, Threads: 1})
		testkit.ErrorIf(t, len(one) < 30_000, "all %v: %d decisions", all, len(one))
		four := decisionsOf(t, v, DecisionOptions{All: all, Decisions: 30_000, Threads: 4})
		testkit.ErrorIf(t, !slices.Equal(four, one), "all %v: other decisions on four threads", all)
	}
}

func TestDecisionsEndWithErrors(t *testing.T) {
	v := solution(t, 2)
	broken := errors.New("broken")
	for _, all := range []bool{false, true} {
		err := v.EachDecision(t.Context(), DecisionOptions{All: all, Decisions: 1000}, func(int, int, *Decision) error { return broken })
		testkit.WantErrorIs(t, err, broken, "all %v", all)
		ctx, cancel := context.WithCancel(t.Context())
		err = v.EachDecision(ctx, DecisionOptions{All: all, Decisions: 1 << 30}, func(int, int, *Decision) error { cancel(); return nil })
		testkit.WantErrorIs(t, err, context.Canceled, "all %v", all)
	}
	for _, o := range []DecisionOptions{{Pieces: 3, All: true}, {Decisions: 0}, {Pieces: -1, All: true}} {
		err := v.EachDecision(t.Context(), o, func(int, int, *Decision) error { return nil })
		testkit.WantError(t, err, "decisions", "%+v", o)
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
		testkit.Near(t, sum, 0, 1e-14, "the mean luck of %v", p.Numbers())
	}
}

// Of equal moves, games between perfect players make the first one, as BestMove does.
func TestPerfectGamesMakeTheFirstBestMove(t *testing.T) {
	v := solution(t, 2)
	for i, win := range v.values {
		v.values[i] = math.Round(20*win) / 20 // many moves are equal
	}
	rules, seed := v.index.rulesOf(2), uint64(3)
	played := decisionsOf(t, v, DecisionOptions{Decisions: 2000, Seed: seed, Threads: 1})
	for game := uint64(0); len(played) > 0; game++ {
		p, dice := rules.Start(), rules.Dice(seed, game)
		for over := false; !over; _, over = p.Winner() {
			moves := rules.Moves(nil, p, dice.Roll())
			if len(moves) == 0 {
				p = p.Pass()
				continue
			}
			if len(moves) > 1 {
				testkit.FatalIf(t, len(played) == 0 || played[0].position != p, "game %d: another decision than in %v", game, p)
				played = played[1:]
			}
			best, _ := v.BestMove(p, moves)
			p = rules.Apply(p, moves[best])
		}
	}
}
