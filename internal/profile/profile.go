// Package profile shows where the time of subjects goes: a CPU profile with samples labelled by
// subject, in slices of random order, down to the line of Go or assembly. It is independent of
// any game.
package profile

import (
	"bytes"
	"context"
	"fmt"
	"runtime/pprof"
	"time"

	"github.com/google/pprof/profile"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// DefaultTime is the default time to profile a subject: about 300 samples, by which the share
// of a line with 10 % of the time is known to within 4 %.
const DefaultTime = 3 * time.Second

// profileSlice is how long a subject is profiled before another has its turn.
const profileSlice = 100 * time.Millisecond

// Labels of samples in a CPU profile (see [pprof.Do]).
const (
	engineLabel = "engine"
	levelLabel  = "level"
)

// Work is a subject to profile, with the labels of its samples: its engine and its level.
type Work struct {
	Subject experiment.Subject
	Engine  string
	Level   string
}

// Options select the subjects of [Collect] and their time.
type Options struct {
	Work []Work
	Time time.Duration   // for each of them
	Seed uint64          // of the order
	Pin  *experiment.Pin // core to stay on; nil for none

	// Harness is the package path of the subjects. Its functions between a subject's Pass and
	// the measured code are left out. "" leaves out Pass alone.
	Harness string

	// Progress is called after every slice with the number done so far, of
	// [Options.Slices]; nil for none.
	Progress func(done int)
}

// Check returns an error for invalid options.
func (o Options) Check() error {
	switch {
	case len(o.Work) == 0:
		return config.Fault("options", "Work", "there is nothing to profile")
	case o.Time <= 0:
		return config.Fault("options", "Time", "must be positive, got %v", o.Time)
	}
	return nil
}

// rounds is how many slices each subject has.
func (o Options) rounds() int {
	return max(1, int((o.Time+profileSlice-1)/profileSlice))
}

// Slices is how many there are in all.
func (o Options) Slices() int { return len(o.Work) * o.rounds() }

// Collected is a CPU profile of subjects. Each sample has the labels "engine" and "level".
type Collected struct {
	Raw  []byte // as "go tool pprof" reads it
	Work []Worked

	Pinning     experiment.Pinning
	Interrupted bool

	options Options
	profile *profile.Profile
}

// Worked is the work of a subject while it was profiled.
type Worked struct {
	Work
	Passes  int // of a slice
	Elapsed time.Duration
	Units   float64 // of work
}

// perUnit is the time of a unit in the unit of the subject, 0 when nothing was done.
func (w Worked) perUnit() float64 {
	if w.Units == 0 {
		return 0
	}
	return float64(w.Elapsed.Nanoseconds()) / experiment.Nanoseconds(w.Subject.Unit()) / w.Units
}

// Collect checks every subject and then profiles them in slices, each round of slices in
// an order drawn anew. When ctx ends, it returns its error together with the profile so
// far. Only one CPU profile can be taken in a process at a time.
func Collect(ctx context.Context, o Options) (*Collected, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	c := &Collected{options: o}
	err := experiment.Pinned(o.Pin, func(pinning experiment.Pinning) error {
		c.Pinning = pinning
		if err := c.prepare(ctx); err != nil {
			return err
		}
		return c.collect(ctx)
	})
	if c.profile == nil {
		return nil, err
	}
	return c, err
}

// collect runs all subjects while the profile is taken. Its error is that of ctx when there is
// a profile.
func (c *Collected) collect(ctx context.Context) error {
	var raw bytes.Buffer
	if err := pprof.StartCPUProfile(&raw); err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	err := c.work(ctx)
	pprof.StopCPUProfile()
	if err != nil && ctx.Err() == nil {
		return err
	}
	c.Interrupted = ctx.Err() != nil
	c.Raw = raw.Bytes()
	if c.profile, err = profile.ParseData(c.Raw); err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	return ctx.Err()
}

// prepare checks and calibrates the subjects.
func (c *Collected) prepare(ctx context.Context) error {
	slice := min(profileSlice, c.options.Time)
	for _, w := range c.options.Work {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.Subject.Check(); err != nil {
			return err
		}
		passes, err := experiment.Calibrate(slice, func(passes int) (time.Duration, error) {
			_, elapsed, err := experiment.DefaultClock().Time(ctx, w.Subject, passes)
			return elapsed, err
		})
		if err != nil {
			return err
		}
		c.Work = append(c.Work, Worked{Work: w, Passes: passes})
	}
	return nil
}

// work lets every subject do its slices, under its labels.
func (c *Collected) work(ctx context.Context) error {
	done := 0
	slice := func(i int) error {
		if err := c.Work[i].slice(ctx); err != nil {
			return err
		}
		if done++; c.options.Progress != nil {
			c.options.Progress(done)
		}
		return nil
	}
	return experiment.Rounds{To: c.options.rounds(), Seed: c.options.Seed}.Take(ctx, len(c.Work), slice, nil)
}

// slice does the work of one slice.
func (w *Worked) slice(ctx context.Context) error {
	labels := pprof.Labels(engineLabel, w.Engine, levelLabel, w.Level)
	var units float64
	var elapsed time.Duration
	var err error
	pprof.Do(ctx, labels, func(context.Context) {
		units, elapsed, err = experiment.DefaultClock().Time(ctx, w.Subject, w.Passes)
	})
	if err != nil {
		return err
	}
	w.Elapsed += elapsed
	w.Units += units
	return nil
}
