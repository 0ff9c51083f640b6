package session

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
)

// Every move can be typed by its number, by its notation as it is shown, and by the tile
// that it reaches.
func TestTyped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces))
		for roll := range board.FinkelRoll + 1 {
			turn := &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}
			for i, m := range turn.Moves {
				shown := board.Finkel().Notation(turn.Side(), m)
				bare := strings.TrimRight(shown, "x*")
				for _, typed := range []string{strconv.Itoa(i + 1), shown, bare, strings.ToLower(shown), " " + strings.ReplaceAll(bare, "-", " ") + " ", strings.Split(bare, "-")[1]} {
					if got, ok := Typed(turn, typed); !ok || got != i {
						t.Fatalf("%s, roll %d: %q is move %d, %v; want %d", board.Finkel().FormatPosition(p), roll, typed, got+1, ok, i+1)
					}
				}
			}
		}
	}
}

func TestTypedWrong(t *testing.T) {
	turn := &play.Turn{Rules: board.Finkel(), Position: board.StartPosition(7), Roll: 2}
	turn.Moves = board.Finkel().Moves(nil, turn.Position, 2)
	if got, ok := Typed(turn, ""); !ok || got != 0 {
		t.Errorf("Enter is move %d, %v", got, ok)
	}
	if got, ok := Typed(turn, "in"); !ok || got != 0 {
		t.Errorf("the hand is move %d, %v", got, ok)
	}
	for _, typed := range []string{"0", "2", "-1", "99999999999999999999", "x", "*", "-", "B4", "home", "A3A3", strings.Repeat("é", 100)} {
		if got, ok := Typed(turn, typed); ok {
			t.Errorf("%q is move %d", typed, got)
		}
	}
	turn.Moves = append(turn.Moves, board.Move{From: 1, To: 3})
	if _, ok := Typed(turn, ""); ok {
		t.Error("Enter chooses among two")
	}
}

func FuzzTyped(f *testing.F) {
	f.Add("in-A3", uint64(1), 2)
	f.Add("7", uint64(2), 4)
	f.Fuzz(func(t *testing.T, typed string, seed uint64, roll int) {
		p := board.Finkel().Random(rand.New(rand.NewPCG(seed, 0)), 7)
		turn := &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll & 3, Moves: board.Finkel().Moves(nil, p, roll&3)}
		if got, ok := Typed(turn, typed); ok && (got < 0 || got >= len(turn.Moves)) {
			t.Errorf("move %d of %d", got, len(turn.Moves))
		}
	})
}
