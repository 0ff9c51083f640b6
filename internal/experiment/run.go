package experiment

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run is the outcome of [Measure]: for every benchmark a series of samples. Sample r of
// each was taken in round r.
type Run struct {
	Options Options
	Series  []Series // of the subjects, in their order; behind them those of samplers
	Rounds  int      // complete ones, those of a resumed run among them
	Start   time.Time
	Elapsed time.Duration // without the time of a resumed run

	Interrupted bool     // before the count was spent
	Narrow      bool     // all intervals are as narrow as Options.Within asks
	Others      float64  // part of the time taken by other programs, 0 to 1, by CPUClock
	Pinning     Pinning  // where it was measured
	Counting    Counting // processor event counts
	Notes       []string // of samplers, for the user

	takers     []taker
	counters   Counters      // nil when there are none
	work, wall time.Duration // of all samples by either clock
}

// Series are the samples of one benchmark, a round each.
type Series struct {
	Benchmark
	Passes  int // in each sample; 1 of a sampler
	Samples []Sample
}

// Sample is one measurement of one benchmark.
type Sample struct {
	PerUnit float64 // in the unit of the benchmark, above 0 when it is a time
	Counts  Counts  // for each unit of work; nil when nothing was counted
}

// Times returns the figure of each sample in the unit of the benchmark, in the order
// taken.
func (s Series) Times() []float64 {
	times := make([]float64, len(s.Samples))
	for i, sample := range s.Samples {
		times[i] = sample.PerUnit
	}
	return times
}

// metrics returns all figures of a sample, as in a benchmark line.
func (s Series) metrics(sample Sample) []Metric {
	metrics := append([]Metric{{sample.PerUnit, s.Unit}}, s.Benchmark.metrics(sample.PerUnit)...)
	return append(metrics, sample.Counts.metrics(Work(s.Unit))...)
}

// taker takes part in each round: a subject, or a sampler.
type taker struct {
	subject Subject // nil of a sampler
	sampler Sampler
	series  []int // whose samples it takes
}

// Measure checks every subject against its oracle, calibrates the number of passes of a sample,
// warms everything up with that, and takes the samples round by round, each round in a newly
// drawn order.
//
// When ctx ends, Measure returns its error together with the complete rounds. It does the same
// with any error after a round, such as a failed program. Errors before the first round come
// alone, except that of ctx. A subject that fails its check gives a [*CheckError].
func Measure(ctx context.Context, o Options) (*Run, error) {
	if err := o.Check(false); err != nil {
		return nil, err
	}
	if len(o.Subjects)+len(o.Samplers) == 0 {
		return nil, errNothing
	}
	run := &Run{Options: o.complete(), Start: time.Now()}
	pinning, release, err := isolate(o.Pin)
	if err != nil {
		return nil, err
	}
	defer release()
	run.Pinning = pinning
	defer run.openCounters()()
	if err = run.prepare(ctx); err == nil {
		err = run.take(ctx)
	}
	run.end()
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

// end notes how long the run took.
func (r *Run) end() {
	r.Elapsed = time.Since(r.Start)
	if r.Options.TimedBy == CPUClock {
		r.Others = others(r.work, r.wall)
	}
}

// prepare checks and calibrates the subjects, prepares the samplers, and takes over
// the samples of a resumed run.
func (r *Run) prepare(ctx context.Context) error {
	all := len(r.Options.Subjects) + len(r.Options.Samplers)
	for i, s := range r.Options.Subjects {
		r.Options.report(Checking, i, all)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.addSubject(ctx, s); err != nil {
			return err
		}
	}
	for i, s := range r.Options.Samplers {
		r.Options.report(Checking, len(r.Options.Subjects)+i, all)
		if err := r.addSampler(ctx, s); err != nil {
			return err
		}
	}
	r.Options.report(Checking, all, all)
	return r.takeOver(r.Options.Resume)
}

// addSubject lets a subject take part.
func (r *Run) addSubject(ctx context.Context, s Subject) error {
	b := Describe(s)
	if err := b.checkTimed(); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return &CheckError{b.Name, err}
	}
	passes, err := Calibrate(r.Options.BenchTime, func(passes int) (time.Duration, error) {
		_, elapsed, err := r.Options.time(ctx, s, b.Clock, passes)
		return elapsed, err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", b.Name, err)
	}
	r.takers = append(r.takers, taker{subject: s, series: []int{len(r.Series)}})
	r.Series = append(r.Series, Series{Benchmark: b, Passes: passes})
	return nil
}

// addSampler lets a sampler take part.
func (r *Run) addSampler(ctx context.Context, s Sampler) error {
	benchmarks, note, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	t := taker{sampler: s}
	for _, b := range benchmarks {
		if err := b.check(); err != nil {
			return err
		}
		t.series = append(t.series, len(r.Series))
		r.Series = append(r.Series, Series{Benchmark: b, Passes: 1})
	}
	r.takers = append(r.takers, t)
	return nil
}

// take takes the remaining rounds. Of an unfinished round no sample is kept.
func (r *Run) take(ctx context.Context) error {
	o := r.Options
	stop := stopper{within: o.Within}
	done := r.Rounds * len(r.takers)
	for round, order := range (Rounds{From: r.Rounds, To: o.Count, Seed: o.Seed}).orders(len(r.takers)) {
		taken := make([]*Sample, len(r.Series))
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			if t := r.takers[i]; round < r.Series[t.series[0]].count(o.Count) {
				if err := r.sample(ctx, t, taken); err != nil {
					return err
				}
			}
			done++
			o.report(Measuring, done, o.Samples())
		}
		for i, sample := range taken {
			if sample != nil {
				r.Series[i].Samples = append(r.Series[i].Samples, *sample)
			}
		}
		r.Rounds = round + 1
		r.Narrow = stop.ends(r.Rounds, r.narrow)
		if o.AfterRound != nil {
			if err := o.AfterRound(r); err != nil {
				return err
			}
		}
		if r.Narrow {
			break
		}
	}
	return nil
}

