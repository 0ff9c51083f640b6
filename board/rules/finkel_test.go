package rules

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/long"
)

// compare fails unless this package and board agree on everything about a position.
func compare(t *testing.T, r *Rules, p board.Position) {
	t.Helper()
	q := FromBoard(p)
	if back, err := q.Board(); err != nil || back != p {
		t.Fatalf("%v: converted and back it is %v, %v", p, back, err)
	}
	if err := r.Check(q); err != nil {
		t.Fatalf("%v: %v", p, err)
	}
	if got := r.FormatPosition(q); got != p.String() {
		t.Fatalf("text %q, want %q", got, p)
	}
	if got, err := r.ParsePosition(p.String()); err != nil || got != q {
		t.Fatalf("%v: read as %v, %v", p, got, err)
	}
	if q.Mirror() != FromBoard(p.Mirror()) {
		t.Fatalf("%v: other mirror image", p)
	}
	for _, side := range [2]board.Side{board.Light, board.Dark} {
		for square := range 16 {
			if got, want := r.Count(q, side, square), p.Count(side, square); got != want {
				t.Fatalf("%v: %d pieces of %s on %d, want %d", p, got, side, square, want)
			}
		}
	}
	winner, over := p.Winner()
	if w, o := q.Winner(); w != winner || o != over {
		t.Fatalf("%v: winner %v, %v", p, w, o)
	}
	for roll := range board.MaxRoll + 1 {
		compareRoll(t, r, p, roll)
	}
}

func compareRoll(t *testing.T, r *Rules, p board.Position, roll int) {
	t.Helper()
	q := FromBoard(p)
	moves := p.Moves(nil, roll)
	if got := r.Moves(nil, q, roll); !slices.Equal(got, moves) {
		t.Fatalf("%v, roll %d: moves %v, want %v", p, roll, got, moves)
	}
	for _, m := range moves {
		if got, want := r.Notation(p.Turn(), m), m.Notation(p.Turn()); got != want {
			t.Fatalf("%v: move %q, want %q", p, got, want)
		}
		if got, want := r.RollsAgain(m), p.Apply(m).Turn() == p.Turn(); got != want {
			t.Fatalf("%v: %v grants a roll: %v", p, m, got)
		}
	}
	var want []Position
	for _, f := range p.Futures(nil, roll) {
		want = append(want, FromBoard(f))
	}
	if got := r.Futures(nil, q, roll); !slices.Equal(got, want) {
		t.Fatalf("%v, roll %d: futures %v, want %v", p, roll, got, want)
	}
}

func TestFinkelEqualsBoard(t *testing.T) {
	r := Finkel()
	for square := range board.Finish + 1 {
		if r.IsRosette(square) != board.IsRosette(square) || r.IsShared(square) != board.IsShared(square) ||
			r.IsShared(square) && !r.IsSafe(square) != board.IsTakeable(square) {
			t.Errorf("square %d differs", square)
		}
		for _, side := range [2]board.Side{board.Light, board.Dark} {
			if got, want := r.Tile(side, square), board.Tile(side, square); got != want {
				t.Errorf("square %d of %s is %q, want %q", square, side, got, want)
			}
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		compare(t, r, board.RandomPosition(rng, 1+rng.IntN(board.MaxPieces)))
	}
}

func TestFinkelVectors(t *testing.T) {
	data, err := os.ReadFile("../../engine/testdata/getvalue.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors struct {
		Cases []struct {
			Board [board.Numbers]int `json:"board"`
		} `json:"cases"`
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) < 100 {
		t.Fatalf("%d vectors", len(vectors.Cases))
	}
	for _, c := range vectors.Cases {
		p, err := board.FromNumbers(c.Board)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, Finkel(), p)
	}
}

// Whole games of random moves on the shared dice, position for position: 300, and with -long
// 100,000.
func TestFinkelGames(t *testing.T) {
	games := uint64(long.N(300, 100_000))
	r := Finkel()
	turns := 0
	for game := range games {
		p, q := board.StartPosition(7), r.Start()
		dice, theirs := board.NewDice(7, game), r.Dice(7, game)
		choice := rand.New(rand.NewPCG(game, 1))
		for turn := uint64(0); ; turn++ {
			if _, over := p.Winner(); over {
				break
			}
			roll := dice.Roll()
			if got := theirs.Roll(); got != roll || r.Roll(7, game, turn) != roll {
				t.Fatalf("game %d, turn %d: roll %d, want %d", game, turn, got, roll)
			}
			if q != FromBoard(p) {
				t.Fatalf("game %d, turn %d: %v, want %v", game, turn, r.FormatPosition(q), p)
			}
			compareRoll(t, r, p, roll)
			moves := p.Moves(nil, roll)
			turns++
			if len(moves) == 0 {
				p, q = p.Pass(), q.Pass()
				continue
			}
			m := moves[choice.IntN(len(moves))]
			p, q = p.Apply(m), r.Apply(q, m)
		}
	}
	t.Logf("%d games, %d turns: no difference", games, turns)
}
