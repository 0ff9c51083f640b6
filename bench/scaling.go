package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/internal/corpus"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// DefaultScalingTime is the time of a sample of [MeasureScaling] when nothing else
// is chosen: long beside what it takes to start the workers.
const DefaultScalingTime = 100 * time.Millisecond

// ScalingOptions say what [MeasureScaling] measures, how often and for how long.
type ScalingOptions struct {
	Engine    ur.Engine     // must be able to run here
	Workers   int           // at most; 0 means one for each core
	Count     int           // samples of each number of workers
	BenchTime time.Duration // that a sample of one worker should take
	Seed      uint64        // of the order of measuring and of the bootstrap

	// Progress is called after every sample with the number taken so far, of
	// [ScalingOptions.Samples]; nil for none.
	Progress func(done int)

	// Clock times workers that play so many games each; nil means the real clock.
	// Tests put their own here.
	Clock func(workers, games int) (time.Duration, error)
}

// Scaling is what several cores bring: the JSON object of "ur bench scaling
// --json". It covers one engine that plays with 1, 2, ... workers.
type Scaling struct {
	Schema    string       `json:"schema"` // ur.scaling/1
	CPU       string       `json:"cpu"`
	Features  []ur.Feature `json:"features"`
	Cores     int          `json:"cores"` // that the operating system offers
	Go        string       `json:"go"`
	Commit    string       `json:"commit"` // "" when it is not known
	OS        string       `json:"os"`
	Arch      string       `json:"arch"`
	Engine    string       `json:"engine"`
	Seed      uint64       `json:"seed"`
	BenchTime string       `json:"benchtime"`
	Games     int          `json:"games"` // of each worker in a sample
	Samples   int          `json:"samples"`
	Seconds   float64      `json:"seconds"` // that the run took
	Rows      []ScalingRow `json:"rows"`
}

// ScalingRow is what a number of workers reached.
type ScalingRow struct {
	Workers        int     `json:"workers"`
	GamesPerSecond float64 `json:"games_per_second"` // of all workers together, median
	Lo             float64 `json:"lo"`               // ends of the 95 % interval of the median
	Hi             float64 `json:"hi"`

	// Efficiency is the games/s over those of one worker times the number of
	// workers, from samples of the same round. Its interval is of 95 %.
	Efficiency   float64 `json:"efficiency"`
	EfficiencyLo float64 `json:"efficiency_lo"`
	EfficiencyHi float64 `json:"efficiency_hi"`
}

// MeasureScaling plays the same series with 1, 2, ... workers. Each worker is a
// goroutine on a thread and with a game of its own, and plays its own part of the
// series; a sample ends when the last of them is done. As in [Measure], each round
// takes one sample of every number of workers, in an order drawn anew.
//
// Its error is that of ctx or of the engine, or says that the workers do not come to
// the tally that one worker has for all their games.
func MeasureScaling(ctx context.Context, e Environment, o ScalingOptions) (*Scaling, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.complete()
	team, err := newTeam(o.Engine, o.Workers)
	if err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = team.time
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a sample must not contain a collection
	start := time.Now()
	games, err := calibrate(o.BenchTime, func(games int) (time.Duration, error) { return o.Clock(1, games) })
	if err != nil {
		return nil, err
	}
	if err := team.check(games); err != nil {
		return nil, err
	}
	samples, err := o.rounds(ctx, games)
	if err != nil {
		return nil, err
	}
	return &Scaling{
		Schema:    "ur.scaling/1",
		CPU:       e.CPU,
		Features:  e.Features,
		Cores:     e.Cores,
		Go:        e.Go,
		Commit:    e.Commit,
		OS:        e.OS,
		Arch:      e.Arch,
		Engine:    o.Engine.Name(),
		Seed:      o.Seed,
		BenchTime: o.BenchTime.String(),
		Games:     games,
		Samples:   o.Count,
		Seconds:   stat.Significant(time.Since(start).Seconds()),
		Rows:      o.rows(samples),
	}, nil
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o ScalingOptions) Check() error {
	switch {
	case o.Workers < 0:
		return fmt.Errorf("number of workers is %d: it must be 1 at least, or 0 for one on each core", o.Workers)
	case o.Count < stat.MinCount:
		return fmt.Errorf("count is %d: a ratio needs at least %d samples, and 10 to be of use", o.Count, stat.MinCount)
	case o.BenchTime <= 0:
		return fmt.Errorf("time of a sample is %v: it must be positive", o.BenchTime)
	}
	return nil
}

// complete fills in the number of workers.
func (o ScalingOptions) complete() ScalingOptions {
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	return o
}

// Samples is how many samples a run takes.
func (o ScalingOptions) Samples() int { return len(o.numbers()) * o.Count }

// numbers are the numbers of workers that are measured: each up to 8, and beyond
// that the powers of 2 and the most.
func (o ScalingOptions) numbers() []int {
	most := o.complete().Workers
	var numbers []int
	for n := 1; n < most; {
		numbers = append(numbers, n)
		if most <= 8 {
			n++
		} else {
			n *= 2
		}
	}
	return append(numbers, most)
}

