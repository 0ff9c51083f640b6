package form

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"pgregory.net/rapid"
)

func drawPosition(t *rapid.T) board.Position {
	seed := rapid.Uint64().Draw(t, "seed")
	pieces := rapid.IntRange(1, board.FinkelPieces).Draw(t, "pieces")
	return board.Finkel().Random(rand.New(rand.NewPCG(seed, 0)), pieces)
}

// edgeBrains are brains whose sums are as large as they get, and ordinary ones.
func edgeBrains() []*ur.Brain {
	rng := rand.New(rand.NewPCG(4, 4))
	brains := []*ur.Brain{ur.ClassicBrain(), new(ur.Brain)}
	for _, most := range []int{3, 40, 300, 1 << 15} {
		b, extreme := new(ur.Brain), new(ur.Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*most) - most)
			extreme[k] = int16((2*rng.IntN(2) - 1) * (most - 1))
		}
		brains = append(brains, b, extreme)
	}
	for _, weights := range [][2]int16{{32767, 32767}, {-32768, -32768}, {-32768, 32767}} {
		b := new(ur.Brain)
		for k := range b {
			b[k] = weights[k%2]
		}
		brains = append(brains, b)
	}
	return brains
}

// stepOf returns a move as a step.
func stepOf(p board.Position, m board.Move) Step {
	return Step{p.Turn(), int(m.To) - int(m.From), int(m.To), m.Capture || board.IsRosette(int(m.To))}
}

// The form of a position must be its value, and what a step adds to the coordinates and to
// the packed position must lead to the position after it.
func TestStepsFollowTheRules(t *testing.T) {
	brains := edgeBrains()
	forms := make([]*Form, len(brains))
	for i, b := range brains {
		forms[i] = Of(b)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t)
		roll := rapid.IntRange(0, board.FinkelRoll).Draw(t, "roll")
		y, s, text := At(p), Pack(p), board.Finkel().FormatPosition(p)
		for i, f := range forms {
			testkit.MustEqual(t, f.Value(&y), brains[i].Value(p), "brain %d: the form of %s", i, text)
		}
		testkit.MustEqual(t, s.Position(p.Pieces()), p, "the position, packed and read")
		testkit.FatalIf(t, s.Over() || s.Turn() != p.Turn(), "%s is packed with %s to move, over: %v",
			text, s.Turn(), s.Over())
		check := func(step Step, after board.Position) {
			testkit.MustEqual(t, s+step.Packed(), Pack(after), "%s after %+v, packed", text, step)
			winner, over := after.Winner()
			q := s + step.Packed()
			testkit.MustEqual(t, q.Over(), over, "%s after %+v: the game is over", text, step)
			testkit.FatalIf(t, over && winner != q.Winner(), "%s after %+v: another winner", text, step)
			moved := Sum(y).Plus(Sum(step.Change()))
			testkit.MustEqual(t, Point(moved), At(after), "%s after %+v", text, step)
		}
		var want uint32
		for _, m := range board.Finkel().Moves(nil, p, roll) {
			step := stepOf(p, m)
			want |= 1 << step.Landing()
			check(step, board.Finkel().Apply(p, m))
			testkit.MustEqual(t, MoveOf(uint32(step.Code()), uint32(roll)), m, "the code")
		}
		testkit.MustEqual(t, s.Candidates(uint32(roll)), want, "%s, roll %d: candidates", text, roll)
		check(Step{Side: p.Turn(), Roll: roll}, p.Pass())
		for c := want; c != 0; c &= c - 1 {
			got := int(BitNumber[(c&-c)*BitFactor>>27])
			testkit.MustEqual(t, got, bits.TrailingZeros32(c), "the lowest bit of %#x", c)
		}
	})
}

// candidatesOf returns the candidates of a position and roll, computed from values.
func candidatesOf(b *ur.Brain, p board.Position, roll int) []int {
	passing := int(b.Value(p.Pass())) - int(b.Value(p))
	var candidates []int
	for _, m := range board.Finkel().Moves(nil, p, roll) {
		after := int(b.Value(board.Finkel().Apply(p, m)))
		candidates = append(candidates, p.Turn().Sign()*(after-int(b.Value(p))-passing))
	}
	return candidates
}

