package experiment

import (
	"cmp"
	"context"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// Defaults of [Options].
const (
	DefaultCount     = 20
	DefaultBenchTime = 25 * time.Millisecond
)

// DefaultMostCount is how many samples a run takes at most by default when it ends by
// the width of its intervals.
const DefaultMostCount = 200

// MinRecordCount is the minimum number of samples of a record.
const MinRecordCount = 10

// Options configure [Measure].
type Options struct {
	Subjects []Subject
	Samplers []Sampler // measured along with the subjects

	Count     int           // samples of each benchmark
	BenchTime time.Duration // target time of a sample; one pass is the minimum
	Seed      uint64        // of the order of measuring and of the intervals

	// Within ends the run before Count is spent, as soon as the 95 % interval of every ratio to
	// a base reaches no further than this part of the ratio to either side: 0.01 for ±1 %. 0
	// always spends Count. A run that checked its intervals after every round would stop when
	// they are narrow by chance. So a run checks after 10 rounds for the first time, then after
	// a quarter more each time, and ends when they were narrow twice in succession. In
	// simulations 92.6 % of the intervals of such runs covered the true ratio, against 94.2 %
	// when the count was spent.
	Within float64

	// TimedBy is the default clock of benchmarks; "" means [DefaultClock]. Figures of two
	// clocks are not comparable on a machine with other load.
	TimedBy Clock

	// Pin keeps the measuring on one core; nil lets the operating system choose all
	// the time.
	Pin *Pin

	// OpenCounters opens counters for the measuring thread, as [OpenCounters] does; nil
	// for none.
	OpenCounters func() (Counters, error)

	// Resume is an interrupted run to resume, from [ReadSaved]; nil for a new one. Everything
	// but Count must be as it was there.
	Resume *Saved

	// Progress is called before each step; nil for none.
	Progress func(Progress)

	// AfterRound is called after each complete round, between samples; nil for none. Its error
	// ends the run. It may write the run, so a kill costs one round.
	AfterRound func(*Run) error

	// Time does n passes of a subject, and returns how many units of work they were and
	// how long they took; nil means by the clock of the benchmark. Tests set their own.
	Time func(s Subject, passes int) (units float64, elapsed time.Duration, err error)
}

// Progress is how far a run is.
type Progress struct {
	Phase Phase
	Done  int // of All: subjects checked or samples taken
	All   int
}

// Phase is the step of a run.
type Phase string

// The phases.
const (
	Checking  Phase = "checking"
	Measuring Phase = "measuring"
)

// Check checks the options other than subjects. Its error is a [*config.Error] that names the
// field. Ratios need several samples.
func (o Options) Check(ratios bool) error {
	switch {
	case o.Count < 1:
		return config.Fault("options", "Count", "must be at least 1, got %d", o.Count)
	case o.Count < stat.MinCount && ratios:
		return config.Fault("options", "Count", "must be at least %d for a ratio, and 10 for one of use, got %d", stat.MinCount, o.Count)
	case o.BenchTime <= 0:
		return config.Fault("options", "BenchTime", "must be positive, got %v", o.BenchTime)
	case o.Within == 0:
		return nil
	case !(o.Within > 0 && o.Within < 1):
		return config.Fault("options", "Within", "must be above 0 and below 100 %%, got %g %%", 100*o.Within)
	case o.Count < firstLook:
		return config.Fault("options", "Count", "must be at least %d for a run that ends by its intervals, got %d", firstLook, o.Count)
	}
	return nil
}

// complete fills in defaults.
func (o Options) complete() Options {
	o.TimedBy = cmp.Or(o.TimedBy, DefaultClock())
	return o
}

// time times passes of a subject, by its clock, or by TimedBy if that is "".
func (o Options) time(ctx context.Context, s Subject, own Clock, passes int) (units float64, elapsed time.Duration, err error) {
	if o.Time != nil {
		return o.Time(s, passes)
	}
	return cmp.Or(own, o.TimedBy).Time(ctx, s, passes)
}

// Samples is how many samples a run takes at most, those of a resumed run among them. A
// sampler takes one for all its benchmarks.
func (o Options) Samples() int { return (len(o.Subjects) + len(o.Samplers)) * o.Count }

// report reports progress.
func (o Options) report(phase Phase, done, all int) {
	if o.Progress != nil {
		o.Progress(Progress{phase, done, all})
	}
}
