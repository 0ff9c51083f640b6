package solve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve/urt"
	"golang.org/x/sync/errgroup"
)

// Options control a solution. The zero value has good defaults.
type Options struct {
	// Threads is how many threads to use, all cores when 0. The result does not depend on it.
	Threads int

	// Progress, when set, is called after every sweep.
	Progress func(Progress)

	// Checkpoint, when set, supplies an earlier run's finished layers and receives all others.
	Checkpoint *Checkpoint
}

// A Checkpoint holds a solution's finished pairs of layers in a file.
type Checkpoint = urt.Checkpoint

// ErrCheckpointInUse reports that another process is solving with a checkpoint.
var ErrCheckpointInUse = urt.ErrCheckpointInUse

// OpenCheckpoint opens the checkpoint at path for a rule set's solution with its number of
// pieces; see [urt.OpenCheckpoint]. The parts are pairs of layers.
func OpenCheckpoint(path string, r *board.Rules, fresh bool) (*Checkpoint, error) {
	x, err := IndexOf(r)
	if err != nil {
		return nil, err
	}
	var parts []urt.RankRange
	for _, l := range x.layerPairs(r.Pieces()) {
		first, n := x.pairAt(l)
		parts = append(parts, urt.RankRange{First: first, N: n})
	}
	return urt.OpenCheckpoint(path, r, parts, fresh)
}

// Progress is a solution's progress.
type Progress struct {
	Own, Opp int     // the pieces left to the sides in the pair of layers at work
	Sweep    int     // sweeps of it
	Done     float64 // estimated completed part of all work, 0 to 1
}

// settled is the change that ends a pair of layers: rounding moves values by some 1e-16 forever.
const settled = 1e-15

// maxSweeps is far more than 30 to 60 for common dice: a roll of probability 0.999 takes thousands.
const maxSweeps = 10_000

// Solve computes the value of every position under a rule set with its number of pieces, in
// [Index.Memory] bytes, with the same bits on any number of threads, with or without a checkpoint.
//
// A pair of layers is swept in an order in which nearly all moves lead to values from the same
// sweep (see sweepGroup). Extrapolation makes up for the rest.
//
// It returns an error when the context ends, when the memory does not suffice, when the checkpoint
// cannot be written, or when the rules have a game that cannot end or whose values do not settle; the
// checkpoint's contents remain valid. The checkpoint
// stays open in any case: close it, or remove it when the solution has been saved.
func Solve(ctx context.Context, r *board.Rules, o Options) (*Table, error) {
	x, err := IndexOf(r)
	if err != nil {
		return nil, err
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	if o.Checkpoint != nil {
		if c := o.Checkpoint.Rules(); !c.Equal(r) || c.Pieces() != r.Pieces() {
			return nil, fmt.Errorf("a checkpoint of %d pieces of the rules %s (want %d of %s)",
				c.Pieces(), c.Name(), r.Pieces(), r.Name())
		}
	}
	if err := process.CheckMemory(x.Memory(r.Pieces(), o.Threads)); err != nil {
		return nil, fmt.Errorf("solving the rules %s with %s %w", r.Name(), text.Plural(r.Pieces(), "piece"), err)
	}
	s := newSolver(x, r.Pieces(), o)
	writing, ctx := errgroup.WithContext(ctx) // ends with the first error
	writing.SetLimit(1)
	err = s.solvePairs(ctx, writing)
	if err := cmp.Or(writing.Wait(), err); err != nil {
		return nil, err
	}
	t := NewTable(x, s.pieces, s.values)
	*s = solver{}
	runtime.GC() // free the working layers before the caller allocates more
	return t, nil
}

// solver is a solution under way. The memory for the layers at work is taken once, for the largest.
type solver struct {
	*Index
	options     Options
	pieces      int
	values      []float64
	dark, home  []float64
	residuals   residuals
	sweepers    []*sweeper
	shareFrom   int // tooSmallToShare, or another size in tests
	done, total int // positions
}

func newSolver(x *Index, pieces int, o Options) *solver {
	largest := x.size[pieces][pieces]
	s := &solver{
		Index:     x,
		options:   o,
		pieces:    pieces,
		shareFrom: tooSmallToShare,
		values:    make([]float64, x.Positions(pieces)),
		dark:      make([]float64, largest),
		home:      make([]float64, x.size[max(pieces-1, 1)][pieces]),
		residuals: residuals{
			ofDark: x.captureAgain,
			change: make([]float32, largest),
			sums:   make([][2]float64, x.rowSets()),
		},
	}
	for range o.Threads {
		w := new(sweeper)
		for i := range w.lanes {
			w.lanes[i].sum = make([]float64, x.maxRowSize(pieces))
			w.lanes[i].passing = make([]*passes, x.sharedSets())
		}
		s.sweepers = append(s.sweepers, w)
	}
	for _, l := range x.layerPairs(pieces) {
		s.total += int(x.size[l.own][l.opp])
	}
	return s
}

// Memory returns the approximate bytes [Solve] takes for a number of pieces on 1 or more threads.
func (x *Index) Memory(pieces, threads int) int64 {
	const perCell = 60 // bytes of a program
	largest := int64(x.size[pieces][pieces])
	home := int64(x.size[max(pieces-1, 1)][pieces])
	cells := int64(0)
	for own, n := range x.rowSize[pieces] {
		if bits.OnesCount(uint(own)) <= pieces {
			cells += int64(n)
		}
	}
	perThread := int64(x.maxRowSize(pieces)) * 8 * maxGroup
	return int64(x.Positions(pieces))*8 + largest*(8+4) + home*8 + cells*perCell + perThread*int64(threads)
}

// solvePairs solves the pairs of layers in index order, and writes the checkpoint meanwhile.
func (s *solver) solvePairs(ctx context.Context, writing *errgroup.Group) error {
	var programs []*program // programs for the pairs with b pieces
	for number, l := range s.layerPairs(s.pieces) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.own == 1 {
			programs = nil
		}
		first, n := s.pairAt(l)
		part := s.values[first : first+n]
		if !s.options.Checkpoint.ReadPart(number, part) {
			if programs == nil {
				programs = s.newPrograms(l.opp, l.opp, s.options.Threads)
			}
			if err := s.solvePair(ctx, s.newPair(l.own, l.opp, programs)); err != nil {
				return err
			}
			if c := s.options.Checkpoint; c != nil {
				writing.Go(func() error {
					if err := c.WritePart(number, part); err != nil {
						return fmt.Errorf("write checkpoint: %w", err)
					}
					return nil
				})
			}
		}
		s.done += int(s.size[l.own][l.opp])
	}
	return nil
}