// A candidate must be the difference of two fields and a constant, in every way in which
// the package says it.
func TestCandidatesAreDifferencesOfFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i, b := range edgeBrains() {
		f := Of(b)
		fields := [2]*Fields{f.Fields(board.Light), f.Fields(board.Dark)}
		for range 100 {
			p := board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces))
			y := At(p)
			at := fields[p.Turn()].At(&y)
			for roll := 1; roll <= board.FinkelRoll; roll++ {
				want, keys := candidatesOf(b, p, roll), f.Keys(p.Turn(), roll)
				for k, m := range board.Finkel().Moves(nil, p, roll) {
					s := stepOf(p, m)
					linear := f.linear(s)
					byLine := linear.At(&y) + f.Constant(s)
					byField := at[s.Landing()] - at[s.Leaving()] + f.Constant(s)
					key := (at[s.Landing()]-at[s.Leaving()])<<KeyShift + keys[s.Landing()]
					testkit.FatalIf(t, int(byLine) != want[k] || int(byField) != want[k] ||
						int(key>>KeyShift) != want[k] || key&(Codes-1) != s.Code(),
						"brain %d, %s, %v: candidate %d, by fields %d, by key %#x, want %d", i,
						board.Finkel().FormatPosition(p), m, byLine, byField, key, want[k])
				}
			}
		}
	}
}

// randomSum draws a sum.
func randomSum(rng *rand.Rand) (s Sum) {
	testkit.Fill(s[:], func() int32 { return int32(rng.IntN(2001) - 1000) })
	return s
}

// What a step adds to a sum must be the sum of what it changes.
func TestSumsFollowSteps(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 20 {
		s := randomSum(rng)
		for side := range board.Side(2) {
			for roll := 1; roll <= board.FinkelRoll; roll++ {
				for _, step := range Steps(side, roll) {
					d := step.Change()
					testkit.MustEqual(t, s.Step(step), s.At(&d), "%+v adds", step)
				}
			}
		}
	}
}

// No candidate may pass the bound; and the bound must not be so wide that it
// pushes ordinary brains into wider arithmetic.
func TestCandidateBoundHolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for i, b := range edgeBrains() {
		f := Of(b)
		for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
			bound := CandidateBound([2]*Form{f, f}, pieces)
			largest := 0
			for range 50 {
				p := board.Finkel().Random(rng, pieces)
				for roll := 1; roll <= board.FinkelRoll; roll++ {
					for _, c := range candidatesOf(b, p, roll) {
						largest = max(largest, c, -c)
						if max(c, -c) > bound {
							t.Fatalf("brain %d, %s, roll %d: candidate %d passes the bound %d", i,
								board.Finkel().FormatPosition(p), roll, c, bound)
						}
					}
				}
			}
			testkit.ErrorIf(t, pieces == board.FinkelPieces && bound > 8*largest,
				"brain %d: the bound is %d, the largest candidate seen %d", i, bound, largest)
		}
	}
}

// No sum may leave the bounds that prove how many bits it needs.
func TestBoundsHoldEverySum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i, b := range edgeBrains() {
		f := Of(b)
		for side := range board.Side(2) {
			fields := f.Fields(side)
			for range 400 {
				p := board.Finkel().Random(rng, 1+rng.IntN(board.FinkelPieces))
				y := At(p)
				for k := range fields {
					low, high := fields[k].Bounds(p.Pieces())
					if v := fields[k].At(&y); v < low || v > high || low < -1<<22 || high > 1<<22 {
						t.Fatalf("brain %d, field %d: %s is %d, bounds %d to %d", i, k,
							board.Finkel().FormatPosition(p), v, low, high)
					}
				}
			}
		}
	}
}

// With two pieces each every arrangement can be tried, both players on one square
// among them: the bounds must be reached.
func TestBoundsAreReached(t *testing.T) {
	var pairs [][2]int
	for a := board.Start; a <= board.Finish; a++ {
		for b := a; b <= board.Finish; b++ {
			if a != b || a == board.Start || a == board.Finish {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	rng := rand.New(rand.NewPCG(9, 9))
	for range 20 {
		s := randomSum(rng)
		low, high := s.Bounds(2)
		least, most := int32(1<<30), int32(-1<<30)
		for _, light := range pairs {
			for _, dark := range pairs {
				for turn := range int32(2) {
					y := Point{Turn: turn}
					for k := range 2 {
						y[board.Light.Number(light[k])]++
						y[board.Dark.Number(dark[k])]++
					}
					y[Pieces], y[board.DarkNumbers] = 2, 0
					v := s.At(&y)
					least, most = min(least, v), max(most, v)
				}
			}
		}
		testkit.MustEqual(t, [2]int32{least, most}, [2]int32{low, high}, "values, and their bounds")
	}
}
