package solve

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// span is a run of positions that differ by the opponent's safe squares only. Their ranks
// follow each other.
type span struct {
	layer    layer
	own      row // the mover's squares
	opp      int // the opponent's shared squares
	first, n int // rank of the first, and how many there are
}

// walkSpans calls do for every span of positions in games with a number of pieces, on some
// threads, until a call fails or ctx ends. A part is a layer with the mover's shared squares: one
// thread takes it whole. Its spans come by the opponent's shared squares, because the values read
// then lie in a few small parts of the table. progress gets the completed part, 0 to 1.
func (x *Index) walkSpans(ctx context.Context, pieces, threads int, progress func(float64), do func(thread, part int, s *span) error) error {
	layers := slices.DeleteFunc(slices.Clone(x.layers), func(l layer) bool { return max(l.own, l.opp) > pieces })
	sets, total := x.sharedSets(), float64(x.Positions(pieces))
	var done atomic.Int64
	return runParallelUntil(ctx, threads, len(layers)*sets, func(thread, part int) error {
		s := span{layer: layers[part/sets]}
		shared, taken := part%sets, 0
		for s.opp = range x.disjointSets(shared) {
			s.n = x.safeSetsLeft(s.layer.opp, s.opp)
			for safe := range min(s.n, 1) * x.safeSetsLeft(s.layer.own, shared) {
				s.own = x.makeRow(shared, int(x.safeSet[safe]))
				s.first = int(x.rankOf(s.layer, s.own, x.makeRow(s.opp, 0)))
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

// Certify returns the table's residual: the largest difference, over all positions, between
// a position's value and the value computed by the rules from the positions after it. It
// is a separate pass over the whole table. It shares only the move rules and the index with
// the solver: it sees every position from the player to move and uses no order, no programs and
// no extrapolation. With threads 0 it uses all cores. It fails only when the context ends, or
// when the table is in a file and damaged.
//
// The values themselves err by at most the residual times the greatest expected number
// of turns to a game's end, some hundreds.
func (t *Table) Certify(ctx context.Context, threads int) (residual float64, err error) {
	threads = cmp.Or(threads, runtime.GOMAXPROCS(0))
	greatest := make([]float64, threads)
	err = t.index.walkSpans(ctx, t.pieces, threads, func(float64) {}, func(thread, _ int, s *span) error {
		greatest[thread] = max(greatest[thread], t.residualOf(s))
		return nil
	})
	return slices.Max(greatest), cmp.Or(err, t.Err())
}

// residualOf returns the greatest residual of a span's positions.
func (t *Table) residualOf(s *span) (greatest float64) {
	x := t.index
	var room [board.MaxRoll + 1][board.MaxMoves]outcome
	var rolls [board.MaxRoll + 1][]outcome
	for roll := range x.chances.longest + 1 {
		rolls[roll] = x.appendOutcomes(room[roll][:0], s, roll)
	}
	for safe := range s.n {
		sum := 0.0
		for roll, outcomes := range rolls[:x.chances.longest+1] {
			most := 0.0
			for i := range outcomes {
				most = max(most, outcomes[i].moverValue(t, safe))
			}
			sum += float64(x.chances.roll[roll] * most)
		}
		greatest = max(greatest, math.Abs(t.At(s.first+safe)-sum))
	}
	return greatest
}

// outcome is a move's or a pass's result, for all positions that differ by the opponent's safe
// squares: the index of the value after it for the first position, and the stride. The other side is
// to move if flip is set, and the mover has won if step is 0.
type outcome struct {
	first, step int
	flip        bool
	move        board.Move // not set for a pass
}

// appendOutcomes appends to dst those from a roll's legal moves, or that from the pass when there is none.
func (x *Index) appendOutcomes(dst []outcome, s *span, roll int) []outcome {
	if roll > 0 {
		for to := x.destinations(s.own, s.layer.own, roll, s.opp); to != 0; to &= to - 1 {
			square := bits.TrailingZeros32(to)
			dst = append(dst, x.outcomeOf(s, square-roll, square))
		}
	}
	if len(dst) == 0 {
		dst = append(dst, x.outcomeAt(s.layer, s.own, s.opp, true))
	}
	return dst
}

// outcomeOf returns a move's outcome.
func (x *Index) outcomeOf(s *span, from, to int) (o outcome) {
	l, own, oppShared := s.layer, x.rowAfter(s.own, from, to), s.opp
	move := board.Move{From: uint8(from), To: uint8(to)}
	if to == x.finish {
		l.own--
	}
	again := x.again>>to&1 != 0
	if x.isShared(to) {
		taken := oppShared & (1 << x.bitOf[to])
		oppShared &^= taken
		move.Capture = taken != 0
		again = again || taken != 0 && x.captureAgain
	}
	if l.own > 0 {
		o = x.outcomeAt(l, own, oppShared, !again)
	}
	o.move = move
	return o
}

// outcomeAt returns the outcome with the mover's given squares and the opponent's shared ones.
func (x *Index) outcomeAt(l layer, own row, oppShared int, flip bool) outcome {
	opp := x.makeRow(oppShared, 0)
	if !flip {
		return outcome{first: int(x.rankOf(l, own, opp)), step: 1}
	}
	opp = x.flip(opp)
	return outcome{
		first: int(x.rankOf(layer{l.opp, l.own}, opp, x.flip(own))),
		step:  int(x.rowSize[l.own][x.sharedOf(opp)]),
		flip:  true,
	}
}

// moverValue returns the outcome's value for the mover, where the opponent's safe squares have the
// given rank.
func (o *outcome) moverValue(t *Table, safe int) float64 {
	if o.step == 0 {
		return 1
	}
	value := t.At(o.first + o.step*safe)
	if o.flip {
		return 1 - value
	}
	return value
}