// newPair lays out the layers (a, b) and (b, a), a <= b. Light is the side with fewer
// pieces left: its rows are then few and long, and the programs serve all pairs with b.
func (s *solver) newPair(a, b int, programs []*program) *pair {
	runtime.GC() // otherwise garbage of earlier pairs would stay until the heap has doubled
	p := &pair{
		Index: s.Index,
		a:     a, b: b,
		light:     s.layerOf(s.values, a, b),
		dark:      s.dark[:s.size[a][b]],
		ones:      slices.Repeat([]float64{1}, 1<<s.safe),
		levels:    s.newLevels(a, b),
		programs:  programs,
		residuals: &s.residuals,
		shareFrom: s.shareFrom,
	}
	if a > 1 {
		p.lightHome = s.home[:s.size[a-1][b]]
		s.transpose(p.lightHome, s.layerOf(s.values, b, a-1), layer{a - 1, b}, s.options.Threads)
	}
	if b > 1 {
		p.darkHome = s.layerOf(s.values, a, b-1)
	}
	for i := range p.light {
		p.light[i], p.dark[i] = 0.5, 0.5
	}
	return p
}

// solvePair sweeps a pair of layers until it has settled.
func (s *solver) solvePair(ctx context.Context, p *pair) error {
	s.residuals.mode = ignoreChanges
	clear(s.residuals.sums)
	for sweep := 1; ; sweep++ {
		change, err := p.sweepLevels(ctx, s.sweepers)
		if err != nil {
			return err
		}
		if math.IsNaN(change) {
			return fmt.Errorf(
				"rules %s: a position in which neither side can ever move (want rules under which every game can end)",
				s.rules.Name())
		}
		if report := s.options.Progress; report != nil {
			// The number of decades by which the change has fallen measures a pair's progress.
			part := min(max(math.Log10(change)/math.Log10(settled), 0), 1)
			done := float64(s.done) + part*float64(len(p.light))
			report(Progress{Own: p.a, Opp: p.b, Sweep: sweep, Done: done / float64(s.total)})
		}
		if change < settled {
			break
		}
		if sweep == maxSweeps {
			return fmt.Errorf(
				"rules %s: with %d and %d pieces left, values still change by %.1g after %d sweeps (want dice without a roll of nearly 1)",
				s.rules.Name(), p.a, p.b, change, sweep)
		}
		if s.residuals.mode == compareChanges {
			p.extrapolate(s.options.Threads)
		}
		s.residuals.nextMode(change)
	}
	for i, v := range p.light {
		p.light[i] = min(max(v, 0), 1) // rounding may have pushed it a little outside
	}
	if p.a != p.b {
		s.transpose(s.layerOf(s.values, p.b, p.a), p.dark, layer{p.b, p.a}, s.options.Threads)
	}
	return nil
}

// layerOf returns a layer's values.
func (x *Index) layerOf(v []float64, a, b int) []float64 {
	start := int(x.start[a][b])
	return v[start : start+int(x.size[a][b])]
}

// layerPairs returns a game's pairs of layers (a, b) and (b, a), a <= b, in index order.
func (x *Index) layerPairs(pieces int) (pairs []layer) {
	for b := 1; b <= pieces; b++ {
		for a := 1; a <= b; a++ {
			pairs = append(pairs, layer{a, b})
		}
	}
	return pairs
}

// pairAt returns the first rank of a pair of layers (they lie together) and the size of both.
func (x *Index) pairAt(l layer) (first, n int) {
	a, b := l.own, l.opp
	first = int(min(x.start[a][b], x.start[b][a]))
	return first, int(max(x.start[a][b]+x.size[a][b], x.start[b][a]+x.size[b][a])) - first
}

// runParallel calls do(thread, i) for every i in 0..n-1 once, on the given number of threads,
// numbered from 0, and waits for them. Which thread takes a call is arbitrary.
func runParallel(threads, n int, do func(thread, i int)) {
	if threads = min(threads, n); threads <= 1 {
		for i := range n {
			do(0, i)
		}
		return
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for thread := range threads {
		wait.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(thread, i)
			}
		})
	}
	wait.Wait()
}

// runParallelUntil is runParallel until a call fails or ctx ends. It returns the error from the first i
// that failed, or ctx's.
func runParallelUntil(ctx context.Context, threads, n int, do func(thread, i int) error) error {
	var failed atomic.Bool
	errs := make([]error, n+1)
	runParallel(threads, n, func(thread, i int) {
		if failed.Load() || ctx.Err() != nil {
			return
		}
		if errs[i] = do(thread, i); errs[i] != nil {
			failed.Store(true)
		}
	})
	errs[n] = ctx.Err()
	return cmp.Or(errs...)
}
