package movegen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
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

// verify compares generators with the oracle on a number of positions: those of random games,
// and between them random boards of every density, reachable or not. It compares the list of
// moves, the flips of every empty square, and the output of Expand. The error names the first
// difference.
func verify(generators []Generator, positions int, seed uint64) error {
	random := rand.New(rand.NewPCG(seed, 1))
	var got Children
	for n := 0; n < positions; {
		b := board.Start
		for passes := 0; passes < 2 && n < positions; n++ {
			if err := compare(generators, b, &got); err != nil {
				return err
			}
			moves := b.Moves()
			if moves == 0 {
				b, passes = b.Pass(), passes+1
				continue
			}
			passes = 0
			s := board.AnyOf(random, moves)
			b = b.Play(s, b.Flips(s))
		}
		for range 20 {
			taken, own := random.Uint64()|random.Uint64()&random.Uint64(), random.Uint64()
			if err := compare(generators, board.Board{Own: taken & own, Opp: taken &^ own}, &got); err != nil {
				return err
			}
			n++
		}
	}
	return nil
}

// compare compares generators with the oracle on one board.
func compare(generators []Generator, b board.Board, got *Children) error {
	a := board.ArrayOf(b)
	moves := a.Moves()
	var want Children
	for set := moves; set != 0; set &= set - 1 {
		s := board.First(set)
		want.Flips[want.N] = a.Flips(s)
		next := board.ArrayOf(b.Play(s, want.Flips[want.N]))
		want.Moves[want.N] = next.Moves()
		want.N++
	}
	for _, g := range generators {
		if m := g.Moves(b); m != moves {
			return fmt.Errorf("%s: moves of %v are %v (want %v)", g.Name(), b, board.Squares(m), board.Squares(moves))
		}
		i := 0
		for empty := b.Empty(); empty != 0; empty &= empty - 1 {
			s := board.First(empty)
			var flips uint64
			if moves&s.Bit() != 0 {
				flips = want.Flips[i]
				i++
			}
			if f := g.Flips(b, s); f != flips {
				return fmt.Errorf("%s: %s on %v turns over %v (want %v)", g.Name(), s, b, board.Squares(f), board.Squares(flips))
			}
		}
		g.Expand(b, moves, got)
		if got.N != want.N || !slices.Equal(got.Flips[:got.N], want.Flips[:got.N]) || !slices.Equal(got.Moves[:got.N], want.Moves[:got.N]) {
			return fmt.Errorf("%s: the expansion of %v differs from the oracle's", g.Name(), b)
		}
	}
	return nil
}
