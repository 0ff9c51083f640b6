package bench

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
	"golang.org/x/sync/errgroup"
)

// countedScopes are the scopes with counts: instructions per eval and per game.
var countedScopes = []Scope{Value, Game}

// Counter counts engines' instructions by perf events or valgrind.
type Counter struct {
	counter *count.Counter
	command []string // starts a process that calls [ServeCounts] with the same size
}

// FindCounter returns this machine's counter. Arguments let this program call [ServeCounts]. The
// error is one line with the way to get a counter.
func FindCounter(ctx context.Context, args ...string) (*Counter, error) {
	folder, err := os.MkdirTemp("", "ur-count-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	counter, err := count.Find(ctx, folder)
	if err != nil {
		return nil, err
	}
	program, err := os.Executable()
	return &Counter{counter, append([]string{program}, args...)}, err
}

// String returns the counter's name with its version.
func (c *Counter) String() string { return c.counter.String() }

// Count adds the instructions in a unit of work to a run's series that are engines' values and
// games. Counts do not depend on load, so there is a process on each core. It returns the series left
// out, with the reason.
func (c *Counter) Count(ctx context.Context, run *sample.Run,
	progress func(done, all int)) (left []record.Skipped, err error) {
	folder, err := os.MkdirTemp("", "ur-count-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	var counted []*sample.Series
	for i := range run.Series {
		if s := &run.Series[i]; slices.Contains(countedScopes, Scope(s.Scope)) {
			counted = append(counted, s)
		}
	}
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	var lock sync.Mutex // guards the results
	done := 0
	for _, s := range counted {
		workers.Go(func() error {
			reason, err := c.countSeries(ctx, s, folder)
			lock.Lock()
			defer lock.Unlock()
			if reason != "" {
				left = append(left, record.Skipped{Engine: s.Engine, Reason: reason})
			}
			done++
			progress(done, len(counted))
			return err
		})
	}
	err = workers.Wait()
	return slices.Compact(left), err
}

// countSeries counts one pass over a benchmark. For one that cannot be counted it returns the reason.
func (c *Counter) countSeries(ctx context.Context, s *sample.Series, folder string) (reason string, err error) {
	const patience = 5 * time.Minute // the slowest pass takes ten seconds on an idle core
	units, err := s.Pass()
	if err != nil {
		return "", err
	}
	result, err := c.counter.Run(ctx, count.Job{
		Args: func([]string) []string { return c.command }, Iterations: map[string]int{s.Name: 1}, Functions: true,
		Seed: workloadSeed, Timeout: patience, Folder: folder,
	})
	if counted := result.Benchmarks[s.Name]; len(counted) > 0 {
		s.Instructions = counted[0].Instructions / units
	}
	return result.Failed[s.Name], err
}

// ServeCounts does a [Counter]'s work if one started this process, otherwise it returns false.
func ServeCounts(size Size) (served bool, err error) {
	var w *Workload
	return count.Serve(func(name string) (func() error, error) {
		if w == nil {
			if w, err = newUncheckedWorkload(size); err != nil {
				return nil, err
			}
		}
		for _, e := range engine.All() {
			for _, scope := range countedScopes {
				if BenchmarkName(scope, e.Name()) == name {
					return w.countedPass(e, scope)
				}
			}
		}
		return nil, fmt.Errorf("unknown benchmark %q", name)
	})
}

// newUncheckedWorkload returns the work for counts. The process that starts a count has checked the
// answers: the games are not played first.
func newUncheckedWorkload(size Size) (*Workload, error) {
	w := &Workload{Size: size}
	values, err := newValueWork(w)
	w.works = map[Scope]work{Value: values, Game: &gamesWork{all: ur.Tally{Games: int64(size.Games)},
		first: ur.Tally{Games: int64(size.FirstGames)}}}
	return w, err
}

// countedPass returns an engine's pass. A counter may lack features that this CPU has.
func (w *Workload) countedPass(e ur.Engine, scope Scope) (pass func() error, err error) {
	if lacks := slices.DeleteFunc(slices.Clone(e.Needs()), cpu.Has); len(lacks) > 0 {
		return nil, fmt.Errorf("needs %s, which the counter lacks",
			strings.Join(text.List(lacks, func(f cpu.Feature) string { return string(f) }), ", "))
	}
	b, err := w.Benchmark(e, scope)
	return func() error { _, err := b.Pass(); return err }, err
}
