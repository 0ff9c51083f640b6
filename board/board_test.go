package board

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"pgregory.net/rapid"
)

// drawPosition draws a legal, unfinished position with 1 to 7 pieces.
func drawPosition(t *rapid.T) Position {
	seed := rapid.Uint64().Draw(t, "seed")
	pieces := rapid.IntRange(1, FinkelPieces).Draw(t, "pieces")
	return finkel.Random(rand.New(rand.NewPCG(seed, 0)), pieces)
}

func finkelText(p Position) string { return finkel.FormatPosition(p) }

func mustParse(t testing.TB, text string) Position {
	t.Helper()
	return testkit.Must(finkel.ParsePosition(text))(t)
}

func TestMovesFollowTheRules(t *testing.T) {
	for _, test := range []struct {
		rule     string
		position string
		roll     int
		want     []Move
	}{
		{"a piece enters from the hand", "7:..............:0 7:..............:0 L", 3, []Move{{From: 0, To: 3}}},
		{"a roll of 0 passes", "7:..............:0 7:..............:0 L", 0, nil},
		{"an own piece blocks", "6:..L...........:0 7:..............:0 L", 3, []Move{{From: 3, To: 6}}},
		{"an opponent in the combat zone is captured", "6:..L...........:0 6:.....D........:0 L", 3,
			[]Move{{From: 3, To: 6, Capture: true}}},
		{"squares of its own side cannot meet the opponent", "6:.L............:0 6:...D..........:0 L", 2,
			[]Move{{From: 2, To: 4}}},
		{"the rosette on 8 is safe", "6:.....L........:0 6:.......D......:0 L", 2, []Move{{From: 0, To: 2}}},
		{"a piece comes home by an exact throw", "5:............LL:0 7:..............:0 L", 2,
			[]Move{{From: 0, To: 2}, {From: 13, To: 15}}},
		{"too large a throw is no move", "0:.............L:6 7:..............:0 L", 2, nil},
		{"home holds any number", "0:.............L:6 7:..............:0 L", 1, []Move{{From: 14, To: 15}}},
		{"dark moves by the same rules", "7:..............:0 6:...D..........:0 D", 4, []Move{{From: 4, To: 8}}},
		{"a finished game has no moves", "0:..............:7 6:...D..........:0 D", 4, nil},
	} {
		got := finkel.Moves(nil, mustParse(t, test.position), test.roll)
		testkit.Equal(t, got, test.want, "%s: %s, roll %d: moves", test.rule, test.position, test.roll)
	}
}

// The number of positions is published: 12,990 with Light to move and Dark not
// finished in the two-piece game, 121 of them won. Check must accept just those.
func TestCheckAcceptsThePublishedNumberOfPositions(t *testing.T) {
	const pieces = 2
	stored, won := 0, 0
	var rows []Position // every arrangement of one side
	for squares := range 1 << 14 {
		for home := range pieces + 1 {
			p := Position{pieces: pieces}
			p.squares[Light], p.home[Light] = uint32(squares<<1), uint8(home)
			if p.squaresWalked(Light) <= pieces {
				rows = append(rows, p)
			}
		}
	}
	for _, light := range rows {
		for _, dark := range rows {
			p := light
			p.squares[Dark], p.home[Dark] = dark.squares[Light], dark.home[Light]
			if finkel.Check(p) != nil || p.Home(Dark) == pieces {
				continue
			}
			stored++
			if _, over := p.Winner(); over {
				won++
			}
		}
	}
	testkit.Equal(t, []int{stored, won}, []int{12990, 121}, "positions, and won ones")
}

