package solve

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// positionsOf returns all positions of games of a number of pieces, by rank.
func positionsOf(t testing.TB, x *Index, pieces int) []board.Position {
	t.Helper()
	all := make([]board.Position, x.Positions(pieces))
	err := x.walkSpans(t.Context(), pieces, 1, func(float64) {}, func(_, _ int, s *span) (err error) {
		for safe := range s.n {
			opp := x.makeRow(s.opp, int(x.safeSet[safe]))
			if all[s.first+safe], err = x.positionAt(pieces, s.layer, s.own, opp); err != nil {
				break
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every rank is that of a legal position, so that positions and ranks are one to one.
func TestRanksRoundTrip(t *testing.T) {
	for i, r := range append(board.List(), variants(t)...) {
		pieces := 2
		if i == 0 && !testing.Short() {
			pieces = 4
		}
		x := indexOf(t, r)
		for rank, p := range positionsOf(t, x, pieces) {
			if err := r.Check(p); err != nil {
				t.Fatalf("%s: rank %d is no position: %v", r.Name(), rank, err)
			}
			if got, ok := x.Rank(p); got != rank || !ok {
				t.Fatalf("%s: rank %d is %s, whose rank is %d, %v", r.Name(), rank, r.FormatPosition(p), got, ok)
			}
			if got, _ := x.Rank(p.Mirror()); got != rank {
				t.Fatalf("%s: rank %d is %s, whose mirror has rank %d", r.Name(), rank, r.FormatPosition(p), got)
			}
		}
	}
}

// Positions of larger games have ranks of their own, too.
func TestRanksOfRandomPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	seen := map[int]board.Position{}
	for range 100_000 {
		pieces := 1 + rng.IntN(board.FinkelPieces)
		p := board.Finkel().Random(rng, pieces)
		rank, ok := finkel.Rank(p)
		if !ok || rank < 0 || rank >= finkel.Positions(pieces) {
			t.Fatalf("rank of %v is %d, %v", board.Finkel().FormatPosition(p), rank, ok)
		}
		if p.Turn() == board.Dark {
			p = p.Mirror()
		}
		if q, ok := seen[rank]; ok && (q.Squares(board.Light) != p.Squares(board.Light) || q.Squares(board.Dark) != p.Squares(board.Dark)) {
			t.Fatalf("rank %d is that of %v and of %v", rank, board.Finkel().FormatPosition(p), board.Finkel().FormatPosition(q))
		}
		seen[rank] = p
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
