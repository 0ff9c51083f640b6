package valuenet

import (
	"math"
	"os"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// plainWin is the rule of [Judge.chances] in float64, as it reads.
func plainWin(n *Integer, p board.Position, plies int) float64 {
	if _, over := p.Winner(); over || plies == 0 {
		return n.Win(p)
	}
	sum := 0.0
	for roll, ways := range board.RollWays {
		best := 0.0
		for _, next := range p.Futures(nil, roll) {
			win := plainWin(n, next, plies-1)
			if next.Turn() != p.Turn() {
				win = 1 - win
			}
			best = max(best, win)
		}
		sum += float64(ways) / 16 * best
	}
	return sum
}

func TestChances(t *testing.T) {
	q := mustQuantise(t, randomNet(t, Shape{Features: Squares, Hidden: []int{16, 5}, Activation: ReLU}, 1))
	for _, e := range []*Engine{Scalar, Fastest()} {
		judge := NewJudge(e, q)
		for i, p := range randomPositions(9, 40) {
			moves := p.Moves(nil, 1+i%4)
			if len(moves) == 0 {
				continue
			}
			for plies := 1; plies <= 2+i%10/9; plies++ {
				got := make([]float64, len(moves))
				judge.Win(got, p, moves, plies)
				choice := judge.ChooseBy(p, moves, plies)
				for k, m := range moves {
					after := p.Apply(m)
					want := plainWin(q, after, plies-1)
					if after.Turn() != p.Turn() {
						want = 1 - want
					}
					if math.Abs(got[k]-want) > 1e-7 {
						t.Fatalf("%d plies: move %d of %v wins %v, want %v", plies, k, p.Numbers(), got[k], want)
					}
					if got[k] > got[choice]+1e-12 {
						t.Fatalf("%d plies: move %d of %v is chosen, but %d is better", plies, choice, p.Numbers(), k)
					}
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
	if got := n.Shape.String(); got != "counts-80-relu" || n.Weights() != 33*80+81 {
		t.Errorf("the net is %s with %d weights", got, n.Weights())
	}
	q := mustQuantise(t, n)
	for _, p := range randomPositions(10, 500) {
		if got, want := q.Win(p), n.Win(p); math.Abs(got-want) > 1e-3 {
			t.Errorf("%v: quantised %v, want %v", p.Numbers(), got, want)
		}
	}
}
