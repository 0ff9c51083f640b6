package valuenet

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// engines calls test for every engine but the oracle that runs here.
func engines(t *testing.T, test func(t *testing.T, e *Engine)) {
	t.Helper()
	testkit.NoError(t, cpu.CheckRequired(Engines()))
	for _, e := range Engines()[1:] {
		t.Run(e.Name(), func(t *testing.T) {
			testkit.SkipOn(t, e.Available())
			test(t, e)
		})
	}
}

// mustQuantise leaves out the check of Quantise, which wild nets may not pass.
func mustQuantise(t testing.TB, n *Net) *Integer {
	t.Helper()
	return testkit.Must(quantiseNet(n))(t)
}

// wild multiplies some weights so that sums come close to the limits of their widths.
func wild(n *Net, seed uint64) *Net {
	rng := rand.New(rand.NewPCG(seed, 3))
	for l := range n.Layers {
		for i := range n.Layers[l].Weights {
			if rng.IntN(20) == 0 {
				n.Layers[l].Weights[i] *= 50
			}
		}
	}
	return n
}

// testNets returns nets of every shape, tame and wild.
func testNets(t *testing.T) []*Integer {
	var nets []*Integer
	for i, s := range append(shapes(), Shape{Hidden: []int{100, 40}}, Shape{Hidden: []int{130}}) {
		nets = append(nets, mustQuantise(t, randomNet(t, s, uint64(i))),
			mustQuantise(t, wild(randomNet(t, s, uint64(i)), 1)))
	}
	return nets
}

// TestQuantise compares with the net that was quantised.
func TestQuantise(t *testing.T) {
	for i, s := range shapes() {
		n := randomNet(t, s, uint64(i))
		q := mustQuantise(t, n)
		for _, p := range randomPositions(uint64(i), 200) {
			got, want := float64(q.Value(p))/q.scale, float64(n.Logit(p))
			testkit.Near(t, got, want, 0.01*(1+math.Abs(want)), "%v: value of %v", s, p.Numbers())
		}
	}
}

// TestQuantiseRefuses holds that a net of which nothing would be left is an error.
func TestQuantiseRefuses(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{4}}, 1)
	n.Layers[0].Weights[0] = 1e30
	testkit.WantError(t, testkit.ErrorOf(Quantise(n)), "", "a weight of 1e30 is taken")
	n.Layers[0].Weights[0] = float32(math.NaN())
	testkit.WantError(t, testkit.ErrorOf(Quantise(n)), "", "a weight that is no number is taken")
}

// TestQuantiseRefusesAnotherNet holds that a net is refused, or plays as it was learned:
// nets with heavy tails lose their small weights to the steps of the large ones.
func TestQuantiseRefusesAnotherNet(t *testing.T) {
	refused := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 10))
		n := randomNet(t, shapes()[seed%uint64(len(shapes()))], seed)
		tail := float64(seed%6) * 0.7
		for l := range n.Layers {
			for i := range n.Layers[l].Weights {
				n.Layers[l].Weights[i] *= float32(math.Exp(tail * rng.NormFloat64()))
			}
		}
		q, err := Quantise(n)
		if err != nil {
			refused++
			continue
		}
		for _, p := range randomPositions(seed+100, 500) {
			testkit.Near(t, q.Win(p), Logistic(float64(n.Logit(p))), 2*maxQuantiseError, "seed %d: win of %v",
				seed, p.Numbers())
		}
	}
	testkit.Equal(t, 0 < refused && refused < 60, true, "some nets are refused and some not: %d of 60", refused)
	n, _ := mustBuiltin(t, board.Finkel())
	testkit.Near(t, testkit.Must(Quantise(n))(t).worstError(n), 0, 0.001, "the worst error of the built-in net")
}

// TestSumsFit computes values in 64 bits, where nothing wraps around.
func TestSumsFit(t *testing.T) {
	for i, q := range testNets(t) {
		for _, p := range randomPositions(uint64(i), 300) {
			set := InputSet(board.Finkel(), p)
			units := make([]int64, q.width)
			for o := range units {
				units[o] = int64(q.bias[o])
				for input := range q.Inputs() {
					if set>>input&1 != 0 {
						units[o] += int64(q.first[input*q.width+o])
					}
				}
				if units[o] != int64(int16(units[o])) {
					t.Fatalf("net %d: the sum of unit %d of %v is %d", i, o, p.Numbers(), units[o])
				}
				units[o] = max(0, units[o])
			}
			if q.columns > 0 {
				sums := make([]int64, q.columns)
				for o := range sums {
					sums[o] = int64(q.secondBias[o])
					for in, u := range units {
						sums[o] += u * int64(q.second[q.secondIndex(in, o)])
					}
					if sums[o] != int64(int32(sums[o])) {
						t.Fatalf("net %d: the sum of unit %d of the second layer is %d", i, o, sums[o])
					}
					sums[o] = max(0, sums[o]) >> q.shift
				}
				units = sums
			}
			value := int64(q.lastBias)
			for o, u := range units {
				value += u * int64(q.last[o])
			}
			testkit.MustEqual(t, int64(q.Value(p)), value, "net %d: %v is worth", i, p.Numbers())
		}
	}
}

// TestEnginesAgree compares values and worths of moves with the oracle.
func TestEnginesAgree(t *testing.T) {
	nets := testNets(t)
	engines(t, func(t *testing.T, e *Engine) {
		for i, q := range nets {
			oracle, judge := NewJudge(Scalar, q), NewJudge(e, q)
			positions := randomPositions(uint64(i), 1+i%11)
			got, want := make([]int32, len(positions)), make([]int32, len(positions))
			oracle.Values(want, positions)
			judge.Values(got, positions)
			testkit.MustEqual(t, got, want, "net %d: values", i)
			for _, p := range randomPositions(uint64(i), 60) {
				for roll := 1; roll <= board.FinkelRoll; roll++ {
					moves := board.Finkel().Moves(nil, p, roll)
					if len(moves) == 0 {
						continue
					}
					got, want := make([]int32, len(moves)), make([]int32, len(moves))
					oracle.valueMoves(want, p, moves)
					judge.valueMoves(got, p, moves)
					testkit.MustEqual(t, got, want, "net %d: the worth of moves %v of %v", i, moves, p.Numbers())
					choice := oracle.Choose(p, moves)
					testkit.MustEqual(t, judge.Choose(p, moves), choice, "net %d: the move of %v", i, p.Numbers())
				}
			}
		}
	})
}
