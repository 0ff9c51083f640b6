package ur

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/seed-09dcdc84/ur/board"
)

func TestPackedPositionsFollowTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPosition(t)
		roll := rapid.IntRange(0, board.MaxRoll).Draw(t, "roll")
		s := pack(p)
		if q := s.unpack(p.Pieces()); q != p || s.over() {
			t.Fatalf("%s unpacks to %s, over: %v", p, q, s.over())
		}
		var want uint32
		for _, m := range p.Moves(nil, roll) {
			move := step{p.Turn(), roll, int(m.To), m.Capture || board.IsRosette(int(m.To))}
			want |= 1 << move.landing()
			after := p.Apply(m)
			if got := s + move.packed(); got != pack(after) {
				t.Fatalf("%s after %v is %#x, want %#x", p, m, got, pack(after))
			}
			if _, over := after.Winner(); over != (s + move.packed()).over() {
				t.Fatalf("%s after %v: over is %v", p, m, !over)
			}
			if got := moveOf(uint32(move.code()), uint32(roll)); got != m {
				t.Fatalf("the code of %v means %v", m, got)
			}
		}
		if got := s.candidates(uint32(roll)); got != want {
			t.Fatalf("%s, roll %d: candidates %#x, want %#x", p, roll, got, want)
		}
		pass := step{side: p.Turn(), roll: roll}
		if s+pass.packed() != pack(p.Pass()) || pass.code() != passCode {
			t.Fatalf("%s passes to %#x", p, s+pass.packed())
		}
	})
}

// edgeBrains are brains whose sums are as large as they get, and ordinary ones.
func edgeBrains() []*Brain {
	rng := rand.New(rand.NewPCG(4, 4))
	brains := []*Brain{ClassicBrain(), new(Brain)}
	for _, most := range []int{40, 300, 1 << 15} {
		b := new(Brain)
		for k := range b {
			b[k] = int16(rng.IntN(2*most) - most)
		}
		brains = append(brains, b)
	}
	for _, weights := range [][2]int16{{32767, 32767}, {-32768, -32768}, {-32768, 32767}} {
		b := new(Brain)
		for k := range b {
			b[k] = weights[k%2]
		}
		brains = append(brains, b)
	}
	return brains
}

// The accumulators must be what they would be if they were summed anew, after
// every turn of games in which all moves are made, not only good ones.
func TestAccumulatorsFollowTheGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	brains := edgeBrains()
	for i, light := range brains {
		dark := brains[(i+1)%len(brains)]
		g, err := newIncremental(Setup{Light: light, Dark: dark})
		if err != nil {
			t.Fatal(err)
		}
		for pieces := 1; pieces <= board.MaxPieces; pieces++ {
			p := board.StartPosition(pieces)
			g.Set(p)
			for range 300 {
				roll := 1 + rng.IntN(board.MaxRoll)
				s := step{side: p.Turn(), roll: roll}
				if moves := p.Moves(nil, roll); len(moves) > 0 {
					m := moves[rng.IntN(len(moves))]
					s.to, s.special = int(m.To), m.Capture || board.IsRosette(int(m.To))
					p = p.Apply(m)
				} else {
					p = p.Pass()
				}
				g.game.add(&g.tables[4*int(s.side)+roll-1].row[s.code()])
				var want wideGame
				want.set(p, g.sums)
				want.counts = g.game.counts
				if g.game != want {
					t.Fatalf("brain %d: after %+v to %s the accumulators are not those of the position", i, s, p)
				}
				if _, over := p.Winner(); over {
					break
				}
			}
		}
	}
}

// No sum may leave the bounds that prove how many bits it needs, and the bounds
// should not be looser than the one thing they leave out makes them.
func TestBoundsHoldEverySum(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for i, b := range edgeBrains() {
		f := newForm(b)
		for _, side := range [2]board.Side{board.Light, board.Dark} {
			sums := f.sums(side)
			for range 2000 {
				p := board.RandomPosition(rng, 1+rng.IntN(board.MaxPieces))
				y := formCoordinates(p)
				for k := range sums {
					low, high := sums[k].bounds(p.Pieces())
					if v := sums[k].of(&y); v < low || v > high || low < -1<<22 || high > 1<<22 {
						t.Fatalf("brain %d, field %d: %s is %d, bounds %d to %d", i, k, p, v, low, high)
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
		var s sum
		for i := range s {
			s[i] = int32(rng.IntN(2001) - 1000)
		}
		low, high := s.bounds(2)
		least, most := int32(1<<30), int32(-1<<30)
		for _, light := range pairs {
			for _, dark := range pairs {
				for turn := range int32(2) {
					y := [board.Numbers]int32{turnNumber: turn}
					for k := range 2 {
						y[lightOffset+light[k]]++
						y[darkOffset+dark[k]]++
					}
					y[piecesNumber], y[darkOffset] = 2, 0
					v := s.of(&y)
					least, most = min(least, v), max(most, v)
				}
			}
		}
		if least != low || most != high {
			t.Fatalf("bounds %d to %d, values %d to %d", low, high, least, most)
		}
	}
}
