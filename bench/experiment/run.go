package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Run is what [Measure] did: for every benchmark a series of samples. Sample r of each
// was taken in round r.
type Run struct {
	Options Options
	Series  []Series // of the subjects, in their order; behind them those of programs
	Rounds  int      // complete ones, those of a resumed run among them
	Start   time.Time
	Elapsed time.Duration // without what a resumed run took before

	Interrupted bool     // before the count was spent
	Narrow      bool     // all intervals are as narrow as Options.Within asks
	Others      float64  // part of the time that other programs took, 0 to 1, by CPUClock
	Pinning     Pinning  // where it was measured
	Counting    Counting // what the processor counted
	Notes       []string // what the user should know of programs

	takers     []taker
	counters   Counters      // nil when there are none
	work, wall time.Duration // of all samples by either clock
}

// Series are the samples of one benchmark, a round each.
type Series struct {
	Benchmark
	Passes  int // in each sample; 1 of a program
	Samples []Sample
}

// Sample is one measurement of one benchmark.
type Sample struct {
	PerUnit float64 // time in the unit of the benchmark, above 0
	Counts  Counts  // for each unit of work; nil when nothing was counted
}

// Times returns the time of each sample in the unit of the benchmark, in the order
// taken.
func (s Series) Times() []float64 {
	times := make([]float64, len(s.Samples))
	for i, sample := range s.Samples {
		times[i] = sample.PerUnit
	}
	return times
}

// metrics returns all figures of a sample, as they stand in a benchmark line.
func (s Series) metrics(sample Sample) []Metric {
	metrics := []Metric{{sample.PerUnit, s.Unit}}
	if s.Metrics != nil {
		metrics = append(metrics, s.Metrics(sample.PerUnit)...)
	}
	return append(metrics, sample.Counts.metrics(Work(s.Unit))...)
}

// taker takes part in each round: a subject or a program.
type taker struct {
	series []int // whose samples it takes
	sample func(context.Context) ([]Sample, error)
}

