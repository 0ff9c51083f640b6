package bench

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
)

// Baseline is the engine that ratios refer to: the oracle, which runs everywhere.
const Baseline = engine.OracleName

// Defaults of [Options]. A run of all engines with them takes a fraction of a
// minute.
const (
	DefaultCount     = 20
	DefaultBenchTime = 25 * time.Millisecond
)

// DefaultMostCount is how many samples a run takes at most by default when it ends
// by the width of its intervals.
const DefaultMostCount = 200

// MinRecordCount is the least number of samples that goes on record.
const MinRecordCount = 10

// Options say what [Measure] measures, how often and for how long.
type Options struct {
	Engines   []ur.Engine   // each must be able to run here
	Commands  []Command     // measured along with the engines
	Levels    []Level       // in any order
	Count     int           // samples of each engine at each level
	BenchTime time.Duration // that a sample should take; one pass is the least
	Seed      uint64        // of the order of measuring and of the bootstrap

	// Within ends the run before Count is spent, as soon as the 95 % interval of every
	// ratio reaches no further than this part of the ratio to either side: 0.01 for
	// ±1 %. 0 always spends Count. What it does to the intervals is said at stopper.
	Within float64

	// TimedBy is the clock; "" means [DefaultClock], or [WallClock] when there are
	// Commands: these time themselves by it, and figures of two clocks must not be
	// compared on a machine that does other work.
	TimedBy Clock

	// Pin keeps the measuring on one core; nil lets the operating system choose all
	// the time.
	Pin *Pin

	// OpenCounters opens counters for the measuring thread, as [OpenCounters] does; nil
	// for none.
	OpenCounters func() (Counters, error)

	// Resume is an interrupted run that this one goes on with, from [ReadSamples]; nil
	// for a new one. Everything but Count must be as it was there.
	Resume *Saved

	// Progress is called after every sample with the number taken so far, of
	// [Options.Samples]; nil for none.
	Progress func(done int)

	// Clock times passes of a case; nil means TimedBy. Tests put their own here.
	Clock func(c *Case, passes int) (time.Duration, error)
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o Options) Check() error {
	others := len(o.Commands) > 0 ||
		slices.ContainsFunc(o.Engines, func(e ur.Engine) bool { return e.Name() != Baseline })
	switch {
	case len(o.Levels) == 0:
		return errors.New("no level is chosen")
	case o.Count < 1:
		return fmt.Errorf("count is %d: at least one sample must be taken", o.Count)
	case o.Count < stat.MinCount && others:
		return fmt.Errorf("count is %d: a ratio needs at least %d samples, and 10 to be of use", o.Count, stat.MinCount)
	case o.BenchTime <= 0:
		return fmt.Errorf("time of a sample is %v: it must be positive", o.BenchTime)
	}
	return o.checkWithin()
}

// complete puts the baseline first when it is missing, drops repetitions, and
// brings the levels into their order.
func (o Options) complete() Options {
	named := func(e ur.Engine) func(ur.Engine) bool {
		return func(other ur.Engine) bool { return other.Name() == e.Name() }
	}
	var engines []ur.Engine
	if !slices.ContainsFunc(o.Engines, named(engine.Oracle())) {
		engines = append(engines, engine.Oracle())
	}
	for _, e := range o.Engines {
		if !slices.ContainsFunc(engines, named(e)) {
			engines = append(engines, e)
		}
	}
	chosen := o.Levels
	o.Engines = engines
	o.Levels = slices.DeleteFunc(Levels(), func(l Level) bool { return !slices.Contains(chosen, l) })
	if o.TimedBy == "" {
		o.TimedBy = DefaultClock()
		if len(o.Commands) > 0 {
			o.TimedBy = WallClock
		}
	}
	if o.Clock == nil {
		o.Clock = o.TimedBy.pass
	}
	return o
}

// Samples is how many samples a run takes at most, those of the baseline and of a
// resumed run among them. A command takes one for all its levels.
func (o Options) Samples() int {
	o = o.complete()
	return (len(o.Engines)*len(o.Levels) + len(o.Commands)) * o.Count
}
