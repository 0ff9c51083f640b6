package bench

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/internal/corpus"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// DefaultScalingTime is the time of a sample of [MeasureScaling] when nothing else
// is chosen: long beside what it takes to start the workers.
const DefaultScalingTime = 100 * time.Millisecond

// ScalingOptions say what [MeasureScaling] measures, and how. Samples are taken by the
// clock on the wall.
type ScalingOptions struct {
	Engine  ur.Engine // must be able to run here
	Workers int       // at most; 0 means one for each core

	experiment.Options // how; Subjects and clock are filled in, and BenchTime is that of one worker
}

// Scaling is what several cores bring: the JSON object of "ur bench scaling
// --json". It covers one engine that plays with 1, 2, ... workers.
type Scaling struct {
	Schema      string       `json:"schema"` // ur.scaling/1
	CPU         string       `json:"cpu"`
	Features    []ur.Feature `json:"features"`
	Cores       int          `json:"cores"` // that the operating system offers
	Go          string       `json:"go"`
	Commit      string       `json:"commit"` // "" when it is not known
	OS          string       `json:"os"`
	Arch        string       `json:"arch"`
	Engine      string       `json:"engine"`
	Seed        uint64       `json:"seed"`
	BenchTime   string       `json:"benchtime"`
	Games       int          `json:"games"` // of each worker in a pass
	Samples     int          `json:"samples"`
	Seconds     float64      `json:"seconds"` // that the run took
	Interrupted bool         `json:"interrupted,omitempty"`
	Rows        []ScalingRow `json:"rows"`
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
// series; a pass ends when the last of them is done. As in [Measure], each round
// takes one sample of every number of workers, in an order drawn anew.
//
// When ctx ends after some rounds, its error comes with what they say. Other errors are
// those of the engine, or say that the workers do not come to the tally that one worker
// has for all their games.
func MeasureScaling(ctx context.Context, e experiment.Environment, o ScalingOptions) (*Scaling, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.complete()
	team, err := newTeam(o.Engine, o.Workers)
	if err != nil {
		return nil, err
	}
	games, err := experiment.Calibrate(o.BenchTime, func(games int) (time.Duration, error) {
		team.games = games
		_, elapsed, err := o.Time(&workers{team: team, n: 1}, 1)
		return elapsed, err
	})
	if err != nil {
		return nil, err
	}
	team.games = games
	var subjects []*workers
	for _, n := range o.numbers() {
		subjects = append(subjects, &workers{team: team, n: n})
	}
	run, err := experiment.MeasureAll(ctx, subjects, o.Options)
	if run == nil {
		return nil, err
	}
	return &Scaling{
		Schema: "ur.scaling/1", CPU: e.CPU, Features: e.Features, Cores: e.Cores, Go: e.Go, Commit: e.Commit,
		OS: e.OS, Arch: e.Arch, Engine: o.Engine.Name(), Seed: o.Seed, BenchTime: o.BenchTime.String(),
		Games: team.games, Samples: run.Rounds, Seconds: stat.Significant(run.Elapsed.Seconds()),
		Interrupted: run.Interrupted, Rows: o.rows(run),
	}, err
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o ScalingOptions) Check() error {
	if o.Workers < 0 {
		return config.Fault("options", "Workers", "must be 1 at least, or 0 for one on each core, got %d", o.Workers)
	}
	return o.Options.Check(true)
}

// complete fills in the number of workers and the clock.
func (o ScalingOptions) complete() ScalingOptions {
	o.Workers = cmp.Or(o.Workers, runtime.NumCPU())
	o.TimedBy = experiment.WallClock
	if o.Time == nil {
		o.Time = o.TimedBy.Time
	}
	return o
}

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

// rows summarizes the samples of each number of workers.
func (o ScalingOptions) rows(run *experiment.Run) []ScalingRow {
	var rows []ScalingRow
	one := rates(run.Series[0])
	for i, n := range o.numbers() {
		all := make([]float64, len(one)) // what one worker does, times workers
		for round, rate := range one {
			all[round] = rate * float64(n)
		}
		measured := rates(run.Series[i])
		rate := stat.Estimate(measured).Rounded()
		efficiency := stat.RatioOfPairs(all, measured, o.Seed).Rounded()
		rows = append(rows, ScalingRow{
			Workers: n, GamesPerSecond: rate.Median, Lo: rate.Lo, Hi: rate.Hi,
			Efficiency: efficiency.Median, EfficiencyLo: efficiency.Lo, EfficiencyHi: efficiency.Hi,
		})
	}
	return rows
}

// rates are the games/s of each sample.
func rates(s experiment.Series) []float64 {
	rates := s.Times()
	for i, perGame := range rates {
		rates[i] = GamesPerSecond(perGame)
	}
	return rates
}

// workers are the first of a team: an [experiment.Subject].
type workers struct {
	team *team
	n    int
}

func (w *workers) Name() string {
	return fmt.Sprintf("Scaling/%s/workers=%d", SubName(w.team.engine.Name()), w.n)
}

func (w *workers) Unit() string { return Game.Unit() }

func (w *workers) Metrics(perGame float64) []experiment.Metric { return gamesMetrics(perGame) }

func (w *workers) Check() error { return w.team.check(w.n) }

func (w *workers) Pass() (float64, error) {
	return float64(w.n * w.team.games), w.team.play(w.n, w.team.games)
}

// team are workers, each with a game of its own.
type team struct {
	engine  ur.Engine
	games   int // of each worker in a pass
	workers []ur.Game
	tally   []ur.Tally // of each worker
	errs    []error
}

func newTeam(e ur.Engine, n int) (*team, error) {
	t := &team{engine: e, workers: make([]ur.Game, n), tally: make([]ur.Tally, n), errs: make([]error, n)}
	brain := workloadBrain()
	for i := range t.workers {
		var err error
		if t.workers[i], err = e.New(ur.Setup{Light: brain, Dark: brain}); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return t, nil
}

// play lets the first n workers play so many games each.
func (t *team) play(n, games int) error {
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			part := ur.Series{Seed: corpus.Seed, N: n * games}.Part(i*games, games)
			t.tally[i], t.errs[i] = t.workers[i].Games(nil, part)
		})
	}
	done.Wait()
	for _, err := range t.errs[:n] {
		if err != nil {
			return fmt.Errorf("%s: %w", t.engine.Name(), err)
		}
	}
	return nil
}

