package movegen

import (
	"os"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

func TestMain(m *testing.M) {
	if err := cpu.CheckRequired(All()); err != nil {
		println(err.Error())
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// Every generator must give the oracle's moves and flips, asked one by one and expanded;
// one that does not must be found out.
func TestGeneratorsEqualTheOracle(t *testing.T) {
	n := testkit.Trials(5_000, 100_000)
	testkit.NoError(t, verify(Available(), n, 14))
	for _, g := range []Generator{forgetsMoves{}, forgetsFlips{}, forgetsReplies{}} {
		testkit.ErrorIf(t, verify([]Generator{g}, 1000, 14) == nil, "%T is not found out", g)
	}
}

// Generators with a fault each.
type (
	forgetsMoves   struct{ rays }
	forgetsFlips   struct{ rays }
	forgetsReplies struct{ rays }
)

func (g forgetsMoves) Moves(b board.Board) uint64 { return g.rays.Moves(b) &^ (1 << 63) }
func (g forgetsFlips) Flips(b board.Board, s board.Square) uint64 {
	return g.rays.Flips(b, s) &^ (1 << 9)
}
func (g forgetsReplies) Expand(b board.Board, moves uint64, c *Children) {
	g.rays.Expand(b, moves, c)
	c.Moves[c.N/2] &^= 1 << 20
}

func FuzzGeneratorsEqualTheOracle(f *testing.F) {
	f.Add(board.Start.Own, board.Start.Opp)
	f.Add(uint64(0), uint64(1<<63-1))
	f.Add(uint64(0xff818181818181ff), uint64(0x007e7e7e7e7e7e00))
	f.Fuzz(func(t *testing.T, own, opp uint64) {
		testkit.NoError(t, compare(Available(), board.Board{Own: own, Opp: opp &^ own}, new(Children)))
	})
}

func TestLookup(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range All() {
		testkit.ErrorIf(t, seen[g.Name()], "two generators are called %s", g.Name())
		seen[g.Name()] = true
		found, err := Lookup(g.Name())
		testkit.ErrorIf(t, found != g && err == nil, "%s is not found by its name", g.Name())
	}
	testkit.WantError(t, testkit.ErrorOf(Lookup("abacus")), "array", "an unknown name, where there are others,")
	t.Setenv("UR_DISABLE", "avx2")
	testkit.Equal(t, Fastest().Name(), "rays", "the fastest without vector registers")
}
