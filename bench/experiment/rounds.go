package experiment

import (
	"context"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"
)

// Undisturbed runs something that is timed: on one thread, on one core where that is
// asked for and can be had, and without collections while it runs. The error is that of
// timed, or a [*PinError].
func Undisturbed(pin *Pin, timed func(Pinning) error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pinning, unpin, err := pin.pinned()
	if err != nil {
		return err
	}
	defer unpin()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return timed(pinning)
}

// Calibrate returns how many passes take about the target time. It lengthens its trials
// until one takes half of that, which warms everything up as well.
func Calibrate(target time.Duration, clock func(passes int) (time.Duration, error)) (passes int, err error) {
	const most = 1 << 30
	for passes = 1; passes < most; {
		elapsed, err := clock(passes)
		if err != nil {
			return 0, err
		}
		factor := float64(target) / float64(max(elapsed, 1))
		if elapsed >= target/2 {
			return max(1, int(float64(passes)*factor+0.5)), nil
		}
		passes = int(float64(passes) * min(factor, 100))
	}
	return most, nil
}

// Rounds is the order in which samples are taken: round by round, and in each round all
// that take part once, in an order drawn anew. The order of a round follows from the
// seed, whether or not the rounds before it are of this process.
type Rounds struct {
	From, To int    // the first round, and the one behind the last
	Seed     uint64 // of the order
	Stream   uint64 // of several experiments with one seed
}

// Take takes the rounds of n participants. Before each it collects garbage, and after
// each it calls ended, which may end the experiment: more is false. When ctx ends, a
// sample fails or ended has an error, Take returns that.
func (r Rounds) Take(ctx context.Context, n int, sample func(i int) error, ended func(round int) (more bool, err error)) error {
	order := rand.New(rand.NewPCG(r.Seed, r.Stream))
	for range r.From {
		order.Perm(n)
	}
	for round := r.From; round < r.To; round++ {
		runtime.GC()
		for _, i := range order.Perm(n) {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := sample(i); err != nil {
				return err
			}
		}
		if ended == nil {
			continue
		}
		if more, err := ended(round); err != nil || !more {
			return err
		}
	}
	return nil
}
