package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur"
)

// DefaultProfileTime is how long an engine is profiled at a level when nothing else
// is chosen: about 300 samples, by which a line that takes 10 % of the time is known
// to within 4 %.
const DefaultProfileTime = 3 * time.Second

// profileSlice is how long an engine is profiled before another has its turn.
const profileSlice = 100 * time.Millisecond

// Labels of samples in a CPU profile (see [pprof.Do]).
const (
	engineLabel = "engine"
	levelLabel  = "level"
)

// ProfileOptions say what [CollectProfile] looks at and for how long.
type ProfileOptions struct {
	Engines []ur.Engine   // each must be able to run here
	Levels  []Level       // of each engine
	Time    time.Duration // for each engine at each level
	Seed    uint64        // of the order
	Pin     *Pin          // as in [Options]

	// Progress is called after every slice with the number done so far, of
	// [ProfileOptions.Slices]; nil for none.
	Progress func(done int)
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o ProfileOptions) Check() error {
	switch {
	case len(o.Engines) == 0:
		return errors.New("no engine is chosen")
	case len(o.Levels) == 0:
		return errors.New("no level is chosen")
	case o.Time <= 0:
		return fmt.Errorf("time to profile is %v: it must be positive", o.Time)
	}
	return nil
}

// rounds is how many slices each engine has at each level.
func (o ProfileOptions) rounds() int {
	return max(1, int((o.Time+profileSlice-1)/profileSlice))
}

// Slices is how many there are in all.
func (o ProfileOptions) Slices() int { return len(o.Engines) * len(o.Levels) * o.rounds() }

// Collected is a CPU profile of engines, each sample of which has the labels
// "engine" and "level".
type Collected struct {
	Raw  []byte // as "go tool pprof" reads it
	Work []Worked

	Pinning     Pinning
	Interrupted bool

	options  ProfileOptions
	workload *Workload
	profile  *profile.Profile
}

// Worked is what an engine did at a level while it was profiled.
type Worked struct {
	Case    *Case
	Passes  int // of a slice
	Elapsed time.Duration
	Units   float64 // evaluations, turns or games
}

// perUnit is the time of a unit in the unit of the level, 0 when nothing was done.
func (w Worked) perUnit() float64 {
	if w.Units == 0 {
		return 0
	}
	return float64(w.Elapsed.Nanoseconds()) / w.Case.Level.nanoseconds() / w.Units
}

// CollectProfile checks every engine against the oracle and then profiles them in
// slices, each round of slices in an order drawn anew. When ctx ends, it returns its
// error together with the profile so far. Only one CPU profile can be taken in a
// process at a time.
func CollectProfile(ctx context.Context, w *Workload, o ProfileOptions) (*Collected, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	pinning, unpin, err := o.Pin.pinned()
	if err != nil {
		return nil, err
	}
	defer unpin()

	c := &Collected{Pinning: pinning, options: o, workload: w}
	if err := c.prepare(ctx); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	err = c.work(ctx)
	pprof.StopCPUProfile()
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	c.Interrupted = ctx.Err() != nil
	c.Raw = raw.Bytes()
	if c.profile, err = profile.ParseData(c.Raw); err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	return c, ctx.Err()
}

// prepare makes, checks and calibrates the cases.
func (c *Collected) prepare(ctx context.Context) error {
	slice := min(profileSlice, c.options.Time)
	for _, e := range c.options.Engines {
		for _, level := range c.options.Levels {
			if err := ctx.Err(); err != nil {
				return err
			}
			made, err := NewCase(c.workload, e, level)
			if err != nil {
				return err
			}
			if err := made.Check(); err != nil {
				return err
			}
			clock := func(passes int) (time.Duration, error) { return DefaultClock().pass(made, passes) }
			passes, err := calibrate(slice, clock)
			if err != nil {
				return err
			}
			c.Work = append(c.Work, Worked{Case: made, Passes: passes})
		}
	}
	return nil
}

// work lets every case do its slices, under its labels.
func (c *Collected) work(ctx context.Context) error {
	order := rand.New(rand.NewPCG(c.options.Seed, 0))
	done := 0
	for range c.options.rounds() {
		runtime.GC()
		for _, i := range order.Perm(len(c.Work)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.Work[i].slice(ctx); err != nil {
				return err
			}
			done++
			if c.options.Progress != nil {
				c.options.Progress(done)
			}
		}
	}
	return nil
}

// slice does the work of one slice.
func (w *Worked) slice(ctx context.Context) error {
	labels := pprof.Labels(engineLabel, w.Case.Engine.Name(), levelLabel, string(w.Case.Level))
	var elapsed time.Duration
	var err error
	pprof.Do(ctx, labels, func(context.Context) { elapsed, err = DefaultClock().pass(w.Case, w.Passes) })
	if err != nil {
		return err
	}
	w.Elapsed += elapsed
	w.Units += float64(w.Passes) * w.Case.perPass()
	return nil
}
