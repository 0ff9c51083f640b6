package reversi

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/search"
)

// A random move is each of the listed moves for its share of the random numbers, and both see the same
// end of the game.
func TestRandomMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	passes := 0
	for range 300 {
		for b := board.Start; ; {
			var list search.List[board.Board]
			want := (game{}).Moves(&b, &list)
			moves := list.All()
			for i, m := range moves {
				next := b
				share := math.MaxUint64 / uint64(len(moves))
				again, over, _ := game{}.RandomMove(&next, 0, share*uint64(i)+uint64(len(moves)))
				if again || over || next != m.Next {
					t.Fatalf("%v: random move %d of %d is %v (again %t, over %t), want %v", b, i, len(moves), next, again, over, m.Next)
				}
			}
			if len(moves) == 0 {
				end := b
				again, over, got := game{}.RandomMove(&end, 0, 1)
				if again || !over || got != want || end != b || !b.Over() {
					t.Fatalf("%v: the end has the result %d (over %t), want %d", b, got, over, want)
				}
				break
			}
			if moves[0].ID == uint8(board.Pass) {
				passes++
			}
			b = moves[random.IntN(len(moves))].Next
		}
	}
	if passes == 0 {
		t.Error("no pass in these games")
	}
}

// mctsMatch returns the score of 10 games.
func mctsMatch(t *testing.T, parallel int, player, rival string) Score {
	t.Helper()
	return played(t, Match{Players: []string{player, rival}, Pairs: 5, Seed: 4, Parallel: parallel})
}

// The player beats random and greedy by 1,000 games a move, and more games or a leaf beat fewer games.
func TestMCTSGrowsWithGames(t *testing.T) {
	for _, test := range []struct {
		player, rival string
		least         float64
	}{
		{"mcts:games=1000", "random", 0.9}, {"mcts:games=1000", "greedy", 0.9}, {"mcts:games=100", "mcts:games=10", 0.75},
		{"mcts:games=1000", "mcts:games=100", 0.75}, {"mcts:games=200,leaf=learned", "mcts:games=1000", 0.75},
		{"mcts:games=200,leaf=hand", "mcts:games=100", 0.6},
	} {
		if got := mctsMatch(t, 1, test.player, test.rival).Pairs.Score(); got < test.least {
			t.Errorf("%s scores %.2f against %s, want %.2f", test.player, got, test.rival, test.least)
		}
	}
}

// The same seed gives the same games on any number of threads.
func TestMCTSOnAnyNumberOfThreads(t *testing.T) {
	const player, rival = "mcts:games=30", "mcts:games=20,leaf=learned,c=0.5"
	one, three := mctsMatch(t, 1, player, rival), mctsMatch(t, 3, player, rival)
	testkit.Equal(t, three, one, "on three threads")
}

func TestMCTSSpecs(t *testing.T) {
	for spec, want := range map[string]string{
		"mcts": "no options", "mcts:leaf=hand": "no limit", "mcts:games=0": "1 or more", "mcts:games=1,c=-1": "above 0",
		"mcts:time=-1s": "100ms", "mcts:games=5,games=6": "repeated", "mcts:games=5,leaf=none": "not allowed here",
	} {
		testkit.WantError(t, testkit.ErrorOf(ParsePlayer(spec, Env{})), want, "%s", spec)
	}
	files := Kinds().Files("mcts:games=5,leaf=weights.bin")
	if !slices.Equal(files, []string{"weights.bin"}) || Kinds().Files("mcts:games=5,leaf=hand") != nil {
		t.Errorf("files %q of a leaf", files)
	}
}

// After its first search a player allocates nothing, by random games and by a leaf.
func TestMCTSAllocatesNothing(t *testing.T) {
	for _, spec := range []string{"mcts:games=100", "mcts:games=100,leaf=learned"} {
		p := testkit.Must(ParsePlayer(spec, Env{}))(t)
		once := func() { testkit.Must(p.Choose(context.Background(), board.StartPosition(), Limits{}))(t) }
		once()
		if n := testing.AllocsPerRun(5, once); n > 0 {
			t.Errorf("%s: %v allocations a move", spec, n)
		}
	}
}

func BenchmarkMCTS(b *testing.B) {
	for leaf, spec := range map[string]string{"random": "mcts:games=1000", "learned": "mcts:games=1000,leaf=learned"} {
		b.Run("leaf="+leaf, func(b *testing.B) {
			p := testkit.Must(ParsePlayer(spec, Env{}))(b)
			for b.Loop() {
				testkit.Must(p.Choose(b.Context(), board.StartPosition(), Limits{}))(b)
			}
		})
	}
}
