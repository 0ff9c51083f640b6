package valuenet

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/long"
)

// engines calls test for every engine but the oracle that runs here.
func engines(t *testing.T, test func(t *testing.T, e *Engine)) {
	t.Helper()
	if err := cpu.CheckRequired(Engines()); err != nil {
		t.Fatal(err)
	}
	for _, e := range Engines()[1:] {
		t.Run(e.Name(), func(t *testing.T) {
			if err := e.Available(); err != nil {
				t.Skip(err)
			}
			test(t, e)
		})
	}
}

// mustQuantise leaves out the check of Quantise, which wild nets may not pass.
func mustQuantise(t testing.TB, n *Net) *Integer {
	t.Helper()
	q, err := quantise(n)
	if err != nil {
		t.Fatal(err)
	}
	return q
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
	for i, s := range append(shapes(), Shape{Features: Squares, Hidden: []int{100, 40}, Activation: ReLU}, Shape{Features: Squares, Hidden: []int{130}, Activation: ReLU}) {
		nets = append(nets, mustQuantise(t, randomNet(t, s, uint64(i))), mustQuantise(t, wild(randomNet(t, s, uint64(i)), 1)))
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
			if math.Abs(got-want) > 0.01*(1+math.Abs(want)) {
				t.Fatalf("%v: %v is worth %v, want %v", s, p.Numbers(), got, want)
			}
		}
	}
}

// TestQuantiseRefuses holds that a net of which nothing would be left is an error.
func TestQuantiseRefuses(t *testing.T) {
	n := randomNet(t, Shape{Features: Squares, Hidden: []int{4}, Activation: ReLU}, 1)
	n.Layers[0].Weights[0] = 1e30
	if _, err := Quantise(n); err == nil {
		t.Error("a weight of 1e30 is taken")
	}
	n.Layers[0].Weights[0] = float32(math.NaN())
	if _, err := Quantise(n); err == nil {
		t.Error("a weight that is no number is taken")
	}
}

// TestQuantiseRefusesAnotherNet holds that a net is refused, or plays as it was learned:
// nets with heavy tails lose their small weights to the steps of the large ones.
func TestQuantiseRefusesAnotherNet(t *testing.T) {
	refused := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 9))
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
			if d := math.Abs(q.Win(p) - n.Win(p)); d > 2*maxQuantiseError {
				t.Fatalf("seed %d: the win of %v is off by %.2f", seed, p.Numbers(), d)
			}
		}
	}
	if refused == 0 || refused == 60 {
		t.Errorf("%d of 60 nets are refused", refused)
	}
	if n, err := BuiltinNet(); err != nil {
		t.Error(err)
	} else if q, err := Quantise(n); err != nil || q.worstError(n) > 0.001 {
		t.Errorf("the built-in net is off by %v: %v", q.worstError(n), err)
	}
}

// TestSumsFit computes values in 64 bits, where nothing wraps around.
func TestSumsFit(t *testing.T) {
	for i, q := range testNets(t) {
		for _, p := range randomPositions(uint64(i), 300) {
			set := SquareSet(p)
			units := make([]int64, q.width)
			for o := range units {
				units[o] = int64(q.bias[o])
				for input := range squaresCount {
					if set>>input&1 != 0 {
						units[o] += int64(q.first[input*q.width+o])
					}
				}
				if units[o] != int64(int16(units[o])) {
					t.Fatalf("net %d: the sum of unit %d of %v is %d", i, o, p.Numbers(), units[o])
				}
				units[o] = max(0, min(units[o], int64(q.clip)))
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
					sums[o] = max(0, min(sums[o], int64(q.clipSecond))) >> q.shift
				}
				units = sums
			}
			value := int64(q.lastBias)
			for o, u := range units {
				value += u * int64(q.last[o])
			}
			if value != int64(q.Value(p)) {
				t.Fatalf("net %d: %v is worth %d, want %d", i, p.Numbers(), q.Value(p), value)
			}
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
			if !slices.Equal(got, want) {
				t.Fatalf("net %d: values %v, want %v", i, got, want)
			}
			for _, p := range randomPositions(uint64(i), 60) {
				for roll := 1; roll <= board.MaxRoll; roll++ {
					moves := p.Moves(nil, roll)
					if len(moves) == 0 {
						continue
					}
					got, want := make([]int32, len(moves)), make([]int32, len(moves))
					oracle.Moves(want, p, moves)
					judge.Moves(got, p, moves)
					if !slices.Equal(got, want) {
						t.Fatalf("net %d: moves %v of %v are worth %v, want %v", i, moves, p.Numbers(), got, want)
					}
					if a, b := oracle.Choose(p, moves), judge.Choose(p, moves); a != b {
						t.Fatalf("net %d: move %d of %v is chosen, want %d", i, b, p.Numbers(), a)
					}
				}
			}
		}
	})
}

// TestGamesAgree compares whole games with the oracle, on every number of pieces.
func TestGamesAgree(t *testing.T) {
	games := long.N(5_000, 101_000) // half for one piece, a quarter for two and so on: 100,000 in all
	light := mustQuantise(t, randomNet(t, Shape{Features: Squares, Hidden: []int{8}, Activation: ReLU}, 1))
	dark := mustQuantise(t, randomNet(t, Shape{Features: Counts, Hidden: []int{16, 5}, Activation: ClippedReLU}, 2))
	type round struct {
		Match
		ur.Series
		winners []board.Side
		tally   ur.Tally
	}
	var rounds []round
	for pieces := 1; pieces <= board.MaxPieces; pieces++ {
		r := round{Match: Match{Light: light, Dark: dark, Pieces: pieces}, Series: ur.Series{Seed: 5, First: 3, Step: 2, N: 1 + games>>pieces}}
		if pieces == 2 {
			r.Dark = light
		}
		oracle, err := NewLanes(Scalar, r.Match)
		if err != nil {
			t.Fatal(err)
		}
		r.winners = make([]board.Side, r.N)
		if r.tally, err = oracle.Games(r.winners, r.Series); err != nil {
			t.Fatal(err)
		}
		rounds = append(rounds, r)
	}
	engines(t, func(t *testing.T, e *Engine) {
		for _, r := range rounds {
			lanes, err := NewLanes(e, r.Match)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time in memory that was used
				winners := make([]board.Side, r.N)
				tally, err := lanes.Games(winners, r.Series)
				if err != nil || tally != r.tally || !slices.Equal(winners, r.winners) {
					t.Fatalf("%d pieces: %+v, %v, want %+v", r.Pieces, tally, err, r.tally)
				}
				if r.N > 5000 {
					break
				}
			}
		}
	})
}

func TestMatchRefuses(t *testing.T) {
	q := mustQuantise(t, randomNet(t, Shape{Features: Squares, Hidden: []int{4}, Activation: ReLU}, 1))
	for name, m := range map[string]Match{"no net": {Light: q}, "eight pieces": {Light: q, Dark: q, Pieces: 8}, "a negative limit": {Light: q, Dark: q, TurnLimit: -1}} {
		if _, err := NewLanes(Incremental, m); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	for _, e := range []*Engine{Scalar, Incremental} {
		lanes, err := NewLanes(e, Match{Light: q, Dark: q, TurnLimit: 20})
		if err != nil {
			t.Fatal(err)
		}
		var limit *ur.TurnLimitError
		if _, err := lanes.Games(nil, ur.Series{Seed: 1, N: 50}); !errors.As(err, &limit) || limit.Limit != 20 {
			t.Errorf("%s: games of 20 turns end with %v", e.Name(), err)
		}
	}
}
