package incremental

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// randomBrain returns a brain of weights below most.
func randomBrain(rng *rand.Rand, most int) *ur.Brain {
	b := new(ur.Brain)
	testkit.Fill(b[:], func() int16 { return int16(rng.IntN(2*most) - most) })
	return b
}

// The accumulators must be what they would be if they were summed anew, after
// every turn of games in which all moves are made, not only good ones.
func TestAccumulatorsFollowTheGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	extreme := new(ur.Brain)
	for k := range extreme {
		extreme[k] = int16(k%2*65535 - 32768)
	}
	brains := []*ur.Brain{ur.ClassicBrain(), randomBrain(rng, 40), randomBrain(rng, 1<<15), extreme}
	for i, light := range brains {
		dark := brains[(i+1)%len(brains)]
		g := testkit.Must(newGame(ur.Setup{Light: light, Dark: dark}))(t)
		for pieces := 1; pieces <= board.FinkelPieces; pieces++ {
			p := board.StartPosition(pieces)
			g.Set(p)
			for range 300 {
				roll := 1 + rng.IntN(board.FinkelRoll)
				s := form.Step{Side: p.Turn(), Roll: roll}
				if moves := board.Finkel().Moves(nil, p, roll); len(moves) > 0 {
					m := moves[rng.IntN(len(moves))]
					s.To, s.Special = int(m.To), m.Capture || board.IsRosette(int(m.To))
					p = board.Finkel().Apply(p, m)
				} else {
					p = p.Pass()
				}
				g.now.add(&g.tables[4*int(s.Side)+roll-1].row[s.Code()])
				var want state
				want.set(p, &g.fields)
				want.counts = g.now.counts
				testkit.FatalIf(t, g.now != want,
					"brain %d: after %+v to %s the accumulators are not those of the position", i, s,
					board.Finkel().FormatPosition(p))
				if _, over := p.Winner(); over {
					break
				}
			}
		}
	}
}

// BenchmarkBuild is the price of binding a pair of brains.
func BenchmarkBuild(b *testing.B) {
	setup := ur.Setup{Light: ur.ClassicBrain(), Dark: new(ur.Brain)}
	for b.Loop() {
		testkit.Must(newGame(setup))(b)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N), "us/pair")
	b.ReportMetric(0, "ns/op")
}

// The kernel must add what state.add adds, and stop at guard pages.
func TestAddRowIsAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	g := testkit.Must(newGame(ur.Setup{Light: randomBrain(rng, 1<<15), Dark: randomBrain(rng, 1<<15)}))(t)
	for _, atEnd := range []bool{false, true} {
		s, r := testkit.Guarded[state](t, atEnd), testkit.Guarded[row](t, atEnd)
		for range 1000 {
			s.set(board.Finkel().Random(rng, board.FinkelPieces), &g.fields)
			*r = g.tables[rng.IntN(len(g.tables))].row[rng.IntN(len(g.tables[0].row))]
			want := *s
			want.add(r)
			addRow(s, r)
			testkit.MustEqual(t, *s, want, "the kernel")
		}
	}
}
