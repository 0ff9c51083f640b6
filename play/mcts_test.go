package play

import (
	"fmt"
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

// mctsScore returns the share of games that a player wins.
func mctsScore(t *testing.T, player, rival string, games, pieces int) float64 {
	t.Helper()
	r := mustMatch(t, MatchConfig{Players: []Player{parse(t, player), parse(t, rival)}, Games: games, Pieces: pieces, Seed: 3})
	return float64(r.Wins[0]) / float64(games)
}

// The player beats random and greedy by 1,000 games a move, and more games beat fewer.
func TestMCTSGrowsWithGames(t *testing.T) {
	pieces, games := 2, 40
	if testkit.Long() {
		pieces, games = 7, 200
	}
	for _, test := range []struct {
		player, rival string
		least         float64 // share of games won
	}{
		{"mcts:games=1000", "random", 0.75}, {"mcts:games=1000", "greedy", 0.52}, {"mcts:games=100", "mcts:games=10", 0.6},
		{"mcts:games=1000", "mcts:games=100", 0.52}, {"mcts:games=100,leaf=net", "mcts:games=100", 0.52},
	} {
		got := mctsScore(t, test.player, test.rival, games, pieces)
		t.Logf("%s wins %.1f %% against %s", test.player, 100*got, test.rival)
		testkit.ErrorIf(t, got < test.least, "%s wins %.3f of its games against %s, want %v", test.player, got, test.rival, test.least)
	}
}

// The same seed gives the same games on any number of threads, and the searches of an instance do not
// depend on each other.
func TestMCTSOnAnyNumberOfThreads(t *testing.T) {
	for _, spec := range []string{"mcts:games=30", "mcts:games=30,leaf=net,c=0.5", "mcts:games=20,leaf=brain"} {
		want := ""
		for _, threads := range []int{1, 2, 5} {
			c := MatchConfig{Players: []Player{parse(t, spec), Greedy}, Games: 20, Pieces: 2, Seed: 9, Parallel: threads}
			got := outcome(mustMatch(t, c))
			testkit.ErrorIf(t, want != "" && got != want, "%s on %d threads: %s, want %s", spec, threads, got, want)
			want = got
		}
	}
}

// The values approach the exact solution when the leaf is the exact solution, and by random games the
// regret falls with their number.
func TestMCTSAgainstTheSolution(t *testing.T) {
	const pieces = 2
	table := solvetest.Table(t, pieces)
	r := testkit.Must(board.Finkel().WithPieces(pieces))(t)
	m := treePlayer{lookahead{"mcts", r, NewPerfect("perfect", r, OneTable(table))}, search.UCTLimits{Games: 4000}, 0}
	e := testkit.Must(NewEvaluator(m.newPlayer(), r, nil))(t)
	v := testkit.Must(e.Evaluate(t.Context(), r.Start(), search.NoRoll))(t)
	testkit.Near(t, v.Win, table.Win(r.Start()), 0.02, "value of the start")
	last := math.Inf(1)
	for _, games := range []int{8, 64, 512} {
		stats := testkit.Must(Regret(t.Context(), parse(t, fmt.Sprintf("mcts:games=%d", games)),
			table, nil, solve.DecisionOptions{Pieces: pieces, Decisions: 250, Seed: 2}))(t)
		t.Logf("%d games: regret %.3f", games, stats.Mean)
		testkit.ErrorIf(t, stats.Mean >= last, "regret of %d games: %v, of fewer games %v", games, stats.Mean, last)
		last = stats.Mean
	}
}

// Passes, finished games and games with other rules have values as well.
func TestMCTSEvaluates(t *testing.T) {
	for _, r := range board.List() {
		p := testkit.Must(ParsePlayerFor(r, "mcts:games=50"))(t)
		e := testkit.Must(NewEvaluator(p, r, nil))(t)
		v := testkit.Must(e.Evaluate(t.Context(), r.Start(), 1))(t)
		testkit.ErrorIf(t, v.Best != 0 || len(v.Moves) != 1 || v.Win <= 0 || v.Win >= 1, "%s: %+v", r.Name(), v)
	}
	e := testkit.Must(NewEvaluator(parse(t, "mcts:games=50"), board.Finkel(), nil))(t)
	v := testkit.Must(e.Evaluate(t.Context(), board.Finkel().Start(), 0))(t)
	testkit.ErrorIf(t, v.Best != -1 || len(v.Moves) != 1, "a pass: %+v", v)
	testkit.WantError(t, testkit.ErrorOf(e.Evaluate(t.Context(), board.Finkel().Start(), 9)), "roll 9", "roll 9")
}

// After its first search a player allocates nothing for its games.
func TestMCTSAllocatesNothing(t *testing.T) {
	turn := turnAt(t, "5:.L...L........:0 7:..............:0 L", 1)
	for _, spec := range []string{"mcts:games=200", "mcts:games=200,leaf=net"} {
		instance := testkit.Must(parse(t, spec).New(nil))(t)
		once := func() { testkit.Must(instance.Choose(t.Context(), turn))(t) }
		once()
		if n := testing.AllocsPerRun(5, once); n > 0 {
			t.Errorf("%s: %v allocations a move", spec, n)
		}
	}
}

func BenchmarkMCTS(b *testing.B) {
	for leaf, spec := range map[string]string{"random": "mcts:games=1000", "brain": "mcts:games=1000,leaf=brain",
		"net": "mcts:games=1000,leaf=net"} {
		b.Run("leaf="+leaf, func(b *testing.B) {
			p, err := ParsePlayer(spec)
			if err != nil {
				b.Fatal(err)
			}
			instance, err := p.New(nil)
			if err != nil {
				b.Fatal(err)
			}
			start := board.Finkel().Start()
			for b.Loop() {
				if _, err := instance.(Evaluator).Evaluate(b.Context(), start, search.NoRoll); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
