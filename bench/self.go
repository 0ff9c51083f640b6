package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// SelfOptions say how an engine is measured against itself.
type SelfOptions struct {
	Engine    ur.Engine // must be able to run here
	Level     Level
	Count     int           // samples of each side of a pair
	BenchTime time.Duration // that a sample should take
	Seed      uint64        // of the order of measuring
	Pin       *Pin          // core to measure on; nil for none

	// Clock times a sample: passes of the work, and behind them so many iterations of
	// a spin. Nil means the real clock. Tests put their own here.
	Clock func(passes, spins int) (time.Duration, error)
}

// Self measures an engine against itself, which tells what a machine calls a
// difference where there is none, and against itself with a planted slowdown, which
// tells what it overlooks. It serves one goroutine.
type Self struct {
	o      SelfOptions
	work   *Case
	passes int
	spins  float64 // iterations of the spin that take as long as the work of a sample
	sink   uint64
}

// NewSelf checks the engine against the oracle and calibrates: how much work makes a
// sample, and how long the spin is beside it.
func NewSelf(ctx context.Context, w *Workload, o SelfOptions) (*Self, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	work, err := NewCase(w, o.Engine, o.Level)
	if err != nil {
		return nil, err
	}
	if err := work.Check(); err != nil {
		return nil, err
	}
	s := &Self{o: o, work: work}
	if o.Clock == nil {
		s.o.Clock = s.clock
	}
	if err := s.undisturbed(func() error { return s.calibrate(ctx) }); err != nil {
		return nil, err
	}
	return s, nil
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o SelfOptions) Check() error {
	switch {
	case o.Count < stat.MinCount:
		return fmt.Errorf("count is %d: a comparison needs at least %d samples a side, and 10 to be of use", o.Count, stat.MinCount)
	case o.BenchTime <= 0:
		return fmt.Errorf("time of a sample is %v: it must be positive", o.BenchTime)
	}
	return nil
}

// undisturbed runs something that is timed: on one thread, on one core where that is
// asked for and can be had, and without collections.
func (s *Self) undisturbed(timed func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, unpin, err := s.o.Pin.pinned()
	if err != nil {
		return err
	}
	defer unpin()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return timed()
}

// clock times so many passes of the work and so many iterations of the spin.
func (s *Self) clock(passes, spins int) (time.Duration, error) {
	clock := DefaultClock()
	start := clock.now()
	for range passes {
		if err := s.work.Pass(); err != nil {
			return 0, err
		}
	}
	s.sink += spin(spins)
	return clock.now() - start, nil
}

// spin computes what nobody needs: Marsaglia's xorshift ("Xorshift RNGs", Journal of
// Statistical Software 8, 2003), of which every step waits for the one before, so
// that its time is that of its instructions at the clock that the work has too.
func spin(n int) uint64 {
	x := uint64(88172645463325252)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

// calibrate finds the passes of a sample, and the length of the spin beside them:
// the median of measurements in turns, so that a change of the clock meets both.
func (s *Self) calibrate(ctx context.Context) error {
	var err error
	s.passes, err = calibrate(s.o.BenchTime, func(passes int) (time.Duration, error) { return s.o.Clock(passes, 0) })
	if err != nil {
		return err
	}
	spins, err := calibrate(s.o.BenchTime/4, func(spins int) (time.Duration, error) { return s.o.Clock(0, spins) })
	if err != nil {
		return err
	}
	const rounds = 21
	var lengths []float64
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		work, err := s.o.Clock(s.passes, 0)
		if err != nil {
			return err
		}
		wasted, err := s.o.Clock(0, spins)
		if err != nil {
			return err
		}
		lengths = append(lengths, float64(spins)*float64(max(work, 1))/float64(max(wasted, 1)))
	}
	s.spins = stat.Median(lengths)
	return nil
}

// sample takes one sample, in the unit of the level, with a part of its time wasted
// in addition.
func (s *Self) sample(planted float64) (float64, error) {
	elapsed, err := s.o.Clock(s.passes, int(planted*s.spins+0.5))
	if err != nil {
		return 0, err
	}
	return s.work.perUnit(s.passes, max(elapsed, 1)), nil
}

// Pair takes the samples of pair number k, of which the new side is slowed down by
// the planted part: 0.05 is 5 %. Side by side, each round takes one sample of both,
// in an order drawn anew; otherwise all samples of the old side come first, as when
// two files are compared. The order follows from the seed and k.
func (s *Self) Pair(ctx context.Context, k int, planted float64, sideBySide bool) (stat.Pair, error) {
	var samples [2][]float64
	waste := [2]float64{0, planted}
	err := s.undisturbed(func() error {
		for _, side := range s.order(k, sideBySide) {
			if err := ctx.Err(); err != nil {
				return err
			}
			time, err := s.sample(waste[side])
			if err != nil {
				return err
			}
			samples[side] = append(samples[side], time)
		}
		return nil
	})
	return stat.Pair{Old: samples[0], New: samples[1], Paired: sideBySide, Better: -1}, err
}

// order says which side, 0 or 1, each sample of pair k is of.
func (s *Self) order(k int, sideBySide bool) []int {
	if !sideBySide {
		return slices.Concat(slices.Repeat([]int{0}, s.o.Count), slices.Repeat([]int{1}, s.o.Count))
	}
	rng := rand.New(rand.NewPCG(s.o.Seed, uint64(k)))
	var order []int
	for range s.o.Count {
		first := rng.IntN(2)
		order = append(order, first, 1-first)
	}
	return order
}

// Trial is the experiment of pairs with a planted slowdown, 0 for none, measured side
// by side or one after the other. See [Trials].
func (s *Self) Trial(planted float64, sideBySide bool) Trial {
	how := "one after the other"
	if sideBySide {
		how = "side by side"
	}
	return Trial{
		Name:    fmt.Sprintf("%s %s, %s", s.o.Engine.Name(), s.o.Level, how),
		Planted: planted,
		Source:  func(ctx context.Context, k int) (stat.Pair, error) { return s.Pair(ctx, k, planted, sideBySide) },
	}
}
