package search_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/connectfour"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

func uct[P any, G search.DiceGame[P]](t testing.TB, u *search.UCT[P, G], root P, roll int, seed uint64, games int) search.UCTResult {
	t.Helper()
	return testkit.Must(u.Search(context.Background(), root, roll, seed, search.UCTLimits{Games: games}))(t)
}

// On boards of tic-tac-toe, a quarter of all, the tree finds a move of perfect play.
func TestUCTFindsBestMoves(t *testing.T) {
	reached := map[tictactoe.Position]bool{}
	walkTicTacToe(tictactoe.Position{}, reached)
	u := search.NewUCT[tictactoe.Position](tictactoe.Game{}, search.UCTOptions[tictactoe.Position]{})
	table := testkit.Must(search.NewTable(1 << 20))(t)
	oracle := testkit.Must(search.New[tictactoe.Position](tictactoe.Game{}, search.Options{Table: table}))(t)
	sign := func(v search.Value) int { return min(1, max(-1, int(v))) }
	checked := 0
	for p := range reached {
		if checked++; checked%4 != 0 {
			continue
		}
		exact := testkit.Must(oracle.Search(t.Context(), p, search.Limits{Depth: 9}))(t)
		r := uct(t, u, p, 0, 1, 2000)
		after := oracle.Moves()[r.Best].Next
		reply := testkit.Must(oracle.Search(t.Context(), after, search.Limits{Depth: 9}))(t)
		if got, want := -sign(reply.Value), sign(exact.Value); got != want {
			t.Errorf("\n%s: move %d has the result %d, perfect play %d: %+v", p, r.Best, got, want, r)
		}
	}
}

func walkTicTacToe(p tictactoe.Position, reached map[tictactoe.Position]bool) {
	if _, over := p.Over(); over || reached[p] {
		return
	}
	reached[p] = true
	for square := range 9 {
		if (p.Own|p.Opp)>>square&1 == 0 {
			walkTicTacToe(p.After(square), reached)
		}
	}
}

// A pile is a game with dice and a known value: a side takes a stone, or as many as it rolled, 1 or 2,
// and whoever takes the last one wins. Taking exactly two grants another roll.
type pile struct{}

func (pile) Key(p *int) search.Key   { return search.KeyOf(uint64(*p)) }
func (pile) Weights() []search.Value { return []search.Value{3, 1} }
func (pile) Value(p *int) search.Value {
	if *p == 0 {
		return -1
	}
	return 0
}

func (g pile) Moves(p *int, roll int, list *search.List[int]) search.Value {
	for n := 1; n <= min(roll+1, *p); n++ {
		m := list.Add()
		m.Next, m.ID, m.Again = *p-n, uint8(n), n == 2 && *p > 2
	}
	return g.Value(p)
}

// win returns the exact probability that the side to roll wins.
func (g pile) win(stones int) float64 {
	if stones == 0 {
		return 0
	}
	sum := 0.0
	for roll, weight := range g.Weights() {
		sum += float64(weight) / 4 * g.best(stones, roll)
	}
	return sum
}

func (g pile) best(stones, roll int) float64 {
	best := 1 - g.win(stones-1)
	if roll == 1 && stones >= 2 {
		two := 1 - g.win(stones-2)
		if stones > 2 {
			two = g.win(stones - 2)
		}
		best = max(best, two)
	}
	return best
}

// With dice the mean approaches the exact expectation, and the best move is that of the roll.
func TestUCTWithDice(t *testing.T) {
	u := testkit.Must(search.NewDiceUCT[int](pile{}, search.UCTOptions[int]{}))(t)
	for stones := 1; stones <= 7; stones++ {
		r := uct(t, u, stones, search.NoRoll, 1, 100_000)
		testkit.Near(t, r.Win, pile{}.win(stones), 0.02, "%d stones: probability to win", stones)
		testkit.Equal(t, []int{r.Best, len(r.Moves)}, []int{-1, 0}, "%d stones before the roll: move", stones)
		if stones < 3 {
			continue
		}
		r = uct(t, u, stones, 1, 1, 20_000)
		after := []float64{1 - pile{}.win(stones-1), pile{}.win(stones - 2)}
		testkit.Near(t, after[r.Best], max(after[0], after[1]), 0.01, "%d stones: value of the move after a 2, %+v", stones, r)
	}
}

