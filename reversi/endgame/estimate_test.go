package endgame

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/long"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// plainEstimate is the oracle of Estimate: every line of depth plies, passes not counted,
// and the evaluation behind it.
func plainEstimate(w *eval.Weights, b board.Board, depth int) int {
	if b.Moves() == 0 && b.Over() {
		return b.Score()
	}
	if depth == 0 {
		return eval.Discs(w.Evaluate(b))
	}
	if b.Moves() == 0 {
		return -plainEstimate(w, b.Pass(), depth)
	}
	best := -inf
	for moves := b.Moves(); moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		best = max(best, -plainEstimate(w, b.Play(s, b.Flips(s)), depth-1))
	}
	return best
}

func TestEstimateSearchesAllItsPlies(t *testing.T) {
	w, err := eval.Learned()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 63))
	s := solver(t, Options{Weights: w})
	for range long.N(4, 12) {
		b, ok := ending(random, 14+random.IntN(24))
		if !ok || b.Moves() == 0 {
			continue
		}
		for depth := 1; depth <= 5; depth++ {
			s.Forget()
			r, err := s.estimate(context.Background(), b, depth)
			if want := plainEstimate(w, b, depth); err != nil || r.Score != want {
				t.Errorf("%v, depth %d: estimate %d, want %d: %v", b, depth, r.Score, want, err)
			}
		}
	}
}

// Near the end the moves are ordered without the evaluation, which the leaves still need.
func TestEstimateNearTheEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 64))
	s := solver(t, Options{Weights: rubbish()})
	for range 300 {
		b, ok := ending(random, 1+random.IntN(12))
		if !ok {
			continue
		}
		for _, depth := range []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 60, 1000} {
			r, err := s.estimate(context.Background(), b, depth)
			if err != nil {
				t.Fatal(err)
			}
			if depth >= b.Empties() && r.Score != negamaxFast(s, b) {
				t.Errorf("%v, depth %d: estimate %d, want the exact score", b, depth, r.Score)
			}
		}
	}
}

func negamaxFast(s *Solver, b board.Board) int {
	r, err := s.Solve(context.Background(), b)
	if err != nil {
		return inf
	}
	return r.Score
}