// Measure checks every subject against its oracle, calibrates how many passes make a
// sample, which warms everything up as well, and takes the samples round by round, each
// round in an order of its own.
//
// When ctx ends, Measure returns its error together with the complete rounds, and so
// it does with any error after a round, as that of a program that fails. Errors before
// the first come alone, but that of ctx; that of a subject which fails its check is a
// [*CheckError].
func Measure(ctx context.Context, o Options) (*Run, error) {
	if err := o.Check(false); err != nil {
		return nil, err
	}
	if len(o.Subjects)+len(o.Programs) == 0 {
		return nil, errNothing
	}
	run := &Run{Options: o.complete(), Start: time.Now()}
	err := Undisturbed(o.Pin, func(pinning Pinning) error {
		run.Pinning = pinning
		defer run.end()
		defer run.openCounters()()
		if err := run.prepare(ctx); err != nil {
			return err
		}
		return run.take(ctx)
	})
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

// errNoRound says that nothing was measured and nothing says why.
var errNoRound = errors.New("no round was complete")

// MeasureAll measures subjects of one kind as [Measure] does. Where not even one round was
// complete it returns no run. Of the options it sets the subjects.
func MeasureAll[S Subject](ctx context.Context, subjects []S, o Options) (*Run, error) {
	o.Subjects = make([]Subject, len(subjects))
	for i, s := range subjects {
		o.Subjects[i] = s
	}
	run, err := Measure(ctx, o)
	if run == nil || run.Rounds == 0 {
		return nil, cmp.Or(err, errNoRound)
	}
	return run, err
}

// end notes how long the run took.
func (r *Run) end() {
	r.Elapsed = time.Since(r.Start)
	if r.Options.TimedBy == CPUClock {
		r.Others = others(r.work, r.wall)
	}
}

// prepare checks and calibrates the subjects, runs every program once, and takes over
// the samples of a resumed run.
func (r *Run) prepare(ctx context.Context) error {
	all := len(r.Options.Subjects) + len(r.Options.Programs)
	for i, s := range r.Options.Subjects {
		r.Options.tell(Checking, i, all)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.addSubject(s); err != nil {
			return err
		}
	}
	for i, p := range r.Options.Programs {
		r.Options.tell(Checking, len(r.Options.Subjects)+i, all)
		if err := r.addProgram(ctx, p); err != nil {
			return err
		}
	}
	r.Options.tell(Checking, all, all)
	return r.takeOver(r.Options.Resume)
}

// addSubject lets a subject take part.
func (r *Run) addSubject(s Subject) error {
	b := benchmarkOf(s)
	if err := checkName(b); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return &CheckError{b.Name, err}
	}
	passes, err := Calibrate(r.Options.BenchTime, func(passes int) (time.Duration, error) {
		_, elapsed, err := r.Options.Time(s, passes)
		return elapsed, err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	index := len(r.Series)
	r.Series = append(r.Series, Series{Benchmark: b, Passes: passes})
	r.takers = append(r.takers, taker{[]int{index}, func(context.Context) ([]Sample, error) {
		sample, err := r.sample(s, r.Series[index])
		return []Sample{sample}, err
	}})
	return nil
}

// sample times one sample of a subject.
func (r *Run) sample(s Subject, series Series) (Sample, error) {
	var units float64
	var elapsed time.Duration
	start := time.Now()
	counts, err := r.counted(func() (err error) {
		units, elapsed, err = r.Options.Time(s, series.Passes)
		return err
	})
	r.wall += time.Since(start)
	r.work += elapsed
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", series.Name, err)
	}
	return Sample{PerUnit: PerUnit(elapsed, units, series.Unit), Counts: newCounts(r.Counting.Events, counts, units)}, nil
}

// addProgram lets a program take part. Its first run is its warm-up.
func (r *Run) addProgram(ctx context.Context, p Program) error {
	benchmarks, note, err := p.Begin(ctx)
	if err != nil {
		return err
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	taking := taker{}
	for _, b := range benchmarks {
		if err := checkName(b); err != nil {
			return err
		}
		taking.series = append(taking.series, len(r.Series))
		r.Series = append(r.Series, Series{Benchmark: b, Passes: 1})
	}
	taking.sample = func(ctx context.Context) ([]Sample, error) {
		times, err := p.Sample(ctx)
		if err != nil {
			return nil, err
		}
		if len(times) != len(benchmarks) {
			return nil, fmt.Errorf("%d figures of %d benchmarks", len(times), len(benchmarks))
		}
		samples := make([]Sample, len(times))
		for i, time := range times {
			samples[i].PerUnit = time
		}
		return samples, nil
	}
	r.takers = append(r.takers, taking)
	return nil
}

// take takes the rounds that are left. Of a round in the middle of which something ends
// it, no sample is kept.
func (r *Run) take(ctx context.Context) error {
	o := r.Options
	taken := make([]Sample, len(r.Series))
	stop := stopper{within: o.Within}
	done := r.Rounds * len(r.takers)
	sample := func(i int) error {
		samples, err := r.takers[i].sample(ctx)
		if err != nil {
			return err
		}
		for k, series := range r.takers[i].series {
			taken[series] = samples[k]
		}
		done++
		o.tell(Measuring, done, o.Samples())
		return nil
	}
	ended := func(round int) (bool, error) {
		for i, sample := range taken {
			r.Series[i].Samples = append(r.Series[i].Samples, sample)
		}
		r.Rounds = round + 1
		r.Narrow = stop.ends(r.Rounds, r.narrow)
		if o.AfterRound != nil {
			if err := o.AfterRound(r); err != nil {
				return false, err
			}
		}
		return !r.Narrow, nil
	}
	return Rounds{From: r.Rounds, To: o.Count, Seed: o.Seed}.Take(ctx, len(r.takers), sample, ended)
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

// counted runs a function while the counters count, and returns the counts. A counter
// that fails is given up, and the run goes on without.
func (r *Run) counted(work func() error) ([]float64, error) {
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
	return counts, nil
}

// Find returns the series of a benchmark, and whether there is one.
func (r *Run) Find(name string) (Series, bool) {
	for _, s := range r.Series {
		if s.Name == name {
			return s, true
		}
	}
	return Series{}, false
}
