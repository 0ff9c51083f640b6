package searching

import (
	"context"
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/search"
)

// ways are the ways to search a decision that are compared, by the threads of searches that run at
// once: one thread, two of one search, and two searches that have nothing to do with each other.
var ways = [...][]int{alone: {1}, together: {2}, beside: {1, 1}}

const (
	alone = iota
	together
	beside
)

// measureThreads searches decisions to the depth that one thread takes about a second for, in each
// way in turn. Of five rounds it takes the best of each: what else the machine does only slows down.
func (r *Record) measureThreads(ctx context.Context, o Options) error {
	if runtime.GOMAXPROCS(0) < 2 {
		return nil
	}
	var faster, ideal, nodes, work []float64
	for _, d := range Decisions(max(1, o.Decisions/25)) {
		best, err := bestEfforts(ctx, d)
		if err != nil {
			return err
		}
		one := best[alone]
		faster = append(faster, one.wall.Seconds()/best[together].wall.Seconds())
		ideal = append(ideal, 2*one.wall.Seconds()/best[beside].wall.Seconds())
		nodes = append(nodes, best[together].nodes/one.nodes)
		work = append(work, best[together].work.Seconds()/one.work.Seconds())
	}
	r.Threads, r.SideBySide = stat.Significant(stat.Median(faster)), stat.Significant(stat.Median(ideal))
	r.ThreadNodes, r.ThreadWork = stat.Significant(stat.Median(nodes)), 0
	if experiment.DefaultClock() == experiment.CPUClock {
		r.ThreadWork = stat.Significant(stat.Median(work))
	}
	return nil
}

// bestEfforts returns the best that each way takes for a decision.
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

// effort is what searches took together.
type effort struct {
	wall, work time.Duration // by the clock on the wall, and of processors
	nodes      float64
}

// searchOn searches a decision by searches of so many threads each, with empty tables, all at once.
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
