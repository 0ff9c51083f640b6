package solve

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// span is a number of positions that differ by the opponent's safe squares only. Their ranks
// follow each other.
type span struct {
	layer    layer
	own      row // the mover's squares
	opp      int // the opponent's shared squares
	first, n int // rank of the first, and how many there are
}

// walk calls do for every span of the positions of games with a number of pieces, on a number of
// threads, until a call fails or ctx ends. A part is a layer with the mover's shared squares: one
// thread takes all of it. Its spans come by the opponent's shared squares, because the values read
// then lie in a few small parts of the table. progress gets the completed part of the work, 0 to 1.
func (x *Index) walk(ctx context.Context, pieces, threads int, progress func(float64), do func(thread, part int, s *span) error) error {
	layers := slices.DeleteFunc(slices.Clone(x.layers), func(l layer) bool { return max(l.own, l.opp) > pieces })
	sets, total := x.sharedSets(), float64(x.Positions(pieces))
	var done atomic.Int64
	return parallelUntil(ctx, threads, len(layers)*sets, func(thread, part int) error {
		s := span{layer: layers[part/sets]}
		shared, taken := part%sets, 0
		for s.opp = range x.disjoint(shared) {
			s.n = x.safeSetsLeft(s.layer.opp, s.opp)
			for safe := range min(s.n, 1) * x.safeSetsLeft(s.layer.own, shared) {
				s.own = x.makeRow(shared, int(x.safeSet[safe]))
				s.first = int(x.rank(s.layer, s.own, x.makeRow(s.opp, 0)))
				if err := do(thread, part, &s); err != nil {
					return err
				}
				taken += s.n
			}
		}
		progress(float64(done.Add(int64(taken))) / total)
		return nil
	})
}

// Certify returns the residual of the table: the largest difference, over all positions, between
// the value of a position and the value computed by the rules from the positions after it. It
// is a separate pass over the whole table. It shares only the rules of moves and the index with
// the solver: it sees every position from the player to move and uses no order, no programs and
// no extrapolation. With threads 0 it uses all cores. It fails only when the context ends, or
// when the table is in a file and damaged.
//
// The error of the values themselves is at most the residual times the greatest expected number
// of turns to the end of a game, some hundreds.
func (t *Table) Certify(ctx context.Context, threads int) (residual float64, err error) {
	threads = threadsOr(threads)
	greatest := make([]float64, threads)
	err = t.index.walk(ctx, t.pieces, threads, func(float64) {}, func(thread, _ int, s *span) error {
		greatest[thread] = max(greatest[thread], t.residualOf(s))
		return nil
	})
	if err == nil {
		err = t.Err()
	}
	return slices.Max(greatest), err
}

// residualOf returns the greatest residual of the positions of a span.
func (t *Table) residualOf(s *span) (greatest float64) {
	x := t.index
	rolls := x.chances.longest + 1
	var after [board.MaxRoll + 1]turnAfter
	for roll := range rolls {
		after[roll].find(x, s, roll)
	}
	for safe := range s.n {
		sum := 0.0
		for roll := range rolls {
			sum += float64(x.chances.roll[roll] * after[roll].best(t, safe))
		}
		greatest = max(greatest, math.Abs(t.At(s.first+safe)-sum))
	}
	return greatest
}

// turnAfter holds the outcomes of a roll, for all positions that differ by the opponent's safe
// squares: the index of the values of the first position, and their stride. The other side is
// to move in those of flip, and the mover has won in those of step 0.
type turnAfter struct {
	n       int
	outcome [board.MaxMoves]outcome
}

type outcome struct {
	first, step int
	flip        bool
	move        board.Move // not set for a pass
}

// find lists the legal moves of a roll, or the pass when there is none.
func (a *turnAfter) find(x *Index, s *span, roll int) {
	a.n = 0
	if roll > 0 {
		for to := x.destinations(s.own, s.layer.own, roll, s.opp); to != 0; to &= to - 1 {
			square := bits.TrailingZeros32(to)
			a.add(x, s, square-roll, square)
		}
	}
	if a.n == 0 {
		a.addPosition(x, s.layer, s.own, s.opp, true)
	}
}

// add lists one move.
func (a *turnAfter) add(x *Index, s *span, from, to int) {
	l, own, oppShared := s.layer, x.after(s.own, from, to), s.opp
	o := &a.outcome[a.n]
	o.move = board.Move{From: uint8(from), To: uint8(to)}
	if to == x.finish {
		if l.own--; l.own == 0 {
			*o = outcome{move: o.move}
			a.n++
			return
		}
	}
	again := x.again>>to&1 != 0
	if x.isShared(to) {
		taken := oppShared & (1 << x.bitOf[to])
		oppShared &^= taken
		o.move.Capture = taken != 0
		again = again || taken != 0 && x.captureAgain
	}
	a.addPosition(x, l, own, oppShared, !again)
}

func (a *turnAfter) addPosition(x *Index, l layer, own row, oppShared int, flip bool) {
	opp, o := x.makeRow(oppShared, 0), &a.outcome[a.n]
	if o.flip = flip; flip {
		opp = x.flip(opp)
		o.first = int(x.rank(layer{l.opp, l.own}, opp, x.flip(own)))
		o.step = int(x.rowSize[l.own][x.sharedOf(opp)])
	} else {
		o.first, o.step = int(x.rank(l, own, opp)), 1
	}
	a.n++
}

// best returns the value of the best outcome for the mover, where the opponent's safe squares
// have the given rank.
func (a *turnAfter) best(t *Table, safe int) (most float64) {
	for i := range a.outcome[:a.n] {
		most = max(most, a.outcome[i].worth(t, safe))
	}
	return most
}

// worth returns the value of the outcome for the mover.
func (o outcome) worth(t *Table, safe int) float64 {
	if o.step == 0 {
		return 1
	}
	value := t.At(o.first + o.step*safe)
	if o.flip {
		return 1 - value
	}
	return value
}
