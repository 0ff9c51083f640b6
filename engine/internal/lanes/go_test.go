package lanes

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func newGoLanes(t *testing.T, s ur.Setup) *goGame {
	return testkit.Must(goEngine{}.New(s))(t).(*goGame)
}

// After every turn of games in which all moves are made, the accumulators of 16
// bits must be those of 32 bits less their bias.
func TestNarrowAccumulatorsFollowTheGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	small := new(ur.Brain)
	testkit.Fill(small[:], func() int16 { return int16(rng.IntN(201) - 100) })
	for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
		g := newGoLanes(t, ur.Setup{Light: ur.ClassicBrain(), Dark: small, Pieces: pieces})
		fields := [2]*form.Fields{}
		for side := range board.Side(2) {
			fields[side] = form.Of(g.setup.Brain(side)).Fields(side)
		}
		bias, fit := biases(fields, pieces)
		testkit.FatalIf(t, !fit || !g.narrow, "%d pieces: ordinary brains do not fit 16 bits", pieces)
		p, w := board.StartPosition(pieces), g.start
		for range 500 {
			y := form.At(p)
			for side := range fields {
				for i, want := range fields[side].At(&y) {
					got := int32(binary.LittleEndian.Uint16(w.fields[side][2*i:])) + bias[side][i]
					if got != want {
						t.Fatalf("%s: field %d of %s is %d, want %d", board.Finkel().FormatPosition(p), i,
							board.Side(side), got, want)
					}
				}
			}
			if _, over := p.Winner(); over {
				break
			}
			roll := 1 + rng.IntN(board.FinkelRoll)
			s := form.Step{Side: p.Turn(), Roll: roll}
			if moves := board.Finkel().Moves(nil, p, roll); len(moves) > 0 {
				m := moves[rng.IntN(len(moves))]
				s.To, s.Special = int(m.To), m.Capture || board.IsRosette(int(m.To))
				p = board.Finkel().Apply(p, m)
			} else {
				p = p.Pass()
			}
			w.add(&g.tables[4*int(s.Side)+roll-1].row[s.Code()])
		}
	}
}

// A brain is only played in 16 bits when all its sums fit, on either side.
func TestWideBrainsArePlayedInFullWidth(t *testing.T) {
	classic, wide := ur.ClassicBrain(), new(ur.Brain)
	for k, w := range classic {
		wide[k] = w * 180
	}
	for _, test := range []struct {
		light, dark *ur.Brain
		narrow      bool
	}{{classic, classic, true}, {wide, classic, false}, {classic, wide, false}} {
		g := newGoLanes(t, ur.Setup{Light: test.light, Dark: test.dark})
		testkit.Equal(t, g.narrow, test.narrow, "played in 16 bits")
	}
	// Field 1 of Light moves by B[1][2] * x[2], by B[1][3] * x[3], and so on: two
	// weights span 65535 together, and one more does not fit.
	b := new(ur.Brain)
	for _, test := range []struct {
		square int
		weight int16
		narrow bool
	}{{2, 32767, true}, {3, 32767, true}, {4, 1, true}, {4, 2, false}} {
		b[ur.WeightIndex(board.Light.Number(test.square), board.Light.Number(1))] = test.weight
		g := newGoLanes(t, ur.Setup{Light: b, Dark: new(ur.Brain)})
		testkit.Equal(t, g.narrow, test.narrow, "after weight %d on square %d: in 16 bits", test.weight, test.square)
	}
}
