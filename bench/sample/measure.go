package sample

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/affinity"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Defaults of [Options].
const (
	DefaultCount     = 20
	DefaultBenchTime = 25 * time.Millisecond
)

// MinCount is the minimum number of samples of a ratio, and MinRecordCount that of a record.
const (
	MinCount       = 4
	MinRecordCount = 10
)

// Options configure [Measure].
type Options struct {
	Benchmarks []Benchmark

	Count     int           // samples of each benchmark
	BenchTime time.Duration // target time of a sample; one pass is the minimum
	Seed      uint64        // seed for the measuring order

	// Progress is called before each step, with the number of benchmarks checked or samples taken;
	// nil for none.
	Progress func(phase string, done, all int)

	// AfterRound is called after each complete round, between samples; nil for none. Its error
	// ends the run. It may write the run, so a kill costs one round.
	AfterRound func(*Run) error

	// Time does n passes of a benchmark, and returns how many units of work they were and
	// how long they took; nil means by the benchmark's clock. Tests set their own.
	Time func(b Benchmark, passes int) (units float64, elapsed time.Duration, err error)
}

// Phases of a run.
const (
	Checking  = "checking"
	Measuring = "measuring"
)

// Run is the outcome of [Measure]: for every benchmark a series of samples. Sample r of
// each was taken in round r.
type Run struct {
	Options Options
	Series  []Series // series in benchmark order
	Rounds  int      // complete ones
	Elapsed time.Duration

	Interrupted bool           // whether it ended before the count was spent
	Others      float64        // part of the time taken by other programs, 0 to 1, by [report.CPU]
	Pinning     record.Pinning // where it was measured

	order      *rand.Rand
	work, wall time.Duration // time in all samples by either clock
}

// Series are the samples of one benchmark, a round each.
type Series struct {
	Benchmark
	Passes int       // passes in each sample
	Times  []float64 // times for a unit of work, in its unit, in the order taken

	Instructions float64 // instructions in a unit of work; 0 if they were not counted
}

// metrics returns all figures of a sample, as in a benchmark line.
func (s Series) metrics(perUnit float64) []report.Metric {
	metrics := []report.Metric{{Value: perUnit, Unit: s.Unit}}
	if s.Instructions > 0 {
		_, work, _ := strings.Cut(s.Unit, "/")
		metrics = append(metrics, report.Metric{Value: s.Instructions, Unit: record.Instructions + work})
	}
	if s.Metrics != nil {
		metrics = append(metrics, s.Metrics(perUnit)...)
	}
	return metrics
}

