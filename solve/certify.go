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

// span is a run of positions, by rank, that differ by the opponent's safe squares only.
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
func (x *Index) walkSpans(ctx context.Context, pieces, threads int, progress func(float64),
	do func(thread, part int, s *span) error) error {
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

// appendOutcomes appends to dst the outcomes of a roll's legal moves, or of the pass when there is none.
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

// moverValue returns the outcome's value for the mover, by the rank of the opponent's safe squares.
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

// After the first sweeps the best moves hardly change any more, and the remaining error shrinks
// by nearly the same factor in every sweep. Two sweeps in a row then predict the limit of the
// values: with the changes f and g in the two,
//
//	values + c*g,  c = -<g, g-f> / <g-f, g-f>,
//
// is the combination of the last values that would have changed least. This is first-order reduced rank
// extrapolation (Eddy 1979; Mesina 1977; see Smith, Ford and Sidi, SIAM
// Review 29, 1987), repeated every few sweeps. It saves a third of the sweeps. Higher orders
// would save two sweeps more, at the price of as many more vectors.

const (
	extrapolateBelow = 1e-2  // start when no value changes by more than this
	extrapolateAbove = 1e-13 // and stop where rounding would be most of the change
)

// residuals are the changes, in one sweep, of the values that the next sweep reads before it
// computes them: after captures by Dark. Light is to move there, or Dark where these roll again.
type residuals struct {
	ofDark bool      // Dark is to move
	change []float32 // changes by place; their sign and seven digits are enough
	sums   [][2]float64
	mode   residualMode
}

type residualMode int

const (
	ignoreChanges  residualMode = iota
	recordChanges               // f
	compareChanges              // g, with the two scalar products in sums
)

// rowResidual is a row's part of the residuals.
type rowResidual struct {
	ofDark bool
	change []float32
	sums   *[2]float64
	mode   residualMode
}

func (r *residuals) ofRow(own row, begin, n int) rowResidual {
	if r.mode == ignoreChanges {
		return rowResidual{}
	}
	r.sums[own] = [2]float64{}
	return rowResidual{r.ofDark, r.change[begin : begin+n], &r.sums[own], r.mode}
}

// addChange notes the change at a place.
func (r *rowResidual) addChange(place int, change float64) {
	switch r.mode {
	case recordChanges:
		r.change[place] = float32(change)
	case compareChanges:
		difference := change - float64(r.change[place])
		r.sums[0] += float64(change * difference)
		r.sums[1] += float64(difference * difference)
		r.change[place] = float32(change)
	}
}

// nextMode chooses the sweep's job after one with the given change: every third records and
// every third compares, with one between to smooth the roughness left by the extrapolation.
func (r *residuals) nextMode(change float64) {
	if r.mode == compareChanges || change > extrapolateBelow || change < extrapolateAbove {
		r.mode = ignoreChanges
		return
	}
	r.mode++
}

// extrapolate moves the residuals' values to their predicted limit. Row sums
// are added in row order, so the result has the same bits on any number of threads.
func (p *pair) extrapolate(threads int) {
	r := p.residuals
	var product, square float64
	for _, s := range r.sums {
		product += s[0]
		square += s[1]
	}
	if square == 0 {
		return
	}
	c := -product / square
	all := p.light
	if r.ofDark {
		all = p.dark
	}
	const part = 1 << 16
	runParallel(threads, (len(all)+part-1)/part, func(_, i int) {
		values := all[i*part : min((i+1)*part, len(all))]
		change := r.change[i*part:]
		for j := range values {
			values[j] = min(max(values[j]+float64(c*float64(change[j])), 0), 1)
		}
	})
}