// rounds takes the samples. The result has the games/s by round for each of the
// numbers of workers.
func (o ScalingOptions) rounds(ctx context.Context, games int) ([][]float64, error) {
	numbers := o.numbers()
	samples := make([][]float64, len(numbers))
	order := rand.New(rand.NewPCG(o.Seed, 0))
	done := 0
	for range o.Count {
		runtime.GC()
		for _, i := range order.Perm(len(numbers)) {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			elapsed, err := o.Clock(numbers[i], games)
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], float64(numbers[i]*games)/max(elapsed, 1).Seconds())
			done++
			if o.Progress != nil {
				o.Progress(done)
			}
		}
	}
	return samples, nil
}

// rows summarizes the samples of each number of workers.
func (o ScalingOptions) rows(samples [][]float64) []ScalingRow {
	var rows []ScalingRow
	for i, workers := range o.numbers() {
		all := make([]float64, len(samples[0])) // what one worker does, times workers
		for round, one := range samples[0] {
			all[round] = one * float64(workers)
		}
		rate := stat.Estimate(samples[i])
		efficiency := stat.RatioOfPairs(all, samples[i], o.Seed)
		rows = append(rows, ScalingRow{
			Workers:        workers,
			GamesPerSecond: stat.Significant(rate.Median),
			Lo:             stat.Significant(rate.Lo),
			Hi:             stat.Significant(rate.Hi),
			Efficiency:     stat.Significant(efficiency.Median),
			EfficiencyLo:   stat.Significant(efficiency.Lo),
			EfficiencyHi:   stat.Significant(efficiency.Hi),
		})
	}
	return rows
}

// team are workers, each with a game of its own.
type team struct {
	engine ur.Engine
	games  []ur.Game
	tally  []ur.Tally // of each worker
	errs   []error
}

func newTeam(e ur.Engine, workers int) (*team, error) {
	t := &team{
		engine: e,
		games:  make([]ur.Game, workers),
		tally:  make([]ur.Tally, workers),
		errs:   make([]error, workers),
	}
	brain := workloadBrain()
	for i := range t.games {
		var err error
		if t.games[i], err = e.New(ur.Setup{Light: brain, Dark: brain}); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return t, nil
}

// time lets the first workers play so many games each.
func (t *team) time(workers, games int) (time.Duration, error) {
	var done sync.WaitGroup
	start := time.Now()
	for i := range workers {
		done.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			part := ur.Series{Seed: corpus.Seed, N: workers * games}.Part(i*games, games)
			t.tally[i], t.errs[i] = t.games[i].Games(nil, part)
		})
	}
	done.Wait()
	elapsed := time.Since(start)
	for _, err := range t.errs[:workers] {
		if err != nil {
			return 0, fmt.Errorf("%s: %w", t.engine.Name(), err)
		}
	}
	return elapsed, nil
}

// check compares the tally of all workers together with that of one.
func (t *team) check(games int) error {
	workers := len(t.games)
	if _, err := t.time(workers, games); err != nil {
		return err
	}
	var together ur.Tally
	for _, tally := range t.tally {
		together.Add(tally)
	}
	if _, err := t.time(1, workers*games); err != nil {
		return err
	}
	if alone := t.tally[0]; together != alone {
		return fmt.Errorf("%s: %d workers have the tally %+v, one has %+v", t.engine.Name(), workers, together, alone)
	}
	return nil
}

// scalingLegend says what the figures are, and what to keep in mind.
const scalingLegend = "Medians of samples taken in one run in random order. Efficiency is games/s over those of one worker\n" +
	"times the number of workers, with its 95 % confidence interval. One worker is measured while the other\n" +
	"cores idle: where they share a clock or a power budget, or are the two threads of one core, as those\n" +
	"of a virtual machine may be, it has more to itself than each of many workers."

func (s *Scaling) table() text.Table {
	t := text.Table{Header: []string{"workers", unitGames, "efficiency"}}
	for _, row := range s.Rows {
		efficiency := "1"
		if row.Workers > 1 {
			efficiency = stat.Interval{Median: row.Efficiency, Lo: row.EfficiencyLo, Hi: row.EfficiencyHi}.String()
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(row.Workers), text.Count(row.GamesPerSecond), efficiency})
	}
	return t
}

// WriteText writes the table for a terminal.
func (s *Scaling) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s, %d cores, %s/%s, %s%s\n", s.CPU, s.Cores, s.OS, s.Arch, s.Go, formatCommit(s.Commit))
	fmt.Fprintf(w, "%s, %d samples of %s, seed %d; %d games of each worker\n\n", s.Engine, s.Samples, s.BenchTime, s.Seed, s.Games)
	s.table().WriteText(w)
	fmt.Fprintf(w, "\n%s\n", scalingLegend)
}

// WriteMarkdown writes the table of GitHub's markdown, without what stands around
// it.
func (s *Scaling) WriteMarkdown(w io.Writer) { s.table().WriteMarkdown(w) }
