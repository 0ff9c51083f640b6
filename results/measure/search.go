package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"time"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
)

// searchFlags measures figures of searches in Ur that are no time of a pass: the median time at
// depth 6, the largest overrun of a time limit, the longest delay of a cancellation, and the gain
// of a second thread. It takes some minutes on two idle cores.
func searchFlags(_ *flag.FlagSet, keep keeper) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		results := begin("go run ./results/measure search-figures")
		var rows []record.Row
		add := func(name, unit string, x float64) {
			x = record.Significant(x)
			rows = append(rows, record.Row{Name: name, Unit: unit, Samples: 1, Median: x, Lo: x, Hi: x})
		}
		for _, f := range []struct {
			name, unit string
			measure    func(context.Context) (float64, error)
		}{
			{"Median/game=ur/depth=6", "ms/decision", medianSix},
			{"Overrun/game=ur/time=10ms", "ms/move", overrun},
			{"Cancel/game=ur/threads=2", "ms/search", cancelled},
		} {
			fmt.Fprintln(os.Stderr, f.name)
			x, err := f.measure(ctx)
			if err != nil {
				return err
			}
			add(f.name, f.unit, x)
		}
		faster, nodes, work, err := twoThreads(ctx)
		if err != nil {
			return err
		}
		add("Threads/game=ur/threads=2/figure=speedup", "times/search", faster)
		add("Threads/game=ur/threads=2/figure=nodes", "times/search", nodes)
		add("Threads/game=ur/threads=2/figure=cpu", "times/search", work)
		return keep(results, rows)
	}
}

// newSix returns a searcher for depth 6 on a number of threads.
func newSix(threads, memory int) (*play.Searcher, *search.Table, error) {
	options := play.DefaultSearchOptions()
	options.Algorithm, options.Threads = search.Star2, threads
	var err error
	if options.Table, err = search.NewTable(memory, search.Buckets); err != nil {
		return nil, nil, err
	}
	p, err := play.ParsePlayer("search:depth=1,leaf=net")
	if err != nil {
		return nil, nil, err
	}
	s, _, err := p.(play.Search).SearcherWith(context.Background(), board.FinkelPieces, options)
	return s, options.Table, err
}

// depth limits a search to one depth, without deepening.
func depth(n int) search.Limits { return search.Limits{Depth: n, First: n} }

// medianSix is the median over decisions of the time at depth 6, the best of three each.
func medianSix(ctx context.Context) (float64, error) {
	s, table, err := newSix(1, 1<<20)
	if err != nil {
		return 0, err
	}
	decisions, err := bench.SearchDecisions(200)
	if err != nil {
		return 0, err
	}
	var times []float64
	clock := sample.DefaultClock()
	for _, d := range decisions {
		best := math.Inf(1)
		for range 3 {
			table.Clear()
			begin := clock.Now()
			if _, err := s.Search(ctx, d.Position, d.Roll, depth(6)); err != nil {
				return 0, err
			}
			best = min(best, (clock.Now() - begin).Seconds())
		}
		times = append(times, 1e3*best)
	}
	return verdict.Median(times), ctx.Err()
}

// overrun is the largest excess of 1000 moves of 10 ms.
func overrun(ctx context.Context) (worst float64, err error) {
	s, _, err := newSix(1, 1<<20)
	if err != nil {
		return 0, err
	}
	decisions, err := bench.SearchDecisions(1000)
	if err != nil {
		return 0, err
	}
	for i, d := range decisions {
		const limit = 10 * time.Millisecond
		begin := time.Now()
		if _, err := s.Search(ctx, d.Position, d.Roll, search.Limits{Time: limit}); err != nil {
			return 0, err
		}
		if over := time.Since(begin) - limit; i > 0 { // the first allocates
			worst = max(worst, 1e3*over.Seconds())
		}
	}
	return worst, ctx.Err()
}

// cancelled is the longest delay between the end of the context and the return of a search, of 100
// searches.
func cancelled(ctx context.Context) (worst float64, err error) {
	s, _, err := newSix(2, 64<<20)
	if err != nil {
		return 0, err
	}
	decisions, err := bench.SearchDecisions(100)
	if err != nil {
		return 0, err
	}
	for _, d := range decisions {
		ended := make(chan time.Time, 1)
		searched, cancel := context.WithCancel(ctx)
		time.AfterFunc(5*time.Millisecond, func() { ended <- time.Now(); cancel() })
		if _, err := s.Search(searched, d.Position, d.Roll, search.Limits{}); err != nil {
			return 0, err
		}
		worst = max(worst, 1e3*time.Since(<-ended).Seconds())
	}
	return worst, ctx.Err()
}

// twoThreads returns how many times as fast two threads search as one, and their nodes and CPU time
// for each of one. It searches decisions to a depth that takes one thread half a second, and takes
// the best of five searches in turn: other programs only slow down.
func twoThreads(ctx context.Context) (faster, nodes, work float64, err error) {
	if runtime.GOMAXPROCS(0) < 2 {
		return 0, 0, 0, errors.New("cannot measure a second thread: only one processor")
	}
	decisions, err := bench.SearchDecisions(8)
	if err != nil {
		return 0, 0, 0, err
	}
	var all [3][]float64
	for _, d := range decisions {
		deep := 5
		for ; deep < search.MaxDepth; deep++ {
			e, err := searchOn(ctx, 1, d, deep)
			if err != nil {
				return 0, 0, 0, err
			}
			if e.work >= 500*time.Millisecond {
				break
			}
		}
		best := [2]effort{{math.MaxInt64, math.MaxInt64, 0}, {math.MaxInt64, math.MaxInt64, 0}}
		for k := range 10 {
			e, err := searchOn(ctx, 1+k%2, d, deep)
			if err != nil {
				return 0, 0, 0, err
			}
			b := &best[k%2]
			*b = effort{min(b.wall, e.wall), min(b.work, e.work), e.nodes}
		}
		for i, x := range []float64{best[0].wall.Seconds() / best[1].wall.Seconds(), best[1].nodes / best[0].nodes, best[1].work.Seconds() / best[0].work.Seconds()} {
			all[i] = append(all[i], x)
		}
	}
	return verdict.Median(all[0]), verdict.Median(all[1]), verdict.Median(all[2]), nil
}

// effort is the cost of a search.
type effort struct {
	wall, work time.Duration // by the wall clock, and of processors
	nodes      float64
}

// searchOn searches a decision on some threads with an empty table.
func searchOn(ctx context.Context, threads int, d bench.SearchDecision, deep int) (e effort, err error) {
	s, _, err := newSix(threads, 64<<20)
	if err != nil {
		return e, err
	}
	clock := sample.DefaultClock()
	begin, worked := time.Now(), clock.Now()
	r, err := s.Search(ctx, d.Position, d.Roll, depth(deep))
	return effort{time.Since(begin), clock.Now() - worked, float64(r.Nodes)}, errors.Join(err, ctx.Err())
}
