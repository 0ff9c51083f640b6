package board

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func lookup(t testing.TB, name string) *Rules {
	t.Helper()
	return testkit.Must(Lookup(name))(t)
}

// playout plays random moves for at most some turns, checks every position, and returns the
// number of turns.
func playout(t testing.TB, r *Rules, game uint64, most int) int {
	t.Helper()
	dice := r.Dice(3, game)
	rng := rand.New(rand.NewPCG(game, 5))
	p := r.Start()
	for turn := range most {
		if _, over := p.Winner(); over {
			return turn
		}
		roll := dice.Roll()
		testkit.FatalIf(t, roll != r.Roll(3, game, uint64(turn)) || r.Weight(roll) == 0,
			"%s: turn %d of game %d: roll %d", r.Name(), turn, game, roll)
		futures := checkTurn(t, r, p, roll)
		p = futures[rng.IntN(len(futures))]
	}
	return most
}

// checkTurn checks a position, its text, its mirror image and what a roll leads to, and returns that.
func checkTurn(t interface{ Fatalf(string, ...any) }, r *Rules, p Position, roll int) []Position {
	if q, err := r.ParsePosition(r.FormatPosition(p)); err != nil || q != p {
		t.Fatalf("%s: %s is read as %s, %v", r.Name(), r.FormatPosition(p), r.FormatPosition(q), err)
	}
	futures, mirrored := r.Futures(nil, p, roll), r.Futures(nil, p.Mirror(), roll)
	if want := max(1, len(r.Moves(nil, p, roll))); len(futures) != want || len(mirrored) != want {
		t.Fatalf("%s: %s, roll %d: %d futures, %d of the mirror image, want %d", r.Name(), r.FormatPosition(p), roll,
			len(futures), len(mirrored), want)
	}
	for i, f := range futures {
		if err := r.Check(f); err != nil || f.Pieces() != p.Pieces() || mirrored[i] != f.Mirror() {
			t.Fatalf("%s: %s, roll %d: future %d is %s, %s of the mirror image, %v", r.Name(), r.FormatPosition(p),
				roll, i, r.FormatPosition(f), r.FormatPosition(mirrored[i]), err)
		}
		share := math.MaxUint64 / uint64(len(futures)) // of the random numbers
		for _, random := range []uint64{share*uint64(i) + uint64(len(futures)), share*uint64(i+1) - 1} {
			if got := r.RandomFuture(p, roll, random); got != f {
				t.Fatalf("%s: %s, roll %d: random future %d is %s, want %s", r.Name(), r.FormatPosition(p), roll, i,
					r.FormatPosition(got), r.FormatPosition(f))
			}
		}
	}
	return futures
}

func TestGamesOfAllRules(t *testing.T) {
	for _, r := range List() {
		const games, most = 100, 10_000
		turns := 0
		for game := range uint64(games) {
			n := playout(t, r, game, most)
			testkit.ErrorIf(t, n == most, "%s: game %d does not end", r.Name(), game)
			turns += n
		}
		t.Logf("%s: %d turns a game of random moves", r.Name(), turns/games)
	}
}

func TestBuiltInRules(t *testing.T) {
	for name, want := range map[string][]int{
		"finkel":   {14, 7, 3, 8},
		"blitz":    {16, 5, 4, 12},
		"masters":  {16, 7, 4, 12},
		"masters4": {16, 7, 4, 12},
		"aseb":     {16, 5, 4, 12},
	} {
		r := lookup(t, name)
		var rosettes, meeting int
		for square := 1; square <= r.Squares(); square++ {
			if r.IsRosette(square) {
				rosettes++
			}
			if r.IsShared(square) {
				meeting++
				other := r.Across(square)
				testkit.ErrorIf(t, r.Across(other) != square || r.Tile(Light, square) != r.Tile(Dark, other),
					"%s: square %d is opposite %d", name, square, other)
			}
		}
		testkit.Equal(t, []int{r.Squares(), r.Pieces(), rosettes, meeting}, want,
			"%s: squares, pieces, rosettes and shared squares", name)
	}
}

// A move, and the position after it.
func TestApplyFollowsTheRules(t *testing.T) {
	for _, row := range testkit.Rows(t, "testdata/moves.txt", 6) {
		what, rules, position, move, want := row[0], row[1], row[2], row[4], row[5]
		r := lookup(t, rules)
		p := testkit.Must(r.ParsePosition(position))(t)
		moves := r.Moves(nil, p, testkit.Must(strconv.Atoi(row[3]))(t))
		i := slices.IndexFunc(moves, func(m Move) bool { return r.Notation(p.Turn(), m) == move })
		testkit.FatalIf(t, i < 0, "%s: moves %v of %s, want %s", what, moves, position, move)
		testkit.Equal(t, r.FormatPosition(r.Apply(p, moves[i])), want, "%s: after %s", what, move)
	}
}

