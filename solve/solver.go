package solve

import (
	"context"
	"math"
	"runtime"

	"github.com/seed-09dcdc84/ur/board"
)

// Options control a solution. The zero value has good defaults.
type Options struct {
	// Threads is the number of threads to use, all cores when 0. The result does
	// not depend on it.
	Threads int

	// Progress, when set, is called after every sweep.
	Progress func(Progress)

	// Checkpoint, when set, supplies the finished layers of an earlier run and receives every
	// further one. See [OpenCheckpoint].
	Checkpoint *Checkpoint
}

// Progress is the progress of a solution.
type Progress struct {
	Own, Opp int     // the pieces left to the sides in the pair of layers at work
	Sweep    int     // sweeps of it
	Change   float64 // greatest change of a value in the last sweep
	Done     float64 // estimated completed part of all work, 0 to 1
}

// Solution is a solved game.
type Solution struct {
	Values Values
	Sweeps int // over all layers, without those from a checkpoint
}

// settled is the change of a sweep at which a pair of layers is done. Rounding moves a value by
// a few units of 1e-16 forever.
const settled = 1e-15

// Solve computes the value of every position of a game of 1 to 7 pieces, in memory of [Memory]
// bytes. The result has the same bits on any number of threads, and with or without a
// checkpoint.
//
// A pair of layers is swept in an order in which nearly all moves lead to values of the same
// sweep (see sweepRow). Extrapolation makes up for the rest.
//
// It returns an error when the number of pieces is not 1 to 7, when the context ends or when
// the checkpoint cannot be written; the contents of the checkpoint remain valid. The checkpoint
// stays open in any case: close it, or remove it when the solution has been saved.
func Solve(ctx context.Context, pieces int, o Options) (*Solution, error) {
	if err := board.CheckPieces(pieces); err != nil {
		return nil, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	s := newSolver(pieces, o)
	err := s.solve(ctx)
	if o.Checkpoint != nil {
		err = o.Checkpoint.finish(err)
	}
	if err != nil {
		return nil, err
	}
	solution := &Solution{Values: s.values, Sweeps: s.sweeps}
	*s = solver{}
	runtime.GC() // free the working layers before the caller allocates more
	return solution, nil
}

// solver is a solution under way. The memory for the layers at work is taken once,
// for the largest.
type solver struct {
	options             Options
	pieces              int
	values              Values
	dark, home          []float64
	residuals           residuals
	sweepers            []*sweeper
	shareFrom           int // tooSmallToShare, or another size in tests
	sweeps, done, total int
}

func newSolver(pieces int, o Options) *solver {
	largest := index.size[pieces][pieces]
	s := &solver{
		options:   o,
		pieces:    pieces,
		shareFrom: tooSmallToShare,
		values:    NewValues(pieces),
		dark:      make([]float64, largest),
		home:      make([]float64, index.size[max(pieces-1, 1)][pieces]),
		residuals: residuals{
			change: make([]float32, largest),
			sums:   make([][2]float64, rowSets),
		},
	}
	for range o.Threads {
		s.sweepers = append(s.sweepers, new(sweeper))
	}
	for b := 1; b <= pieces; b++ {
		for a := 1; a <= b; a++ {
			s.total += int(index.size[a][b])
		}
	}
	return s
}

// Memory returns the approximate number of bytes [Solve] takes for a number of pieces, 1 to 7,
// on a number of threads, or on all cores when that is 0.
func Memory(pieces, threads int) int64 {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	const programs, perThread = 25 << 20, maxRowSize * 8
	largest := int64(index.size[pieces][pieces])
	home := int64(index.size[max(pieces-1, 1)][pieces])
	return int64(Positions(pieces))*8 + largest*(8+4) + home*8 + programs + perThread*int64(threads)
}

// solve solves one pair of layers after another, in the order of the index.
func (s *solver) solve(ctx context.Context) error {
	for b := 1; b <= s.pieces; b++ {
		var programs []*program
		for a := 1; a <= b; a++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			part := s.values.pairOf(a, b)
			size := int(index.size[a][b])
			if !s.options.Checkpoint.take(part) {
				if programs == nil {
					programs = newPrograms(b, s.options.Threads)
				}
				if err := s.solvePair(ctx, s.newPair(a, b, programs)); err != nil {
					return err
				}
				if err := s.options.Checkpoint.put(part); err != nil {
					return err
				}
			}
			s.done += size
		}
	}
	return nil
}

// newPair lays out the layers (a, b) and (b, a), a <= b. Light is the side with fewer
// pieces left: its rows are then few and long, and the programs serve all pairs of b.
func (s *solver) newPair(a, b int, programs []*program) *pair {
	runtime.GC() // otherwise garbage of earlier pairs would stay until the heap has doubled
	p := &pair{
		a: a, b: b,
		light:     s.values.layer(a, b),
		dark:      s.dark[:index.size[a][b]],
		levels:    newLevels(a, b),
		programs:  programs,
		residuals: &s.residuals,
		shareFrom: s.shareFrom,
	}
	if a > 1 {
		p.lightHome = s.home[:index.size[a-1][b]]
		transpose(p.lightHome, s.values.layer(b, a-1), layer{a - 1, b}, s.options.Threads)
	}
	if b > 1 {
		p.darkHome = s.values.layer(a, b-1)
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
		change, err := p.sweep(ctx, s.sweepers)
		if err != nil {
			return err
		}
		s.sweeps++
		s.report(p, sweep, change)
		if change < settled {
			break
		}
		if s.residuals.mode == compareChanges {
			p.extrapolate(s.options.Threads)
		}
		s.residuals.next(change)
	}
	if p.a != p.b {
		transpose(s.values.layer(p.b, p.a), p.dark, layer{p.b, p.a}, s.options.Threads)
	}
	return nil
}

// layer returns the values of a layer.
func (v Values) layer(a, b int) []float64 {
	start := index.start[a][b]
	return v[start : start+index.size[a][b]]
}

// pairOf returns the values of the layers (a, b) and (b, a), which lie together.
func (v Values) pairOf(a, b int) []float64 {
	start := min(index.start[a][b], index.start[b][a])
	end := max(index.start[a][b]+index.size[a][b], index.start[b][a]+index.size[b][a])
	return v[start:end]
}

// report calls Options.Progress. The number of decades by which the change has fallen measures
// the progress of a pair of layers.
func (s *solver) report(p *pair, sweep int, change float64) {
	if s.options.Progress == nil {
		return
	}
	part := min(max(math.Log10(change)/math.Log10(settled), 0), 1)
	s.options.Progress(Progress{
		Own: p.a, Opp: p.b, Sweep: sweep, Change: change,
		Done: (float64(s.done) + part*float64(len(p.light))) / float64(s.total),
	})
}
