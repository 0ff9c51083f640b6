package solve

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
)

// Certify returns the residual of a table: the largest difference, over all positions, between
// the value of a position and the value computed by the rules from the positions after it. It
// is a separate pass over the whole table. It shares only the rules of moves and the index with
// the solver: it sees every position from the player to move and uses no order, no programs and
// no extrapolation. With threads 0 it uses all cores. It fails only when the context ends, or
// when the table is in a file and damaged.
//
// The error of the values themselves is at most the residual times the greatest expected number
// of turns to the end of a game, some hundreds.
func Certify(ctx context.Context, t Table, threads int) (residual float64, err error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	switch t := t.(type) {
	case Values:
		residual, err = certify(ctx, t, t.Pieces(), threads) // without a call through the interface for every value
	default:
		residual, err = certify(ctx, t, t.Pieces(), threads)
	}
	if err == nil {
		err = t.Err()
	}
	return residual, err
}

func certify[T ranked](ctx context.Context, t T, pieces, threads int) (float64, error) {
	var greatest atomic.Uint64 // the bits of non-negative float64 values have the same order as the values
	for _, l := range index.layers {
		if l.own > pieces || l.opp > pieces {
			continue
		}
		parallel(threads, sharedSets, func(_, own int) {
			if ctx.Err() != nil {
				return
			}
			r := math.Float64bits(residualOf(t, l, own))
			for old := greatest.Load(); r > old && !greatest.CompareAndSwap(old, r); old = greatest.Load() {
			}
		})
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return math.Float64frombits(greatest.Load()), nil
}

// residualOf returns the greatest residual of the positions of a layer in which the mover holds
// a set of shared squares. It visits them by the opponent's shared squares, because the values
// read then lie in a few small parts of the table.
func residualOf[T ranked](t T, l layer, ownShared int) (greatest float64) {
	for oppShared := range sharedSets {
		if oppShared&ownShared != 0 {
			continue
		}
		for safe := range index.safeSetsLeft(l.own, ownShared) {
			own := makeRow(ownShared, int(index.safeSet[safe]))
			greatest = max(greatest, residualOfStretch(t, l, own, oppShared))
		}
	}
	return greatest
}

// residualOfStretch does so where the mover has the row own.
func residualOfStretch[T ranked](t T, l layer, own row, oppShared int) (greatest float64) {
	var after [board.MaxRoll + 1]turnAfter
	for roll := range after {
		after[roll].find(l, own, oppShared, roll)
	}
	first := int(index.rank(l, own, makeRow(oppShared, 0)))
	for safe := range index.safeSetsLeft(l.opp, oppShared) {
		sum := 0.0
		for roll := range after {
			sum += float64(float64(board.RollWays[roll]) / 16 * best(t, &after[roll], safe))
		}
		greatest = max(greatest, math.Abs(t.At(first+safe)-sum))
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
}

// find lists the legal moves of a roll, or the pass when there is none.
func (a *turnAfter) find(l layer, own row, oppShared, roll int) {
	a.n = 0
	if roll > 0 {
		for to := own.destinations(l.own, roll, oppShared); to != 0; to &= to - 1 {
			square := bits.TrailingZeros32(to)
			a.add(l, own, oppShared, square-roll, square)
		}
	}
	if a.n == 0 {
		a.addPosition(l, own, oppShared, true)
	}
}

// add lists one move.
func (a *turnAfter) add(l layer, own row, oppShared, from, to int) {
	own = own.after(from, to)
	if to == board.Finish {
		if l.own--; l.own == 0 {
			a.outcome[a.n] = outcome{}
			a.n++
			return
		}
	}
	if board.IsShared(to) {
		oppShared &^= 1 << (to - firstShared)
	}
	a.addPosition(l, own, oppShared, !board.IsRosette(to))
}

func (a *turnAfter) addPosition(l layer, own row, oppShared int, flip bool) {
	opp := makeRow(oppShared, 0)
	o := outcome{first: int(index.rank(l, own, opp)), step: 1, flip: flip}
	if flip {
		o.first = int(index.rank(layer{l.opp, l.own}, opp, own))
		o.step = int(index.rowSize[l.own][oppShared])
	}
	a.outcome[a.n] = o
	a.n++
}

// best returns the value of the best outcome for the mover, where the opponent's safe squares
// have the given rank.
func best[T ranked](t T, a *turnAfter, safe int) (most float64) {
	for i := range a.outcome[:a.n] {
		most = max(most, worth(t, a.outcome[i], safe))
	}
	return most
}

// worth returns the value of an outcome for the mover.
func worth[T ranked](t T, o outcome, safe int) float64 {
	if o.step == 0 {
		return 1
	}
	value := t.At(o.first + o.step*safe)
	if o.flip {
		return 1 - value
	}
	return value
}
