package experiment

import (
	"context"
	"errors"
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

// MinRecordCount is the least number of samples that goes on record.
const MinRecordCount = 10

// Options say what [Measure] measures, how often and for how long.
type Options struct {
	Subjects []Subject
	Programs []Program // measured along with the subjects

	Count     int           // samples of each benchmark
	BenchTime time.Duration // that a sample should take; one pass is the least
	Seed      uint64        // of the order of measuring and of the intervals

	// Base names the benchmark that another is compared with, "" for none; nil compares
	// none. Within ends the run before Count is spent, as soon as the 95 % interval of
	// every ratio to a base reaches no further than this part of the ratio to either
	// side: 0.01 for ±1 %. 0 always spends Count. Who looks at intervals again and
	// again, and stops when they are narrow, finds them narrow by chance: so a run looks
	// after 10 rounds for the first time, then after a quarter more each time, and ends
	// when it was narrow twice in succession. In simulations 92.6 % of the intervals of
	// such runs covered the truth, against 94.2 % when the count was spent.
	Base   func(name string) string
	Within float64

	// TimedBy is the clock; "" means [DefaultClock], or [WallClock] when there are
	// Programs: these time themselves by it, and figures of two clocks must not be
	// compared on a machine that does other work.
	TimedBy Clock

	// Pin keeps the measuring on one core; nil lets the operating system choose all
	// the time.
	Pin *Pin

	// OpenCounters opens counters for the measuring thread, as [OpenCounters] does; nil
	// for none.
	OpenCounters func() (Counters, error)

	// Resume is an interrupted run that this one goes on with, from [ReadSaved]; nil
	// for a new one. Everything but Count must be as it was there.
	Resume *Saved

	// Progress is told what is being done; nil for nobody.
	Progress func(Progress)

	// AfterRound is called after each complete round, between samples; nil for none.
	// Its error ends the run. It may write the run, so that a kill costs one round.
	AfterRound func(*Run) error

	// Time does so many passes of a subject, and returns how many units of work they
	// were and what they took; nil means by the clock of TimedBy. Tests put their own
	// here.
	Time func(s Subject, passes int) (units float64, elapsed time.Duration, err error)
}

// Progress is how far a run is.
type Progress struct {
	Phase Phase
	Done  int // of All, subjects that are checked or samples that are taken
	All   int
}

// Phase is what a run is doing.
type Phase string

// The phases.
const (
	Checking  Phase = "checking"
	Measuring Phase = "measuring"
)

// Program takes samples outside of this process: of several benchmarks in each start.
type Program interface {
	// Begin starts the program once, untimed, and tells what it measures, and what the
	// user should know of it, "" for nothing.
	Begin(ctx context.Context) (benchmarks []Benchmark, note string, err error)

	// Sample starts the program and returns the time of each of the benchmarks.
	Sample(ctx context.Context) (perUnit []float64, err error)
}

// Check says what is wrong with the options but for what they measure, in terms of what
// a user chose: each error names the field. Figures that are ratios take several samples.
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

// OptionError is a mistake in a field of options. A command turns the field into the flag
// that sets it.
type OptionError = config.Error

// complete fills in what was left open.
func (o Options) complete() Options {
	if o.TimedBy == "" {
		o.TimedBy = DefaultClock()
		if len(o.Programs) > 0 {
			o.TimedBy = WallClock
		}
	}
	if o.Time == nil {
		o.Time = o.TimedBy.Time
	}
	return o
}

// Samples is how many samples a run takes at most, those of a resumed run among them. A
// program takes one for all its benchmarks.
func (o Options) Samples() int { return (len(o.Subjects) + len(o.Programs)) * o.Count }

// tell reports progress to whoever listens.
func (o Options) tell(phase Phase, done, all int) {
	if o.Progress != nil {
		o.Progress(Progress{phase, done, all})
	}
}

// errNothing is returned for a run without subjects.
var errNothing = errors.New("there is nothing to measure")
