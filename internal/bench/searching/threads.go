package searching

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/search"
)

// ways are the compared ways to search a decision, by the threads of simultaneous searches: one
// thread, two of one search, and two independent searches.
var ways = [...][]int{alone: {1}, together: {2}, beside: {1, 1}}

const (
	alone = iota
	together
	beside
)

// threadFigures are how many times as fast two threads finish a depth as one, and two
// unrelated searches at once as one after the other; and the nodes and the CPU time of two
// threads for each of one. They are measured together, in minutes.
func threadFigures() (list []experiment.Sampler) {
	var measured []float64
	for k, name := range []string{"speedup", "side-by-side", "nodes", "cpu"} {
		f := figure("Threads/game=ur/threads=2/figure="+name, "times/search", func(ctx context.Context) (x float64, err error) {
			if measured == nil {
				if measured, err = twoThreads(ctx); err != nil {
					return 0, err
				}
			}
			return measured[k], nil
		})
		f.Rare = true
		list = append(list, f)
	}
	return list
}

// twoThreads searches decisions to a depth that takes one thread about a second, in each way in
// turn. Of five rounds it takes the best of each: other programs only slow down.
func twoThreads(ctx context.Context) ([]float64, error) {
	if runtime.GOMAXPROCS(0) < 2 {
		return nil, errors.New("cannot measure a second thread: only one processor")
	}
	var faster, ideal, nodes, work []float64
	for _, d := range Decisions(8) {
		best, err := bestEfforts(ctx, d)
		if err != nil {
			return nil, err
		}
		one := best[alone]
		faster = append(faster, one.wall.Seconds()/best[together].wall.Seconds())
		ideal = append(ideal, 2*one.wall.Seconds()/best[beside].wall.Seconds())
		nodes = append(nodes, best[together].nodes/one.nodes)
		work = append(work, best[together].work.Seconds()/one.work.Seconds())
	}
	return []float64{stat.Median(faster), stat.Median(ideal), stat.Median(nodes), stat.Median(work)}, nil
}

// bestEfforts returns the best effort of each way for a decision.
func bestEfforts(ctx context.Context, d Decision) (best [len(ways)]effort, err error) {
	const rounds, enough = 5, 500 * time.Millisecond
	depth := 5
	for ; depth < search.MaxDepth; depth++ {
		e, err := searchOn(ctx, ways[alone], d, depth)
		if err != nil {
			return best, err
		}
		if e.work >= enough {
			break
		}
	}
	for i := range best {
		best[i] = effort{math.MaxInt64, math.MaxInt64, 0}
	}
	for range rounds {
		for way, threads := range ways {
			e, err := searchOn(ctx, threads, d, depth)
			if err != nil {
				return best, err
			}
			best[way] = effort{min(best[way].wall, e.wall), min(best[way].work, e.work), e.nodes}
		}
	}
	return best, nil
}

// effort is the combined cost of searches.
type effort struct {
	wall, work time.Duration // by the clock on the wall, and of processors
	nodes      float64
}

// searchOn searches a decision by simultaneous searches with the given threads and empty
// tables.
func searchOn(ctx context.Context, threads []int, d Decision, depth int) (e effort, err error) {
	searchers := make([]*ursearch.Searcher, len(threads))
	for i, n := range threads {
		if searchers[i], err = newSix(n); err != nil {
			return effort{}, err
		}
	}
	results, errs := make([]search.Result, len(threads)), make([]error, len(threads))
	clock := experiment.DefaultClock()
	begin, worked := time.Now(), clock.Now()
	var all sync.WaitGroup
	for i, s := range searchers {
		all.Go(func() {
			results[i], errs[i] = s.Search(ctx, d.Position, d.Roll, search.Limits{Depth: depth, First: depth})
		})
	}
	all.Wait()
	e.wall, e.work = time.Since(begin), clock.Now()-worked
	for i, r := range results {
		e.nodes += float64(r.Nodes)
		if errs[i] != nil {
			return e, errs[i]
		}
	}
	return e, ctx.Err()
}
