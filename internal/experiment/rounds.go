package experiment

import (
	"context"
	"iter"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"time"
)

// Pinned runs a timed function on one locked thread, pinned to a core if requested and
// possible, and without garbage collections. The error is that of timed, or a [*PinError].
func Pinned(pin *Pin, timed func(Pinning) error) error {
	pinning, release, err := isolate(pin)
	if err != nil {
		return err
	}
	defer release()
	return timed(pinning)
}

// isolate locks and pins the calling goroutine and keeps the collector away until
// release.
func isolate(pin *Pin) (pinning Pinning, release func(), err error) {
	runtime.LockOSThread()
	pinning, unpin, err := pin.pinned()
	if err != nil {
		runtime.UnlockOSThread()
		return pinning, nil, err
	}
	runtime.GC()
	percent := debug.SetGCPercent(-1)
	return pinning, func() {
		debug.SetGCPercent(percent)
		unpin()
		runtime.UnlockOSThread()
	}, nil
}

// Calibrate returns the number of passes that take about the target time. It lengthens its
// trials until one takes half of that. This warms everything up as well.
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

// Rounds is the order of samples: round by round, and in each round every participant once, in
// a newly drawn order. The order of a round follows from the seed, whether or not this process
// took the earlier rounds.
type Rounds struct {
	From, To int    // the first round, and the one behind the last
	Seed     uint64 // of the order
	Stream   uint64 // of several experiments with one seed
}

// orders returns the rounds, each with the order of n participants. Before each round
// it collects garbage.
func (r Rounds) orders(n int) iter.Seq2[int, []int] {
	return func(yield func(int, []int) bool) {
		order := rand.New(rand.NewPCG(r.Seed, r.Stream))
		for range r.From {
			order.Perm(n)
		}
		for round := r.From; round < r.To; round++ {
			runtime.GC()
			if !yield(round, order.Perm(n)) {
				return
			}
		}
	}
}

// Take takes the rounds of n participants, and after each calls ended, which may end the
// experiment: more is false. Take returns the error of ctx, of a sample or of ended.
func (r Rounds) Take(ctx context.Context, n int, sample func(i int) error, ended func(round int) (more bool, err error)) error {
	for round, order := range r.orders(n) {
		for _, i := range order {
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
