package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// A selective score has the confidence asked for, at least, and takes fewer nodes than an exact
// one; a small endgame is exact all the same.
func TestSelective(t *testing.T) {
	w := learned(t)
	random := rand.New(rand.NewPCG(8, 3))
	nodes := map[int]uint64{}
	for percent, want := range map[int]int{1: 73, 73: 73, 80: 87, 95: 95, 99: 99, 100: 100, 0: 100} {
		s := solver(t, Options{Weights: w})
		for _, empties := range []int{10, 18} {
			b, ok := ending(random, empties)
			if !ok || b.Moves() == 0 {
				continue
			}
			r, err := s.Search(t.Context(), b, Limits{Confidence: percent})
			testkit.FatalIf(t, err != nil || b.Moves()&r.Best.Bit() == 0, "%+v, %v", r, err)
			testkit.ErrorIf(t, empties < selectiveFrom && r.Confidence != 100 || empties >= selectiveFrom &&
				r.Confidence != want, "%d %%, %d empties: confidence %d", percent, empties, r.Confidence)
		}
	}
	for _, percent := range []int{73, 100} {
		r := testkit.Must(solver(t, Options{Weights: w}).Search(t.Context(), midgame(), Limits{Confidence: percent}))(t)
		nodes[percent] = r.Nodes
	}
	testkit.ErrorIf(t, nodes[73]*3 > nodes[100]*2, "%d nodes at 73 %%, %d exactly", nodes[73], nodes[100])
	s := solver(t, Options{})
	testkit.WantError(t, testkit.ErrorOf(s.Search(t.Context(), board.Start, Limits{Confidence: 101})), "", "101 %%")
	r := testkit.Must(s.Search(t.Context(), board.Board{Own: 1, Opp: 2}, Limits{Confidence: 73}))(t)
	testkit.Equal(t, r.Confidence, 100, "the confidence on a small board")
}

// midgameEmpties is as small as selective searches allow.
const midgameEmpties = 18

// midgame returns a position with midgameEmpties empty squares.
func midgame() board.Board {
	random := rand.New(rand.NewPCG(8, 3))
	for {
		if b, ok := ending(random, midgameEmpties); ok && b.Moves() != 0 {
			return b
		}
	}
}

// A deadline ends a search although nothing but the search itself looks at the clock.
func TestDeadlineWithoutTimer(t *testing.T) {
	s := solver(t, Options{})
	r, err := s.Search(sleepy{t.Context()}, board.Start, Limits{})
	testkit.ErrorIf(t, !errors.Is(err, context.DeadlineExceeded) || r.Confidence != 0, "%+v, %v", r, err)
}

// sleepy is a context with a deadline that has no timer.
type sleepy struct{ context.Context }

func (sleepy) Deadline() (time.Time, bool) { return time.Now().Add(time.Millisecond), true }

// A search cut short returns a legal move or none, on any number of threads, with the score of its
// last selective search if there was one.
func TestSolveCutShort(t *testing.T) {
	w := learned(t)
	for _, threads := range []int{1, 2} {
		patterns, hand := solver(t, Options{Weights: w, Threads: threads}), solver(t, Options{Threads: threads, TableBits: 10})
		random := rand.New(rand.NewPCG(5, 6))
		for i := range testkit.Trials(12, 30) {
			s, b, ok := patterns, board.Start, true
			if i%10 == 1 { // no search ends in time
				s = hand
			} else if b, ok = ending(random, 24); !ok || b.Moves() == 0 {
				continue
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
			r, err := s.Search(ctx, b, Limits{})
			cancel()
			testkit.ErrorIf(t, (i == 0 || s == hand) && !errors.Is(err, context.DeadlineExceeded),
				"%d threads: error %v, want that of the context", threads, err)
			testkit.ErrorIf(t, err == nil && r.Confidence != 100, "a finished search has the confidence %d", r.Confidence)
			testkit.ErrorIf(t, r.Confidence > 0 && r.Best == board.None, "a score without a move")
			testkit.ErrorIf(t, r.Best != board.None && b.Moves()&r.Best.Bit() == 0, "the move is %s", r.Best)
		}
	}
}

// Every completed iteration is reported, and can end the search, whose result it then is.
func TestProgress(t *testing.T) {
	w := learned(t)
	var last Result
	depths := 0
	l := Limits{Progress: func(r Result) bool {
		depths++
		legal := midgame().Moves()&r.Best.Bit() != 0
		testkit.ErrorIf(t, r.Depth <= last.Depth || !legal, "after depth %d: %+v", last.Depth, r)
		last = r
		return r.Depth < 8
	}}
	r, err := solver(t, Options{Weights: w}).Search(t.Context(), midgame(), l)
	testkit.ErrorIf(t, err != nil || r.Depth != 8 || r.Best != last.Best || r.Value != last.Value || r.Confidence != 0,
		"the result is %+v, want %+v: %v", r, last, err)
	testkit.Equal(t, depths, 4, "iterations")
}

// Under a deadline the values of all moves are those of one depth.
func TestAllMovesCutShort(t *testing.T) {
	w := learned(t)
	for limit := time.Millisecond; ; limit *= 4 { // other work may keep the search waiting
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		r, err := solver(t, Options{Weights: w}).Search(ctx, board.Start, Limits{AllMoves: true})
		cancel()
		testkit.FatalIf(t, !errors.Is(err, context.DeadlineExceeded), "in %v: %+v, %v", limit, r, err)
		testkit.ErrorIf(t, r.Depth > 0 && (len(r.Moves) != 4 || r.Best != r.Moves[0].Square), "in %v: %+v", limit, r)
		if r.Depth >= 2 {
			return
		}
		testkit.FatalIf(t, limit > time.Minute, "in %v: depth %d", limit, r.Depth)
	}
}

// A deadline adds searches, and changes no score.
func TestDeadlineAddsLevels(t *testing.T) {
	w := learned(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	hasty := testkit.Must(solver(t, Options{Weights: w}).Search(ctx, midgame(), Limits{}))(t)
	calm, err := solver(t, Options{Weights: w}).Search(t.Context(), midgame(), Limits{})
	testkit.ErrorIf(t, err != nil || hasty.Value != calm.Value || hasty.Confidence != 100 || hasty.Nodes == calm.Nodes,
		"with a deadline %+v, without %+v (%v)", hasty, calm, err)
}
