package bench

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"
)

// Run is what [Measure] did: for every engine at every level a series of samples.
// Sample r of each series was taken in round r.
type Run struct {
	Workload *Workload
	Options  Options
	Series   []Series // by engine as given, then by level; behind them the commands
	Rounds   int      // complete ones, those of a resumed run among them
	Start    time.Time
	Elapsed  time.Duration // without what a resumed run took before

	Interrupted bool     // before the count was spent
	Narrow      bool     // all intervals are as narrow as Options.Within asks
	Others      float64  // part of the time that other programs took, 0 to 1, by CPUClock
	Pinning     Pinning  // where it was measured
	Counting    Counting // what the processor counted
	Notes       []string // what the user should know of commands

	contestants []contestant
	counters    Counters      // nil when there are none
	work, wall  time.Duration // of all samples by either clock
}

// contestant takes a sample in each round: an engine at one level, or a command,
// which may tell of several levels at once.
type contestant struct {
	series []int // whose samples it takes
	sample func(context.Context) ([]Sample, error)
}

// Measure checks every case against the oracle, calibrates how many passes make a
// sample, which warms everything up as well, and takes the samples round by round,
// each round in an order of its own. The oracle is measured along when Engines does
// not have it, since every ratio refers to it.
//
// When ctx ends, Measure returns its error together with the complete rounds, and so
// it does with the [*CommandError] of a command that fails after a round. Other
// errors come alone; that of an engine which computes something else than the oracle
// is a [*MismatchError].
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
	defer run.end()
	pinning, unpin, err := o.Pin.pinned()
	if err != nil {
		return nil, err
	}
	defer unpin()
	run.Pinning = pinning
	defer run.openCounters()()

	if err := run.prepare(ctx); err != nil {
		return run.keep(ctx, err)
	}
	if err := run.takeOver(o.Resume); err != nil {
		return nil, err
	}
	if err := run.measure(ctx); err != nil {
		return run.keep(ctx, err)
	}
	return run, nil
}

// end notes how long the run took.
func (r *Run) end() {
	r.Elapsed = time.Since(r.Start)
	if r.Options.TimedBy == CPUClock {
		r.Others = others(r.work, r.wall)
	}
}

// measure takes the rounds that are left. The order of round r follows from the
// seed, whether or not the rounds before it are of this process.
func (r *Run) measure(ctx context.Context) error {
	order := rand.New(rand.NewPCG(r.Options.Seed, 0))
	for range r.Rounds {
		order.Perm(len(r.contestants))
	}
	stop := stopper{options: r.Options}
	for r.Rounds < r.Options.Count {
		runtime.GC()
		if err := r.round(ctx, order.Perm(len(r.contestants))); err != nil {
			return err
		}
		r.Rounds++
		if stop.ends(r.Rounds, r.narrow) {
			r.Narrow = true
			return nil
		}
	}
	return nil
}

// openCounters opens the hardware counters if they are wanted, and returns what
// closes them. That there are none is worth a note, and no error.
func (r *Run) openCounters() (closeThem func()) {
	if r.Options.OpenCounters == nil {
		r.Counting.Reason = "not asked for"
		return func() {}
	}
	counters, err := r.Options.OpenCounters()
	if err != nil {
		r.Counting.Reason = err.Error()
		return func() {}
	}
	r.counters = counters
	r.Counting.Events = counters.Events()
	return func() { counters.Close() }
}

// counted runs a function while the counters count, and returns the counts for each
// of so many units of work. A counter that fails is given up, and the run goes on
// without.
func (r *Run) counted(units float64, work func() error) (Counts, error) {
	if r.counters == nil {
		return nil, work()
	}
	if err := r.counters.Start(); err != nil {
		r.counters, r.Counting.Reason = nil, err.Error()
		return nil, work()
	}
	if err := work(); err != nil {
		return nil, err
	}
	counts, err := r.counters.Stop()
	if err != nil {
		r.counters, r.Counting.Reason = nil, err.Error()
		return nil, nil
	}
	return newCounts(r.Counting.Events, counts, units), nil
}

// prepare makes, checks and calibrates the cases, and runs every command once.
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
			if err := r.addCase(c); err != nil {
				return err
			}
		}
	}
	for i := range r.Options.Commands {
		if err := r.addCommand(ctx, &r.Options.Commands[i]); err != nil {
			return err
		}
	}
	return nil
}

// addCase lets an engine at one level take part.
func (r *Run) addCase(c *Case) error {
	if err := c.Check(); err != nil {
		return err
	}
	clock := func(passes int) (time.Duration, error) { return r.Options.Clock(c, passes) }
	passes, err := calibrate(r.Options.BenchTime, clock)
	if err != nil {
		return err
	}
	index := len(r.Series)
	r.Series = append(r.Series, Series{Case: c, Level: c.Level, Passes: passes})
	r.contestants = append(r.contestants, contestant{[]int{index}, func(context.Context) ([]Sample, error) {
		sample, err := r.sampleCase(c, r.Series[index].Passes)
		return []Sample{sample}, err
	}})
	return nil
}

// sampleCase times one sample of a case.
func (r *Run) sampleCase(c *Case, passes int) (Sample, error) {
	var elapsed time.Duration
	start := time.Now()
	counts, err := r.counted(float64(passes)*c.perPass(), func() (err error) {
		elapsed, err = r.Options.Clock(c, passes)
		return err
	})
	r.wall += time.Since(start)
	r.work += elapsed
	if err != nil {
		return Sample{}, err
	}
	elapsed = max(elapsed, 1) // a clock may be too coarse to see a short sample
	return Sample{PerUnit: c.perUnit(passes, elapsed), Counts: counts}, nil
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

// round takes one sample of every contestant, in the order given. It keeps none of
// them when ctx ends in the middle.
func (r *Run) round(ctx context.Context, order []int) error {
	taken := make([]Sample, len(r.Series))
	for done, i := range order {
		if err := ctx.Err(); err != nil {
			return err
		}
		samples, err := r.contestants[i].sample(ctx)
		if err != nil {
			return err
		}
		for k, sample := range samples {
			taken[r.contestants[i].series[k]] = sample
		}
		if r.Options.Progress != nil {
			r.Options.Progress(r.Rounds*len(order) + done + 1)
		}
	}
	for i, sample := range taken {
		r.Series[i].Samples = append(r.Series[i].Samples, sample)
	}
	return nil
}

// keep returns what an interrupted run has, or one that a command has spoilt; other
// errors come alone.
func (r *Run) keep(ctx context.Context, err error) (*Run, error) {
	var command *CommandError
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case r.Rounds == 0 || !errors.As(err, &command):
		return nil, err
	}
	r.Interrupted = true
	return r, err
}