// A seed determines the result, whatever was searched before, and another seed changes it.
func TestUCTIsDeterministic(t *testing.T) {
	searchStart := func(u *search.UCT[connectfour.Position, search.DiceGame[connectfour.Position]], seed uint64) search.UCTResult {
		r := uct(t, u, connectfour.Position{}, 0, seed, 500)
		r.Moves = append([]search.UCTMove(nil), r.Moves...)
		return r
	}
	u := search.NewUCT[connectfour.Position](connectfour.Game{}, search.UCTOptions[connectfour.Position]{})
	first := searchStart(u, 1)
	other := searchStart(u, 2)
	testkit.Equal(t, searchStart(u, 1), first, "the same search again")
	testkit.ErrorIf(t, other.Win == first.Win, "another seed has the same result %+v", other)
	testkit.Equal(t, first.Games, 500, "games")
	sum := 0
	for _, m := range first.Moves {
		sum += m.Games
	}
	testkit.Equal(t, sum, 500, "games of all moves")
}

// A leaf replaces the random games, and its values reach the right side.
func TestUCTLeaf(t *testing.T) {
	o := search.UCTOptions[int]{Leaf: func(p *int) float64 { return pile{}.win(*p) }}
	u := testkit.Must(search.NewDiceUCT[int](pile{}, o))(t)
	for stones := 3; stones <= 12; stones++ {
		r := uct(t, u, stones, 1, 1, 2) // one for each move
		testkit.Near(t, r.Moves[0].Win, 1-pile{}.win(stones-1), 1e-12, "%d stones: one", stones)
		testkit.Near(t, r.Moves[1].Win, pile{}.win(stones-2), 1e-12, "%d stones: two, and again", stones)
	}
}

// A search ends by the clock and with its context, and rejects wrong limits.
func TestUCTLimits(t *testing.T) {
	now := time.Unix(0, 0)
	o := search.UCTOptions[int]{Now: func() time.Time { now = now.Add(time.Millisecond); return now }}
	u := testkit.Must(search.NewDiceUCT[int](pile{}, o))(t)
	r := testkit.Must(u.Search(t.Context(), 9, 1, 1, search.UCTLimits{Time: 10 * time.Millisecond}))(t)
	testkit.Equal(t, r.Games, 320, "games until the time is up")
	r = testkit.Must(u.Search(testkit.CanceledContext(), 9, 1, 1, search.UCTLimits{}))(t)
	testkit.ErrorIf(t, r.Games == 0 || r.Games > 100 || r.Best < 0, "a cancelled search: %+v", r)
	testkit.WantError(t, testkit.ErrorOf(u.Search(t.Context(), 9, 2, 1, search.UCTLimits{Games: 1})), "roll is 2", "roll 2")
	testkit.WantError(t, testkit.ErrorOf(u.Search(t.Context(), 9, 1, 1, search.UCTLimits{Games: -1})), "want 0 or more", "games -1")
	r = uct(t, u, 0, 1, 1, 10)
	testkit.Equal(t, []any{r.Best, r.Win}, []any{-1, 0.0}, "a finished game")
}

// After its first search a tree allocates nothing.
func TestUCTAllocatesNothing(t *testing.T) {
	u := search.NewUCT[connectfour.Position](connectfour.Game{}, search.UCTOptions[connectfour.Position]{})
	ctx := context.Background()
	once := func() { _, _ = u.Search(ctx, connectfour.Position{}, 0, 1, search.UCTLimits{Games: 300}) }
	once()
	if n := testing.AllocsPerRun(3, once); n != 0 {
		t.Errorf("%v allocations a search", n)
	}
}

// In connect four many games beat few ones.
func TestUCTGrowsWithGames(t *testing.T) {
	o := search.UCTOptions[connectfour.Position]{}
	u := search.NewUCT[connectfour.Position](connectfour.Game{}, o)
	const pairs = 15
	points := 0
	for game := range 2 * pairs {
		games := [2]int{20, 400}
		if game%2 == 1 {
			games = [2]int{400, 20}
		}
		p := connectfour.Position{}
		random := rand.New(rand.NewPCG(5, uint64(game/2)))
		for range 4 {
			p = p.Play(random.IntN(connectfour.Columns))
		}
		winner := -1
		for ply := 0; ; ply++ {
			var list search.List[connectfour.Position]
			result := (connectfour.Game{}).Moves(&p, &list)
			if len(list.All()) == 0 {
				if result > 0 {
					winner = games[ply%2]
				} else if result < 0 {
					winner = games[1-ply%2]
				}
				break
			}
			p = list.All()[uct(t, u, p, 0, uint64(game*100+ply), games[ply%2]).Best].Next
		}
		switch winner {
		case 400:
			points += 2
		case -1:
			points++
		}
	}
	if points < 3*pairs { // 75 %
		t.Errorf("400 games score %d of %d points against 20", points, 4*pairs)
	}
}
