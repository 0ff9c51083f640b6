package trials

import (
	"cmp"
	"context"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// SelfOptions control how a subject is measured against itself.
type SelfOptions struct {
	Subject   experiment.Subject
	Name      string          // in the table of trials (default the subject's)
	Count     int             // samples of each side of a pair
	BenchTime time.Duration   // of a sample
	Seed      uint64          // of the order of measuring
	Pin       *experiment.Pin // core to measure on; nil for none

	// Time times a sample: passes of the work, followed by iterations of a spin. It
	// returns the units of work done. Nil means the real clock; tests replace it.
	Time func(ctx context.Context, passes, spins int) (units float64, elapsed time.Duration, err error)
}

// Self measures a subject against itself, with or without a planted slowdown of one
// side. It serves one goroutine.
type Self struct {
	o      SelfOptions
	passes int
	spins  float64 // iterations of the spin that last as long as the work of a sample
	sink   uint64
}

// NewSelf checks the subject, and calibrates the work of a sample and the spin.
func NewSelf(ctx context.Context, o SelfOptions) (*Self, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	if err := o.Subject.Check(); err != nil {
		return nil, err
	}
	s := &Self{o: o}
	if o.Time == nil {
		s.o.Time = s.time
	}
	err := experiment.Pinned(o.Pin, func(experiment.Pinning) error { return s.calibrate(ctx) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Check reports the first invalid option.
func (o SelfOptions) Check() error {
	switch {
	case o.Count < stat.MinCount:
		return config.Fault("options", "Count", "invalid number of samples %d (want at least %d)", o.Count, stat.MinCount)
	case o.BenchTime <= 0:
		return config.Fault("options", "BenchTime", "invalid time %v (want a positive one)", o.BenchTime)
	}
	return nil
}

// time times passes of the work and iterations of the spin.
func (s *Self) time(ctx context.Context, passes, spins int) (units float64, elapsed time.Duration, err error) {
	clock := experiment.DefaultClock()
	units, elapsed, err = clock.Time(ctx, s.o.Subject, passes)
	start := clock.Now()
	s.sink += spin(ctx, spins)
	return units, elapsed + clock.Now() - start, err
}

// spin wastes time with Marsaglia's xorshift ("Xorshift RNGs", Journal of Statistical Software
// 8, 2003). Each step depends on the one before, so its time scales with the clock rate, as the
// time of the work does. It ends early with ctx.
func spin(ctx context.Context, n int) uint64 {
	const most = 1 << 20 // about a millisecond
	x := uint64(88172645463325252)
	for ; n > 0 && ctx.Err() == nil; n -= most {
		for range min(n, most) {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
		}
	}
	return x
}

// calibrate finds the passes of a sample and the length of an equally long spin. It takes the
// median of alternating measurements, so a change of the clock rate affects both.
func (s *Self) calibrate(ctx context.Context) error {
	elapsed := func(passes, spins int) (time.Duration, error) {
		_, elapsed, err := s.o.Time(ctx, passes, spins)
		return max(elapsed, 1), err
	}
	var err error
	s.passes, err = experiment.Calibrate(s.o.BenchTime, func(n int) (time.Duration, error) { return elapsed(n, 0) })
	if err != nil {
		return err
	}
	spins, err := experiment.Calibrate(s.o.BenchTime/4, func(n int) (time.Duration, error) { return elapsed(0, n) })
	if err != nil {
		return err
	}
	const rounds = 21
	var lengths []float64
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		work, err := elapsed(s.passes, 0)
		if err != nil {
			return err
		}
		wasted, err := elapsed(0, spins)
		if err != nil {
			return err
		}
		lengths = append(lengths, float64(spins)*float64(work)/float64(wasted))
	}
	s.spins = stat.Median(lengths)
	return nil
}

// sample takes one sample, in the unit of the subject, lengthened by the planted part.
func (s *Self) sample(ctx context.Context, planted float64) (float64, error) {
	units, elapsed, err := s.o.Time(ctx, s.passes, int(planted*s.spins+0.5))
	if err != nil {
		return 0, err
	}
	return experiment.PerUnit(elapsed, units, s.o.Subject.Unit()), nil
}

// Pair takes the samples of pair k, whose new side is slowed down by the planted part:
// 0.05 is 5 %. Side by side, each round takes one sample of both in random order;
// otherwise all samples of the old side come first, as when two files are compared. The
// seed and k determine the order.
func (s *Self) Pair(ctx context.Context, k int, planted float64, sideBySide bool) (stat.Pair, error) {
	var samples [2][]float64
	waste := [2]float64{0, planted}
	take := func(side int) error {
		time, err := s.sample(ctx, waste[side])
		samples[side] = append(samples[side], time)
		return err
	}
	rounds := experiment.Rounds{To: s.o.Count, Seed: s.o.Seed, Stream: uint64(k)}
	err := experiment.Pinned(s.o.Pin, func(experiment.Pinning) error {
		if sideBySide {
			return rounds.Take(ctx, 2, take, nil)
		}
		for side := range samples {
			if err := rounds.Take(ctx, 1, func(int) error { return take(side) }, nil); err != nil {
				return err
			}
		}
		return nil
	})
	return stat.Pair{Old: samples[0], New: samples[1], Paired: sideBySide, Better: -1}, err
}

// Gate returns the experiment on pairs with a planted slowdown, 0 for none, measured side
// by side or one after the other.
func (s *Self) Gate(planted float64, sideBySide bool) Gate {
	how := "one after the other"
	if sideBySide {
		how = "side by side"
	}
	return Gate{
		Name:    cmp.Or(s.o.Name, s.o.Subject.Name()) + ", " + how,
		Planted: planted,
		Pair:    func(ctx context.Context, k int) (stat.Pair, error) { return s.Pair(ctx, k, planted, sideBySide) },
	}
}
