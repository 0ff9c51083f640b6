package valuenet

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// shapes are shapes of every kind, small ones.
func shapes() []Shape {
	return []Shape{{Hidden: []int{1}}, {Hidden: []int{7}}, {Hidden: []int{32}}, {Hidden: []int{16, 5}},
		{Hidden: []int{33, 17}}}
}

// randomNet returns a net of a shape, with an opinion.
func randomNet(t testing.TB, s Shape, seed uint64) *Net {
	t.Helper()
	n := testkit.Must(NewNet(s))(t)
	n.Randomise(seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range n.Layers {
		testkit.Fill(n.Layers[i].Bias, func() float32 { return float32(rng.NormFloat64() / 8) })
	}
	testkit.Fill(n.Layers[len(n.Layers)-1].Weights, func() float32 { return float32(rng.NormFloat64() / 2) })
	return n
}

func randomPositions(seed uint64, n int) []board.Position {
	rng := rand.New(rand.NewPCG(seed, 2))
	list := make([]board.Position, n)
	testkit.Fill(list, func() board.Position { return board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces)) })
	return list
}

// sidesOf returns the numbers of a position from the point of view of the side to move.
func sidesOf(p board.Position) (own, other []int) {
	x := p.Numbers()
	if p.Turn() == board.Dark {
		return x[16:32], x[:16]
	}
	return x[:16], x[16:32]
}

// TestInputSet reads every input back from the numbers of the board.
func TestInputSet(t *testing.T) {
	for _, p := range randomPositions(1, 2000) {
		own, other := sidesOf(p)
		want := uint64(0)
		for i, side := range [][]int{own, other} {
			for s, n := range side[1:15] {
				want |= uint64(n) << (14*i + s)
			}
		}
		for i, n := range []int{own[0], own[15], other[0], other[15]} {
			want |= 1 << (28 + 8*i + n)
		}
		for _, q := range []board.Position{p, p.Mirror()} {
			testkit.MustEqual(t, InputSet(board.Finkel(), q), want, "inputs of %v", q.Numbers())
		}
	}
}

// TestCounts reads nets of the other form of inputs, and compares with its formula.
func TestCounts(t *testing.T) {
	n := randomNet(t, Shape{Hidden: []int{7}, counts: true}, 8)
	for _, file := range [][]byte{written(t, n.Write), asJSON(t, n)} {
		got := testkit.Must(Read(bytes.NewReader(file)))(t)
		testkit.MustEqual(t, got.Shape.String(), "squares-7-relu", "the shape")
		testkit.MustEqual(t, got.Unhashed(), false, "the net has no hash")
		for _, p := range randomPositions(3, 100) {
			own, other := sidesOf(p)
			want := float64(n.Layers[1].Bias[0])
			for o, sum := range n.Layers[0].Bias {
				for i, x := range slices.Concat(own, other) {
					sum += float32(x) * n.Layers[0].Weights[7*i+o]
				}
				want += float64(max(0, sum) * n.Layers[1].Weights[o])
			}
			testkit.Near(t, float64(got.Logit(p)), want, 1e-4*(1+math.Abs(want)), "value of %v", p.Numbers())
		}
	}
}

func TestShape(t *testing.T) {
	s := Shape{Hidden: []int{256, 32}}
	testkit.Equal(t, s.Weights(), 61*256+257*32+33, "weights of %v", s)
	testkit.Equal(t, s.String(), "squares-256-32-relu", "the shape is called")
	for _, bad := range []Shape{{Hidden: nil}, {Hidden: []int{0}}, {Hidden: []int{1, 2, 3}},
		{Hidden: []int{maxHidden + 1}}} {
		testkit.WantError(t, bad.check(), "", "shape %v is taken", bad)
	}
	for text, want := range map[string][]int{"80": {80}, "256,32": {256, 32}, "": nil, "a": nil, "0": nil,
		"1,2,3": nil} {
		got, err := ParseHidden(text)
		testkit.ErrorIf(t, (err != nil) != (want == nil) || err == nil && !slices.Equal(got, want),
			"hidden units %q are %v, %v, want %v", text, got, err, want)
	}
}

func TestCheckRefusesWeightsThatAreNoNumbers(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		n := randomNet(t, Shape{Hidden: []int{4, 3}}, 6)
		n.Layers[1].Weights[7] = bad
		testkit.WantError(t, n.Check(), "", "a weight of %v is taken", bad)
		testkit.WantError(t, n.Write(io.Discard), "", "a weight of %v is written", bad)
		n.Layers[1].Weights[7] = 0
		n.Layers[2].Bias[0] = bad
		testkit.WantError(t, n.Check(), "", "a bias of %v is taken", bad)
	}
}

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
				testkit.Near(t, got[k], want, 1e-7, "win of move %d of %v", k, p.Numbers())
				testkit.FatalIf(t, got[k] > got[choice]+1e-12, "%v: move %d is better than the chosen %d",
					p.Numbers(), k, choice)
			}
		}
	}
}
