package valuenet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// shapes are shapes of every kind, small ones.
func shapes() []Shape {
	var list []Shape
	for _, features := range []Features{Counts, Squares} {
		for _, activation := range []Activation{ReLU, ClippedReLU} {
			for _, hidden := range [][]int{{1}, {7}, {32}, {16, 5}, {33, 17}} {
				list = append(list, Shape{Features: features, Hidden: hidden, Activation: activation})
			}
		}
	}
	return list
}

// randomNet returns a net of a shape, with an opinion.
func randomNet(t testing.TB, s Shape, seed uint64) *Net {
	t.Helper()
	n, err := NewNet(s)
	if err != nil {
		t.Fatal(err)
	}
	n.Randomise(seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := range n.Layers {
		for j := range n.Layers[i].Bias {
			n.Layers[i].Bias[j] = float32(rng.NormFloat64() / 8)
		}
	}
	for i := range n.Layers[len(n.Layers)-1].Weights {
		n.Layers[len(n.Layers)-1].Weights[i] = float32(rng.NormFloat64() / 2)
	}
	return n
}

func randomPositions(seed uint64, n int) []board.Position {
	rng := rand.New(rand.NewPCG(seed, 2))
	list := make([]board.Position, n)
	for i := range list {
		list[i] = board.RandomPosition(rng, 1+rng.IntN(board.MaxPieces))
	}
	return list
}

// TestFeatures reads every input back from the numbers of the board.
func TestFeatures(t *testing.T) {
	for _, p := range randomPositions(1, 2000) {
		x := p.Numbers()
		own, other := x[:16], x[16:32]
		if p.Turn() == board.Dark {
			own, other = other, own
		}
		var counts []Input
		for i, n := range slices.Concat(own, other) {
			if n > 0 {
				counts = append(counts, Input{uint8(i), uint8(n)})
			}
		}
		if got := Counts.Append(nil, p); !slices.Equal(got, counts) {
			t.Fatalf("counts of %v are %v, want %v", x, got, counts)
		}
		var squares []Input
		for i, side := range [][]int{own, other} {
			for s, n := range side[1:15] {
				if n > 0 {
					squares = append(squares, Input{uint8(14*i + s), 1})
				}
			}
		}
		for i, n := range []int{own[0], own[15], other[0], other[15]} {
			squares = append(squares, Input{uint8(28 + 8*i + n), 1})
		}
		if got := Squares.Append(nil, p); !slices.Equal(got, squares) {
			t.Fatalf("squares of %v are %v, want %v", x, got, squares)
		}
	}
}

// TestFeaturesOfMirror holds that the sides are treated alike.
func TestFeaturesOfMirror(t *testing.T) {
	for _, p := range randomPositions(2, 500) {
		for _, f := range []Features{Counts, Squares} {
			if got, want := f.Append(nil, p.Mirror()), f.Append(nil, p); !slices.Equal(got, want) {
				t.Fatalf("%v of the mirror image of %v are %v, want %v", f, p.Numbers(), got, want)
			}
		}
	}
}

// TestLogit compares with the formula in float64, written over all inputs.
func TestLogit(t *testing.T) {
	for _, s := range shapes() {
		n := randomNet(t, s, 3)
		for _, p := range randomPositions(4, 50) {
			units := make([]float64, s.Features.Inputs())
			for _, in := range s.Features.Append(nil, p) {
				units[in.Index] = float64(in.Value)
			}
			for l, layer := range n.Layers {
				sums := make([]float64, layer.Out)
				for o := range sums {
					sums[o] = float64(layer.Bias[o])
					for i, u := range units {
						sums[o] += u * float64(layer.Weights[i*layer.Out+o])
					}
					if l < len(n.Layers)-1 {
						sums[o] = max(0, sums[o])
						if s.Activation == ClippedReLU {
							sums[o] = min(1, sums[o])
						}
					}
				}
				units = sums
			}
			if got := float64(n.Logit(p)); math.Abs(got-units[0]) > 1e-4*(1+math.Abs(units[0])) {
				t.Fatalf("%v: logit %v, want %v", s, got, units[0])
			}
		}
	}
}

func TestWin(t *testing.T) {
	n := randomNet(t, Shape{Features: Squares, Hidden: []int{8}, Activation: ReLU}, 5)
	won, err := board.FromSquares(1, board.Light, [2]uint16{}, [2]int{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if got := n.Win(won); got != 1 {
		t.Errorf("a won game is worth %v to the winner", got)
	}
	if got := n.Win(won.Pass()); got != 0 {
		t.Errorf("a lost game is worth %v to the loser", got)
	}
	p := board.StartPosition(7)
	if got, want := n.Win(p), 1/(1+math.Exp(-float64(n.Logit(p)))); got != want {
		t.Errorf("the start is worth %v, want %v", got, want)
	}
}

func TestShape(t *testing.T) {
	s := Shape{Features: Squares, Hidden: []int{256, 32}, Activation: ReLU}
	if got, want := s.Weights(), 61*256+257*32+33; got != want {
		t.Errorf("%v has %d weights, want %d", s, got, want)
	}
	if got := s.String(); got != "squares-256-32-relu" {
		t.Errorf("the shape is called %q", got)
	}
	for _, bad := range []Shape{{Features: Squares, Hidden: nil, Activation: ReLU}, {Features: Squares, Hidden: []int{0}, Activation: ReLU}, {Features: Squares, Hidden: []int{1, 2, 3}, Activation: ReLU},
		{Features: Counts, Hidden: []int{maxHidden + 1}, Activation: ReLU}, {Features: 9, Hidden: []int{1}}, {Features: Counts, Hidden: []int{1}, Activation: 9}} {
		if bad.check() == nil {
			t.Errorf("shape %v is taken", bad)
		}
	}
	for text, want := range map[string][]int{"80": {80}, "256,32": {256, 32}, "": nil, "a": nil, "0": nil, "1,2,3": nil} {
		got, err := ParseHidden(text)
		if (err != nil) != (want == nil) || err == nil && !slices.Equal(got, want) {
			t.Errorf("hidden units %q are %v, %v, want %v", text, got, err, want)
		}
	}
}

func TestCheckRefusesWeightsThatAreNoNumbers(t *testing.T) {
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		n := randomNet(t, Shape{Features: Counts, Hidden: []int{4, 3}, Activation: ReLU}, 6)
		n.Layers[1].Weights[7] = bad
		if n.Check() == nil {
			t.Errorf("a weight of %v is taken", bad)
		}
		n.Layers[1].Weights[7] = 0
		n.Layers[2].Bias[0] = bad
		if n.Check() == nil {
			t.Errorf("a bias of %v is taken", bad)
		}
	}
}