// Measure checks every benchmark against its oracle, calibrates the number of passes of a sample,
// warms everything up with that, and takes the samples round by round, each round in a newly
// drawn order.
//
// When ctx ends, Measure returns its error together with the complete rounds. It does the same
// with any error after a round. Errors before the first round come alone, except that of ctx. A
// benchmark that fails its check gives a [*CheckError].
func Measure(ctx context.Context, o Options) (*Run, error) {
	switch {
	case len(o.Benchmarks) == 0:
		return nil, errors.New("nothing to measure: no benchmarks")
	case o.Count < MinCount || o.BenchTime <= 0:
		return nil, fmt.Errorf("%d samples of %v (want at least %d, of a positive time)", o.Count,
			o.BenchTime, MinCount)
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	run := &Run{Options: o, order: rand.New(rand.NewPCG(o.Seed, 0))}
	start := time.Now()
	pinning, release := isolate()
	defer release()
	run.Pinning = pinning
	err := run.prepare(ctx)
	if err == nil {
		err = run.take(ctx)
	}
	run.Elapsed = time.Since(start)
	if DefaultClock() == report.CPU && run.work < run.wall {
		run.Others = report.Significant(1 - float64(run.work)/float64(run.wall))
	}
	switch {
	case err == nil:
		return run, nil
	case ctx.Err() != nil:
		err = ctx.Err()
	case run.Rounds == 0:
		return nil, err
	}
	run.Interrupted = true
	return run, err
}

// isolate locks the calling goroutine to its thread, keeps the thread on one core where the system
// allows it, so it does not lose its caches or move between fast and slow cores, and keeps the
// collector away until release.
func isolate() (pinning record.Pinning, release func()) {
	runtime.LockOSThread()
	core, unpin, err := affinity.Pin(affinity.AnyCore)
	if err == nil {
		pinning.Core = &core
	} else {
		pinning.Reason, unpin = err.Error(), func() {}
	}
	runtime.GC()
	percent := debug.SetGCPercent(-1)
	return pinning, func() {
		debug.SetGCPercent(percent)
		unpin()
		runtime.UnlockOSThread()
	}
}

// prepare checks and calibrates the benchmarks.
func (r *Run) prepare(ctx context.Context) error {
	all := r.Options.Benchmarks
	for i, b := range all {
		r.Options.Progress(Checking, i, len(all))
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.Check(); err != nil {
			return &CheckError{b.Name, err}
		}
		passes, err := Calibrate(r.Options.BenchTime, func(passes int) (time.Duration, error) {
			_, elapsed, err := r.time(ctx, b, passes)
			return elapsed, err
		})
		if err != nil {
			return fmt.Errorf("%s: %w", b.Name, err)
		}
		r.Series = append(r.Series, Series{Benchmark: b, Passes: passes})
	}
	r.Options.Progress(Checking, len(all), len(all))
	return nil
}

// Calibrate returns the number of passes that take about the target time. It lengthens its
// trials until one takes half of that. This warms everything up as well.
func Calibrate(target time.Duration, clock func(passes int) (time.Duration, error)) (passes int, err error) {
	const most = 1 << 30
	for passes = 1; passes < most; {
		elapsed, err := clock(passes)
		if err != nil {
			return 0, err
		}
		factor := float64(target) / float64(max(elapsed, 1))
		if elapsed >= target/2 {
			return max(1, int(float64(passes)*factor+0.5)), nil
		}
		passes = int(float64(passes) * min(factor, 100))
	}
	return most, nil
}

// take takes the rounds, each behind a collection of garbage. Of an unfinished round no sample is
// kept.
func (r *Run) take(ctx context.Context) error {
	var all []*Series
	for i := range r.Series {
		all = append(all, &r.Series[i])
	}
	for range r.Options.Count {
		runtime.GC()
		times, err := r.Sample(ctx, all)
		if err != nil {
			return err
		}
		for i, x := range times {
			all[i].Times = append(all[i].Times, x)
		}
		r.Rounds++
		if r.Options.AfterRound != nil {
			if err := r.Options.AfterRound(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sample implements [verdict.Sampler] in this process: each benchmark is timed once, in a newly drawn order, and the
// times are in the order of the series.
func (r *Run) Sample(ctx context.Context, series []*Series) ([]float64, error) {
	times := make([]float64, len(series))
	for k, i := range r.order.Perm(len(series)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if times[i], err = r.sample(ctx, series[i]); err != nil {
			return nil, err
		}
		r.Options.Progress(Measuring, r.Rounds*len(series)+k+1, len(series)*r.Options.Count)
	}
	return times, nil
}

// sample times a sample of a benchmark, under the labels of a CPU profile.
func (r *Run) sample(ctx context.Context, s *Series) (perUnit float64, err error) {
	start := time.Now()
	var units float64
	var elapsed time.Duration
	pprof.Do(ctx, pprof.Labels(engineLabel, s.Engine, levelLabel, s.Scope), func(ctx context.Context) {
		units, elapsed, err = r.time(ctx, s.Benchmark, s.Passes)
	})
	if err != nil {
		return 0, fmt.Errorf("%s: %w", s.Name, err)
	}
	if s.Clock == "" {
		r.wall += time.Since(start)
		r.work += elapsed
	}
	return PerUnit(elapsed, units, s.Unit), nil
}

// time times passes of a benchmark by its clock.
func (r *Run) time(ctx context.Context, b Benchmark, passes int) (units float64, elapsed time.Duration, err error) {
	if r.Options.Time != nil {
		return r.Options.Time(b, passes)
	}
	return timePasses(ctx, cmp.Or(b.Clock, DefaultClock()), b.Pass, passes)
}

// Add adds the complete rounds of a run of a suite to results.
func (r *Run) Add(results *record.Results, suite string, work []report.Setting) {
	if results.Pinning == nil {
		results.Pinning = &r.Pinning
	}
	results.Seconds = report.Significant(results.Seconds + r.Elapsed.Seconds())
	results.Interrupted = results.Interrupted || r.Interrupted
	results.Others = r.Others
	if len(work) > 0 {
		if results.Work == nil {
			results.Work = make(map[string]map[string]string)
		}
		results.Work[suite] = make(map[string]string)
	}
	for _, line := range work {
		results.Work[suite][line.Key] = line.Value
	}
	for _, s := range r.Series {
		if len(s.Times) > 0 {
			results.Rows = append(results.Rows, r.row(suite, s))
		}
	}
}

// row summarizes a series.
func (r *Run) row(suite string, s Series) record.Row {
	middle := verdict.Median(s.Times)
	lo, hi := verdict.Interval(s.Times)
	row := record.Row{
		Suite: suite, Name: s.Name, Keys: report.Keys(s.Name), Engine: s.Engine, Level: s.Scope, Unit: s.Unit,
		Clock: cmp.Or(s.Clock, DefaultClock()), BenchTime: r.Options.BenchTime.String(), Samples: len(s.Times),
		Signature: s.Work,
		Median:    report.Significant(middle), Lo: report.Significant(lo), Hi: report.Significant(hi),
	}
	for _, x := range s.Times {
		row.Times = append(row.Times, report.Significant(x))
	}
	if i := slices.IndexFunc(r.Series, func(other Series) bool { return other.Name == s.Base }); i >= 0 {
		base := r.Series[i]
		row.Baseline = cmp.Or(base.Engine, s.Base)
		row.SetRatio(base.Times, s.Times)
	}
	for _, m := range s.metrics(middle)[1:] {
		row.SetMetric(m.Unit, m.Value)
	}
	if s.Annotate != nil {
		s.Annotate(&row)
	}
	return row
}
