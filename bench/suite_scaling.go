package bench

import (
	"cmp"
	"fmt"
	"runtime"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/engine"
	"golang.org/x/sync/errgroup"
)

// unitEfficiency is the games/s divided by one worker's times the number of workers: 1
// is perfect scaling.
const unitEfficiency = "efficiency"

// scalingTime is how long one worker's pass takes: long compared with the start of the
// workers.
const scalingTime = 25 * time.Millisecond

// selectScaling measures what several cores gain: an engine plays the same series with 1, 2,
// ... workers. Each worker is a goroutine on its own thread with its own game, and plays its
// own part of the series. A pass ends when the last worker is done. One worker is measured
// while the other cores idle: where cores share a clock or a power budget, or are one core's two
// threads, it has more to itself than each of many.
func selectScaling(of Selection) (set Set, err error) {
	engines := of.Engines
	if engines == nil {
		engines = []ur.Engine{engine.Fastest()}
	}
	for _, e := range engines {
		team, err := newTeam(e, cmp.Or(of.Workers, runtime.NumCPU()))
		if err != nil {
			return set, err
		}
		team.games, err = sample.Calibrate(scalingTime, func(games int) (time.Duration, error) {
			start := time.Now()
			err := team.play(1, games)
			return time.Since(start), err
		})
		if err != nil {
			return set, err
		}
		for _, n := range teamSizes(len(team.workers)) {
			set.Benchmarks = append(set.Benchmarks, team.benchmark(n))
		}
	}
	return set, nil
}

// teamSizes are the measured numbers of workers: each up to 8, and beyond that the powers of 2
// and the maximum.
func teamSizes(most int) []int {
	var sizes []int
	for n := 1; n < most; {
		sizes = append(sizes, n)
		if most <= 8 {
			n++
		} else {
			n *= 2
		}
	}
	return append(sizes, most)
}

// benchmark lets the first n workers play, by the wall clock, and compares with one.
func (t *team) benchmark(n int) sample.Benchmark {
	name := func(n int) string { return fmt.Sprintf("Scaling/%s/workers=%d", SubName(t.engine.Name()), n) }
	return sample.Benchmark{
		Name: name(n), Unit: Game.Unit(), Base: name(1), Clock: report.Wall, Metrics: gamesMetrics,
		Check: func() error { return t.check(n) },
		Pass:  func() (float64, error) { return float64(n * t.games), t.play(n, t.games) },
		Annotate: func(row *record.Row) {
			if row.Ratio > 0 {
				row.SetMetric(unitEfficiency, 1/row.Ratio/float64(n))
			}
		},
	}
}

// team is a set of workers, each with its own game.
type team struct {
	engine  ur.Engine
	games   int // games for each worker in a pass
	workers []ur.Game
	tally   []ur.Tally // tallies by worker
}

func newTeam(e ur.Engine, n int) (*team, error) {
	t := &team{engine: e, workers: make([]ur.Game, n), tally: make([]ur.Tally, n)}
	for i := range t.workers {
		var err error
		if t.workers[i], err = e.New(workloadSetup()); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return t, nil
}

// play lets the first n workers play games each.
func (t *team) play(n, games int) error {
	var workers errgroup.Group
	for i := range n {
		workers.Go(func() (err error) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			part := ur.Series{Seed: workloadSeed, N: n * games}.Part(i*games, games)
			t.tally[i], err = t.workers[i].Games(nil, part)
			return err
		})
	}
	return workers.Wait()
}

// check compares n workers' combined tally with one worker's.
func (t *team) check(n int) error {
	if err := t.play(n, t.games); err != nil {
		return err
	}
	var together ur.Tally
	for _, tally := range t.tally[:n] {
		together.Add(tally)
	}
	if err := t.play(1, n*t.games); err != nil {
		return err
	}
	if alone := t.tally[0]; together != alone {
		return fmt.Errorf("%d workers have the tally %+v, one has %+v", n, together, alone)
	}
	return nil
}