func TestParsePositionErrors(t *testing.T) {
	r := lookup(t, "blitz")
	for _, row := range testkit.Rows(t, "testdata/positions.txt", 2) {
		testkit.WantError(t, testkit.ErrorOf(r.ParsePosition(row[0])), row[1], "%q", row[0])
	}
}

func TestWithPieces(t *testing.T) {
	r := lookup(t, "aseb")
	s := testkit.Must(r.WithPieces(2))(t)
	testkit.Equal(t, []any{s.Pieces(), s.Start().Pieces(), r.Pieces(), s.Equal(r)}, []any{2, 2, 5, true},
		"aseb with 2 pieces: its pieces, those of its start and of aseb, equality")
	for _, pieces := range []int{-1, 0, 11} {
		testkit.WantError(t, testkit.ErrorOf(r.WithPieces(pieces)), "want 1 to 10", "%d pieces", pieces)
	}
	testkit.Equal(t, r.Equal(lookup(t, "blitz")), false, "aseb equals blitz")
}

func TestLookup(t *testing.T) {
	_, err := Lookup("senet")
	testkit.ErrorIf(t, err == nil || errors.Unwrap(err) != nil, "error %v", err)
	for i, name := range Names() {
		r := lookup(t, name)
		testkit.ErrorIf(t, List()[i] != r || r.Name() != name || (r == Finkel()) != (i == 0),
			"rule set %d is %s, want %s", i, r.Name(), name)
	}
}

func TestMovesDoNotAllocate(t *testing.T) {
	r := lookup(t, "masters")
	p := r.Random(rand.New(rand.NewPCG(1, 1)), r.Pieces())
	var moves [MaxMoves]Move
	var futures [MaxMoves]Position
	testkit.Equal(t, testing.AllocsPerRun(100, func() {
		r.Moves(moves[:0], p, 2)
		r.Futures(futures[:0], p, 1)
	}), 0, "allocations")
}

// The rolls below were computed by a separate program in another language from
// the definition alone.
func TestDiceFollowTheDefinition(t *testing.T) {
	for _, test := range []struct {
		seed, game uint64
		rolls      string
	}{
		{1, 0, "3112221310321132331422322322311413313312"},
		{1, 1, "1212321222213133332313212133221023110211"},
		{1, 99999, "1302321102244212131312433224141212342104"},
		{0, 0, "4233213141332032324111142022112331343234"},
		{1<<64 - 1, 1<<64 - 1, "2242212231133322330223012111211311244221"},
	} {
		dice := finkel.Dice(test.seed, test.game)
		for turn, want := range test.rolls {
			testkit.MustEqual(t, dice.Roll(), int(want-'0'), "seed %d, game %d: roll %d", test.seed, test.game, turn)
			testkit.MustEqual(t, finkel.Roll(test.seed, test.game, uint64(turn)), int(want-'0'),
				"Roll(%d, %d, %d)", test.seed, test.game, turn)
		}
	}
}

func TestDice(t *testing.T) {
	d := lookup(t, "finkel").Definition()
	d.Name = "six"
	d.Dice = []int{0, 1, 1, 1, 1, 1, 1}
	six := testkit.Must(New(d))(t)
	for _, r := range append(List(), six) {
		const rolls = 40_000
		var counts [MaxRoll + 1]int
		dice := r.Dice(11, 0)
		for turn := range uint64(rolls) {
			roll := dice.Roll()
			counts[roll]++
			again := r.Roll(11, 0, turn)
			testkit.FatalIf(t, again != roll, "%s: roll %d is %d and %d", r.Name(), turn, roll, again)
		}
		for roll, n := range counts {
			p := r.Probability(roll)
			deviation := math.Abs(float64(n) - rolls*p)
			testkit.ErrorIf(t, deviation > 5*math.Sqrt(rolls*p*(1-p)),
				"%s: %d of %d rolls are %d, want %.0f", r.Name(), n, rolls, roll, rolls*p)
		}
	}
	r := lookup(t, "masters")
	testkit.Equal(t, []int{r.Weight(0), r.Weight(1), r.Weight(4), r.WeightSum(), r.MaxRoll()}, []int{0, 3, 1, 8, 4},
		"masters: weights of 0, 1 and 4, their sum, the largest roll")
}
