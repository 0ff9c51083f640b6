package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// minimax is the oracle of searches to a depth: every line of depth plies, passes not counted, and
// the evaluation behind it.
func minimax(value func(board.Board) int, b board.Board, depth int) int {
	if b.Moves() == 0 && b.Over() {
		return b.Score() * eval.Disc
	}
	if depth == 0 {
		return value(b)
	}
	if b.Moves() == 0 {
		return -minimax(value, b.Pass(), depth)
	}
	best := never
	for moves := b.Moves(); moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		best = max(best, -minimax(value, b.Play(s, b.Flips(s)), depth-1))
	}
	return best
}

// Without ProbCut a search has the value of plain minimax, in fractions of a disc or in whole discs,
// by both evaluations, on one thread or several, with each technique left out.
func TestSearchesEqualMinimax(t *testing.T) {
	w := learned(t)
	learned := w.Evaluate
	engines := map[string]*Engine{
		"hand":     solver(t, Options{}),
		"threads":  solver(t, Options{Weights: w, Threads: 2, Without: probCutting}),
		"nothing":  solver(t, Options{Weights: w, Without: ^fractions}),
		"roundest": solver(t, Options{Weights: w, Without: ^Technique(0)}),
	}
	values := map[string]func(board.Board) int{
		"hand":     eval.DefaultHand().Evaluate,
		"roundest": func(b board.Board) int { return eval.Discs(learned(b)) * eval.Disc },
	}
	for i, name := range techniques {
		engines["without "+name] = solver(t, Options{Weights: w, Without: 1<<i | probCutting})
	}
	values["without fractions"] = values["roundest"]
	random := rand.New(rand.NewPCG(1, 63))
	for range testkit.Trials(4, 12) {
		b, ok := ending(random, 5+random.IntN(50))
		if !ok || b.Moves() == 0 {
			continue
		}
		for name, e := range engines {
			value := values[name]
			if value == nil {
				value = learned
			}
			for depth := 1; depth <= min(4, b.Empties()-1); depth++ {
				e.Forget()
				want := minimax(value, b, depth)
				r, err := e.Search(t.Context(), b, Limits{Depth: depth})
				testkit.ErrorIf(t, err != nil || r.Value != want || r.Depth != depth || r.Line[0] != r.Best,
					"%s: %v, depth %d: %+v, want %d: %v", name, b, depth, r, want, err)
				e.Forget()
				all, err := e.Search(t.Context(), b, Limits{Depth: depth, AllMoves: true})
				testkit.ErrorIf(t, err != nil || all.Value != want || all.Moves[0].Value != want,
					"%s: %v, depth %d, all moves: %+v, want %d: %v", name, b, depth, all, want, err)
				e.Forget()
				testkit.ErrorIf(t, e.Value(b, depth, -most, most) != want,
					"%s: %v: value at depth %d, want %d", name, b, depth, want)
			}
		}
	}
}

// A depth beyond the end of the game, and a number of empty squares from which it is solved, find
// the exact score.
func TestDepthBeyondTheEnd(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 64))
	s := solver(t, Options{Weights: rubbish()})
	for range 300 {
		b, ok := ending(random, 1+random.IntN(12))
		if !ok {
			continue
		}
		want := testkit.Must(s.Search(t.Context(), b, Limits{}))(t)
		for _, l := range []Limits{{Depth: 12}, {Depth: 60}, {Depth: 2, Exact: 12}} {
			r, err := s.Search(t.Context(), b, l)
			testkit.ErrorIf(t, err != nil || r.Value != want.Value || r.Confidence != 100,
				"%v, %+v: %+v, want %d: %v", b, l, r, want.Value, err)
		}
	}
}
