package play_test

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// A player of a depth chooses the same whether it pondered or not, and one whose choices depend on
// the table does not ponder.
func TestPonderingKeepsChoices(t *testing.T) {
	for _, spec := range []string{"search:depth=2", "search:nodes=300"} {
		player := parse(t, spec)
		sit := func() play.Seat {
			seat, err := player.Sit(engine.Fastest())
			if err != nil {
				t.Fatal(err)
			}
			return seat
		}
		random := rand.New(rand.NewPCG(7, 8))
		seat := sit()
		for n := range 20 {
			turn := func(p board.Position) *play.Turn {
				roll := 1 + random.IntN(board.MaxRoll)
				return &play.Turn{Position: p, Roll: roll, Moves: p.Moves(nil, roll)}
			}
			before := turn(board.RandomPosition(random, board.MaxPieces))
			stop := seat.(play.Ponderer).Ponder(t.Context(), before)
			if n%2 == 0 {
				stop()
			}
			after := turn(board.RandomPosition(random, board.MaxPieces))
			stop()
			if len(after.Moves) == 0 {
				continue
			}
			if spec != "search:depth=2" {
				seat = sit()
				seat.(play.Ponderer).Ponder(t.Context(), before)()
			}
			got, err := seat.Choose(t.Context(), after)
			if err != nil {
				t.Fatal(err)
			}
			want, err := sit().Choose(t.Context(), after)
			if err != nil || got != want {
				t.Errorf("%s: after pondering move %d, without %d (error %v)", spec, got, want, err)
			}
		}
	}
}
