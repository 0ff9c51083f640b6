package movegen

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

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
