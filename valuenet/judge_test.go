package valuenet

import (
	"math"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// The chance of a move is that of the position after it, for the side that moved.
func TestChances(t *testing.T) {
	q := mustQuantise(t, randomNet(t, Shape{Hidden: []int{16, 5}}, 1))
	for _, e := range []*Engine{Scalar, Fastest()} {
		judge := NewJudge(e, q)
		for i, p := range randomPositions(9, 40) {
			moves := board.Finkel().Moves(nil, p, 1+i%4)
			if len(moves) == 0 {
				continue
			}
			got := make([]float64, len(moves))
			judge.Win(got, p, moves)
			choice := judge.Choose(p, moves)
			for k, m := range moves {
				after := board.Finkel().Apply(p, m)
				want := q.Win(after)
				if after.Turn() != p.Turn() {
					want = 1 - want
				}
				if math.Abs(got[k]-want) > 1e-7 {
					t.Fatalf("move %d of %v wins %v, want %v", k, p.Numbers(), got[k], want)
				}
				if got[k] > got[choice]+1e-12 {
					t.Fatalf("move %d of %v is chosen, but %d is better", choice, p.Numbers(), k)
				}
			}
		}
	}
}