func TestFromNumbersRefusesWhatTheRulesForbid(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(x *[Numbers]int)
		want   string
	}{
		{"negative", func(x *[Numbers]int) { x[3] = -1 }, "entry 3 is -1"},
		{"crowd", func(x *[Numbers]int) { x[0], x[3] = 5, 2 }, "at most one piece on square 3"},
		{"huge", func(x *[Numbers]int) { x[0] = 300 }, "at most 7"},
		{"turn", func(x *[Numbers]int) { x[32] = 2 }, "entry 32 is 2"},
		{"unequal", func(x *[Numbers]int) { x[0] = 6 }, "light has 6 pieces, dark has 7"},
		{"none", func(x *[Numbers]int) { x[0], x[16] = 0, 0 }, "must be 1 to 7, got 0"},
		{"shared", func(x *[Numbers]int) { x[0], x[16], x[6], x[22] = 6, 6, 1, 1 }, "both sides have a piece on B2"},
		{"two winners", func(x *[Numbers]int) { x[0], x[16], x[15], x[31] = 0, 0, 7, 7 }, "every piece home"},
	} {
		x := finkel.Start().Numbers()
		test.change(&x)
		testkit.WantError(t, testkit.ErrorOf(FromNumbers(x)), test.want, "%s", test.name)
	}
	testkit.WantError(t, finkel.Check(Position{}), "", "the zero Position passes Check")
}

func TestPositionInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t)
		roll := rapid.IntRange(0, FinkelRoll).Draw(t, "roll")
		checkTurn(t, finkel, p, roll)
		q := testkit.Must(FromNumbers(p.Numbers()))(t)
		testkit.MustEqual(t, q, p, "numbers of %s read back", finkelText(p))
		testkit.MustEqual(t, p.Mirror().Mirror(), p, "%s mirrored twice", finkelText(p))
		moves := finkel.Moves(nil, p, roll)
		testkit.MustEqual(t, moves, finkel.Moves(nil, p.Mirror(), roll), "%s and its mirror have moves", finkelText(p))
	})
}

// FuzzParsePosition feeds any text to the parser: it must refuse it with an error
// or return a legal position whose own text means the same position.
func FuzzParsePosition(f *testing.F) {
	f.Add("7:..............:0 7:..............:0 L")
	f.Add("5:L...L.........:0 6:....D.........:0 D")
	f.Add("0:.............L:6 7:..............:0\tL")
	f.Add("9:..............:0 7:..............:0 L")
	f.Add("7:..............:0 7:..............:0")
	f.Add("7:......\xff.......:0 7:..............:0 L")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := finkel.ParsePosition(text)
		testkit.SkipOn(t, err)
		testkit.MustEqual(t, finkel.Check(p), nil, "%q was accepted", text)
		testkit.Equal(t, mustParse(t, finkelText(p)), p, "%q reads as %s, and that", text, finkelText(p))
	})
}

func TestTilesAndNotation(t *testing.T) {
	testkit.Equal(t, finkel.Tile(Light, 1)+finkel.Tile(Dark, 1)+finkel.Tile(Dark, 8)+finkel.Tile(Light, 14)+
		finkel.Tile(Light, 15), "A4C4B4A7", "tiles")
	for _, test := range []struct {
		move Move
		side Side
		want string
	}{
		{Move{From: 0, To: 4}, Light, "in-A1*"},
		{Move{From: 4, To: 6, Capture: true}, Dark, "C1-B2x"},
		{Move{From: 14, To: 15}, Dark, "C7-home"},
	} {
		testkit.Equal(t, finkel.Notation(test.side, test.move), test.want, "%v for %s", test.move, test.side)
	}
}

// The constants of the engines are those of the rule set.
func TestConstantsAreThoseOfFinkel(t *testing.T) {
	testkit.Equal(t, []any{finkel.Pieces(), finkel.MaxRoll(), finkel.Finish(), finkel.IsSafe(SafeSquare)},
		[]any{FinkelPieces, FinkelRoll, Finish, true}, "pieces, largest roll, finish, whether the safe square is safe")
	for square := range Finish + 1 {
		shared := finkel.IsShared(square)
		testkit.Equal(t, []bool{finkel.IsRosette(square), shared, shared && !finkel.IsSafe(square)},
			[]bool{IsRosette(square), IsShared(square), IsTakeable(square)},
			"square %d is a rosette, shared, takeable", square)
	}
	for roll, ways := range []int{1, 4, 6, 4, 1} { // of four two-sided dice
		testkit.Equal(t, finkel.Weight(roll), ways, "roll %d has weight", roll)
	}
}
