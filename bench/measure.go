package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur"
)

// Baseline is the engine that ratios refer to: the oracle, which runs everywhere.
const Baseline = ur.OracleName

// Defaults of [Options]. A run of all engines with them takes a fraction of a
// minute.
const (
	DefaultCount     = 20
	DefaultBenchTime = 25 * time.Millisecond
)

// MinCount is the least number of samples from which a ratio is reported. With
// fewer, no interval means anything.
const MinCount = 4

// MinRecordCount is the least number of samples that goes on record.
const MinRecordCount = 10

// Options say what [Measure] measures, how often and for how long.
type Options struct {
	Engines   []ur.Engine   // each must be able to run here
	Levels    []Level       // in any order
	Count     int           // samples of each engine at each level
	BenchTime time.Duration // that a sample should take; one pass is the least
	Seed      uint64        // of the order of measuring and of the bootstrap

	// Progress is called after every sample with the number taken so far, of
	// [Options.Samples]; nil for none.
	Progress func(done int)

	// Clock times passes of a case; nil means the real clock. Tests put their own
	// here.
	Clock func(c *Case, passes int) (time.Duration, error)
}

// Run is what [Measure] did: for every case a series of samples. Sample r of each
// series was taken in round r.
type Run struct {
	Workload *Workload
	Options  Options
	Series   []Series // by engine as given, then by level
	Rounds   int      // complete ones
	Start    time.Time
	Elapsed  time.Duration
}

// Series are the samples of one case, a round each.
type Series struct {
	Case    *Case
	Passes  int // in each sample
	Samples []time.Duration
}

// PerUnit returns the time of each sample in the unit of the case's level, in the
// order taken.
func (s Series) PerUnit() []float64 {
	times := make([]float64, len(s.Samples))
	for i, elapsed := range s.Samples {
		times[i] = s.Case.perUnit(s.Passes, elapsed)
	}
	return times
}

// Measure checks every case against the oracle, calibrates how many passes make a
// sample, which warms everything up as well, and takes the samples round by round,
// each round in an order of its own. The oracle is measured along when Engines does
// not have it, since every ratio refers to it.
//
// When ctx ends, Measure returns its error together with the complete rounds.
// Other errors come alone; that of an engine which computes something else than
// the oracle is a [*MismatchError].
func Measure(ctx context.Context, w *Workload, o Options) (*Run, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	o = o.complete()
	// A sample must not contain a collection, nor move between threads.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))

	run := &Run{Workload: w, Options: o, Start: time.Now()}
	defer func() { run.Elapsed = time.Since(run.Start) }()
	if err := run.prepare(ctx); err != nil {
		return run.keep(ctx, err)
	}
	order := rand.New(rand.NewPCG(o.Seed, 0))
	for range o.Count {
		runtime.GC()
		if err := run.round(ctx, order.Perm(len(run.Series))); err != nil {
			return run.keep(ctx, err)
		}
		run.Rounds++
	}
	return run, nil
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o Options) Check() error {
	others := slices.ContainsFunc(o.Engines, func(e ur.Engine) bool { return e.Name() != Baseline })
	switch {
	case len(o.Levels) == 0:
		return errors.New("no level is chosen")
	case o.Count < 1:
		return fmt.Errorf("count is %d: at least one sample must be taken", o.Count)
	case o.Count < MinCount && others:
		return fmt.Errorf("count is %d: a ratio needs at least %d samples, and 10 to be of use", o.Count, MinCount)
	case o.BenchTime <= 0:
		return fmt.Errorf("time of a sample is %v: it must be positive", o.BenchTime)
	}
	return nil
}

// complete puts the baseline first when it is missing, drops repetitions, and
// brings the levels into their order.
func (o Options) complete() Options {
	named := func(e ur.Engine) func(ur.Engine) bool {
		return func(other ur.Engine) bool { return other.Name() == e.Name() }
	}
	var engines []ur.Engine
	if !slices.ContainsFunc(o.Engines, named(ur.Oracle())) {
		engines = append(engines, ur.Oracle())
	}
	for _, e := range o.Engines {
		if !slices.ContainsFunc(engines, named(e)) {
			engines = append(engines, e)
		}
	}
	chosen := o.Levels
	o.Engines = engines
	o.Levels = slices.DeleteFunc(Levels(), func(l Level) bool { return !slices.Contains(chosen, l) })
	if o.Clock == nil {
		o.Clock = realClock
	}
	return o
}

// Samples is how many samples a run takes, those of the baseline among them.
func (o Options) Samples() int {
	o = o.complete()
	return len(o.Engines) * len(o.Levels) * o.Count
}

// realClock times passes of a case.
func realClock(c *Case, passes int) (time.Duration, error) {
	start := time.Now()
	for range passes {
		if err := c.Pass(); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// prepare makes, checks and calibrates the cases.
func (r *Run) prepare(ctx context.Context) error {
	for _, e := range r.Options.Engines {
		for _, level := range r.Options.Levels {
			if err := ctx.Err(); err != nil {
				return err
			}
			c, err := NewCase(r.Workload, e, level)
			if err != nil {
				return err
			}
			if err := c.Check(); err != nil {
				return err
			}
			clock := func(passes int) (time.Duration, error) { return r.Options.Clock(c, passes) }
			passes, err := calibrate(r.Options.BenchTime, clock)
			if err != nil {
				return err
			}
			r.Series = append(r.Series, Series{Case: c, Passes: passes})
		}
	}
	return nil
}

// calibrate returns how many passes take about the target time. It lengthens its
// trials until one takes half of that.
func calibrate(target time.Duration, clock func(passes int) (time.Duration, error)) (passes int, err error) {
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

// round takes one sample of every series, in the order given. It keeps none of
// them when ctx ends in the middle.
func (r *Run) round(ctx context.Context, order []int) error {
	samples := make([]time.Duration, len(r.Series))
	for done, i := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		elapsed, err := r.Options.Clock(r.Series[i].Case, r.Series[i].Passes)
		if err != nil {
			return err
		}
		samples[i] = max(elapsed, 1) // a clock may be too coarse to see a short sample
		if r.Options.Progress != nil {
			r.Options.Progress(r.Rounds*len(order) + done + 1)
		}
	}
	for i, elapsed := range samples {
		r.Series[i].Samples = append(r.Series[i].Samples, elapsed)
	}
	return nil
}

// keep returns what an interrupted run has; other errors come alone.
func (r *Run) keep(ctx context.Context, err error) (*Run, error) {
	if ctx.Err() != nil {
		return r, err
	}
	return nil, err
}
