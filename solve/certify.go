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
func Certify(ctx context.Context, t Ranked, threads int) (residual float64, err error) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	switch t := t.(type) {
	case Values:
		residual, err = certify(ctx, t, t.Index(), t.Pieces(), threads) // without a call through the interface for every value
	case RulesValues:
		residual, err = certify(ctx, t, t.Index(), t.Pieces(), threads)
	default:
		residual, err = certify(ctx, t, t.Index(), t.Pieces(), threads)
	}
	if err == nil {
		err = t.Err()
	}
	return residual, err
}

func certify[T ranked](ctx context.Context, t T, x *Index, pieces, threads int) (float64, error) {
	var greatest atomic.Uint64 // the bits of non-negative float64 values have the same order as the values
	for _, l := range x.layers {
		if l.own > pieces || l.opp > pieces {
			continue
		}
		parallel(threads, x.sharedSets(), func(_, own int) {
			if ctx.Err() != nil {
				return
			}
			r := math.Float64bits(residualOf(t, x, l, own))
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
func residualOf[T ranked](t T, x *Index, l layer, ownShared int) (greatest float64) {
	for oppShared := range x.disjoint(ownShared) {
		for safe := range x.safeSetsLeft(l.own, ownShared) {
			own := x.makeRow(ownShared, int(x.safeSet[safe]))
			greatest = max(greatest, residualOfStretch(t, x, l, own, oppShared))
		}
	}
	return greatest
}

// residualOfStretch does so where the mover has the row own.
func residualOfStretch[T ranked](t T, x *Index, l layer, own row, oppShared int) (greatest float64) {
	n := x.safeSetsLeft(l.opp, oppShared)
	if n == 0 {
		return 0
	}
	rolls := x.chances.longest + 1
	var after [board.MaxRoll + 1]turnAfter
	for roll := range rolls {
		after[roll].find(x, l, own, oppShared, roll)
	}
	first := int(x.rank(l, own, x.makeRow(oppShared, 0)))
	for safe := range n {
		sum := 0.0
		for roll := range rolls {
			sum += float64(x.chances.roll[roll] * best(t, &after[roll], safe))
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
func (a *turnAfter) find(x *Index, l layer, own row, oppShared, roll int) {
	a.n = 0
	if roll > 0 {
		for to := x.destinations(own, l.own, roll, oppShared); to != 0; to &= to - 1 {
			square := bits.TrailingZeros32(to)
			a.add(x, l, own, oppShared, square-roll, square)
		}
	}
	if a.n == 0 {
		a.addPosition(x, l, own, oppShared, true)
	}
}

// add lists one move.
func (a *turnAfter) add(x *Index, l layer, own row, oppShared, from, to int) {
	own = x.after(own, from, to)
	if to == x.finish {
		if l.own--; l.own == 0 {
			a.outcome[a.n] = outcome{}
			a.n++
			return
		}
	}
	again := x.again>>to&1 != 0
	if x.isShared(to) {
		taken := oppShared & (1 << x.bitOf[to])
		oppShared &^= taken
		again = again || taken != 0 && x.captureAgain
	}
	a.addPosition(x, l, own, oppShared, !again)
}

func (a *turnAfter) addPosition(x *Index, l layer, own row, oppShared int, flip bool) {
	opp := x.makeRow(oppShared, 0)
	o := outcome{first: int(x.rank(l, own, opp)), step: 1, flip: flip}
	if flip {
		opp = x.flip(opp)
		o.first = int(x.rank(layer{l.opp, l.own}, opp, x.flip(own)))
		o.step = int(x.rowSize[l.own][x.sharedOf(opp)])
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