// check compares the tally of n workers together with that of one.
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
		return fmt.Errorf("%s: %d workers have the tally %+v, one has %+v", t.engine.Name(), n, together, alone)
	}
	return nil
}

// ScalingLegend says what the figures are, and what to keep in mind.
const ScalingLegend = "Medians of samples taken in one run in random order. Efficiency is games/s over those of one worker\n" +
	"times the number of workers, with its 95 % confidence interval. One worker is measured while the other\n" +
	"cores idle: where they share a clock or a power budget, or are the two threads of one core, as those\n" +
	"of a virtual machine may be, it has more to itself than each of many workers."

// Table has a row for each number of workers.
func (s *Scaling) Table() text.Table {
	t := text.Table{Header: []string{"workers", unitGames, "efficiency"}}
	for _, row := range s.Rows {
		efficiency := "1"
		if row.Workers > 1 {
			efficiency = stat.Interval{Median: row.Efficiency, Lo: row.EfficiencyLo, Hi: row.EfficiencyHi}.String()
		}
		t.Add(fmt.Sprint(row.Workers), text.Count(row.GamesPerSecond), efficiency)
	}
	return t
}

// WriteText writes the table for a terminal.
func (s *Scaling) WriteText(w io.Writer) error {
	out := &text.Writer{To: w}
	fmt.Fprintf(out, "%s, %d cores, %s/%s, %s%s\n", s.CPU, s.Cores, s.OS, s.Arch, s.Go, experiment.CommitText(s.Commit))
	fmt.Fprintf(out, "%s, %d samples of %s, seed %d; %d games of each worker\n\n", s.Engine, s.Samples, s.BenchTime, s.Seed, s.Games)
	_ = s.Table().WriteText(out) // out remembers its error
	fmt.Fprintf(out, "\n%s\n", ScalingLegend)
	if s.Interrupted {
		fmt.Fprintln(out, "\nThe run was interrupted; these samples were complete.")
	}
	return out.Err
}
