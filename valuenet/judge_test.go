package valuenet

import (
	"math"
	"os"
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

// yardstick opens TD-Ur's published net, which is no part of this tree: UR_TDUR_NET names
// its file, or it lies beside the checkout.
func yardstick(t *testing.T) *Net {
	t.Helper()
	name := os.Getenv("UR_TDUR_NET")
	if name == "" {
		name = "../../shared/vectors/tdur.json"
	}
	n, err := Open(name)
	if os.IsNotExist(err) {
		t.Skip("TD-Ur's net is not here: UR_TDUR_NET names its file")
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestYardstick holds that the published net has the shape that was published.
func TestYardstick(t *testing.T) {
	n := yardstick(t)
	if got := n.Shape.String(); got != "squares-80-relu" || n.Weights() != 61*80+81 {
		t.Errorf("the net is %s with %d weights", got, n.Weights())
	}
	q := mustQuantise(t, n)
	for _, p := range randomPositions(10, 500) {
		if got, want := q.Win(p), Logistic(float64(n.Logit(p))); math.Abs(got-want) > 1e-3 {
			t.Errorf("%v: quantised %v, want %v", p.Numbers(), got, want)
		}
	}
}
