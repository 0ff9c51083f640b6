package doctor

import (
	"cmp"
	"context"
	"time"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// SelfOptions say how a subject is measured against itself.
type SelfOptions struct {
	Subject   experiment.Subject
	Name      string          // in the table of trials; "" means that of the subject
	Count     int             // samples of each side of a pair
	BenchTime time.Duration   // that a sample should take
	Seed      uint64          // of the order of measuring
	Pin       *experiment.Pin // core to measure on; nil for none

	// Time times a sample: passes of the work, and behind them so many iterations of a
	// spin. Units are those of the work. Nil means the real clock. Tests put their own
	// here.
	Time func(passes, spins int) (units float64, elapsed time.Duration, err error)
}

// Self measures a subject against itself, which tells what a machine calls a
// difference where there is none, and against itself with a planted slowdown, which
// tells what it overlooks. It serves one goroutine.
type Self struct {
	o      SelfOptions
	passes int
	spins  float64 // iterations of the spin that take as long as the work of a sample
	sink   uint64
}

// NewSelf checks the subject and calibrates: how much work makes a sample, and how long
// the spin is beside it.
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
	err := experiment.Undisturbed(o.Pin, func(experiment.Pinning) error { return s.calibrate(ctx) })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Check says what is wrong with the options, in terms of what a user chose.
func (o SelfOptions) Check() error {
	switch {
	case o.Count < stat.MinCount:
		return config.Fault("options", "Count", "must be at least %d samples a side, and 10 to be of use, got %d", stat.MinCount, o.Count)
	case o.BenchTime <= 0:
		return config.Fault("options", "BenchTime", "must be positive, got %v", o.BenchTime)
	}
	return nil
}

// time times so many passes of the work and so many iterations of the spin.
func (s *Self) time(passes, spins int) (units float64, elapsed time.Duration, err error) {
	clock := experiment.DefaultClock()
	units, elapsed, err = clock.Time(s.o.Subject, passes)
	start := clock.Now()
	s.sink += spin(spins)
	return units, elapsed + clock.Now() - start, err
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
	elapsed := func(passes, spins int) (time.Duration, error) {
		_, elapsed, err := s.o.Time(passes, spins)
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

// sample takes one sample, in the unit of the subject, with a part of its time wasted
// in addition.
func (s *Self) sample(planted float64) (float64, error) {
	units, elapsed, err := s.o.Time(s.passes, int(planted*s.spins+0.5))
	if err != nil {
		return 0, err
	}
	return experiment.PerUnit(elapsed, units, s.o.Subject.Unit()), nil
}

// Pair takes the samples of pair number k, of which the new side is slowed down by
// the planted part: 0.05 is 5 %. Side by side, each round takes one sample of both,
// in an order drawn anew; otherwise all samples of the old side come first, as when
// two files are compared. The order follows from the seed and k.
func (s *Self) Pair(ctx context.Context, k int, planted float64, sideBySide bool) (stat.Pair, error) {
	var samples [2][]float64
	waste := [2]float64{0, planted}
	take := func(side int) error {
		time, err := s.sample(waste[side])
		samples[side] = append(samples[side], time)
		return err
	}
	rounds := experiment.Rounds{To: s.o.Count, Seed: s.o.Seed, Stream: uint64(k)}
	err := experiment.Undisturbed(s.o.Pin, func(experiment.Pinning) error {
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

// Trial is the experiment of pairs with a planted slowdown, 0 for none, measured side
// by side or one after the other. See [compare.Trials].
func (s *Self) Trial(planted float64, sideBySide bool) compare.Trial {
	how := "one after the other"
	if sideBySide {
		how = "side by side"
	}
	return compare.Trial{
		Name:    cmp.Or(s.o.Name, s.o.Subject.Name()) + ", " + how,
		Planted: planted,
		Source:  func(ctx context.Context, k int) (stat.Pair, error) { return s.Pair(ctx, k, planted, sideBySide) },
	}
}