// sample takes the samples of a participant.
func (r *Run) sample(ctx context.Context, t taker, taken []*Sample) error {
	if t.sampler == nil {
		return r.timedSample(ctx, t, taken)
	}
	figures, err := t.sampler.Sample(ctx)
	if err != nil {
		return err
	}
	if len(figures) != len(t.series) {
		return fmt.Errorf("%d figures of %d benchmarks", len(figures), len(t.series))
	}
	for k, series := range t.series {
		taken[series] = &Sample{PerUnit: figures[k]}
	}
	return nil
}

// timedSample times a sample of a subject, while the counters count.
func (r *Run) timedSample(ctx context.Context, t taker, taken []*Sample) error {
	series := r.Series[t.series[0]]
	start := time.Now()
	r.startCounters()
	units, elapsed, err := r.Options.time(ctx, t.subject, series.Clock, series.Passes)
	counts := r.stopCounters()
	if series.Clock == "" {
		r.wall += time.Since(start)
		r.work += elapsed
	}
	if err != nil {
		return fmt.Errorf("%s: %w", series.Name, err)
	}
	taken[t.series[0]] = &Sample{PerUnit: PerUnit(elapsed, units, series.Unit), Counts: newCounts(r.Counting.Events, counts, units)}
	return nil
}

// openCounters opens the hardware counters if requested, and returns a function that closes
// them. Missing counters are noted, not an error.
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

// startCounters starts the counters, if there are any. After a failure the run continues
// without counters.
func (r *Run) startCounters() {
	if r.counters == nil {
		return
	}
	if err := r.counters.Start(); err != nil {
		r.counters, r.Counting.Reason = nil, err.Error()
	}
}

// stopCounters returns the counts, or nil when there are none.
func (r *Run) stopCounters() []float64 {
	if r.counters == nil {
		return nil
	}
	counts, err := r.counters.Stop()
	if err != nil {
		r.counters, r.Counting.Reason = nil, err.Error()
		return nil
	}
	return counts
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

// errNothing is returned for a run without subjects.
var errNothing = errors.New("nothing to measure: no benchmarks")
