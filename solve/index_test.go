package solve

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// The published number of positions of seven pieces that are not won, and of two:
// RoyalUr-Java and JeroenOlieslagers/game_of_ur.
func TestPositionsArePublishedNumbers(t *testing.T) {
	for pieces, want := range map[int]int{7: 137_870_097, 2: 12_990 - 121} {
		if got := finkel.Positions(pieces); got != want {
			t.Errorf("Positions(%d) = %d, want %d", pieces, got, want)
		}
	}
}

// Every rank of up to four pieces unranks to a legal position that ranks back, so
// that rank and unrank are one to one and onto.
func TestRanksRoundTrip(t *testing.T) {
	pieces := 4
	if testing.Short() {
		pieces = 3
	}
	for rank := range finkel.Positions(pieces) {
		p := finkel.Unrank(rank, pieces)
		if err := board.Finkel().Check(p); err != nil {
			t.Fatalf("rank %d is no position: %v", rank, err)
		}
		if got, ok := finkel.Rank(p); got != rank || !ok {
			t.Fatalf("rank %d is %v, whose rank is %d, %v", rank, board.Finkel().FormatPosition(p), got, ok)
		}
		if got, _ := finkel.Rank(p.Mirror()); got != rank {
			t.Fatalf("rank %d is %v, whose mirror has rank %d", rank, board.Finkel().FormatPosition(p), got)
		}
	}
}

func TestRanksOfRandomPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for range 100_000 {
		pieces := 1 + rng.IntN(board.FinkelPieces)
		p := board.Finkel().Random(rng, pieces)
		rank, ok := finkel.Rank(p)
		if !ok || rank < 0 || rank >= finkel.Positions(pieces) {
			t.Fatalf("rank of %v is %d, %v", board.Finkel().FormatPosition(p), rank, ok)
		}
		back := finkel.Unrank(rank, pieces)
		if p.Turn() == board.Dark {
			back = back.Mirror()
		}
		if back != p {
			t.Fatalf("rank %d of %v unranks to %v", rank, board.Finkel().FormatPosition(p), board.Finkel().FormatPosition(back))
		}
	}
}

func TestRankOfFinishedGame(t *testing.T) {
	p, err := board.Finkel().FromSquares(2, board.Light, [2]uint32{}, [2]int{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	if rank, ok := finkel.Rank(p); ok {
		t.Errorf("a finished game has rank %d", rank)
	}
}
