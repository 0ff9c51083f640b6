package sample

import (
	"context"
	"time"
)

// Clock is the clock that times samples.
type Clock string

const (
	// CPUClock counts the CPU time of this process, on all its threads. On a quiet machine it
	// equals wall-clock time, since engines never wait. On a busy machine it leaves out the
	// time of other processes, the largest source of noise in a measurement.
	CPUClock Clock = "cpu"

	// WallClock is wall-clock time.
	WallClock Clock = "wall"
)

// DefaultClock is [CPUClock] where the operating system has an exact one, and otherwise
// [WallClock].
func DefaultClock() Clock {
	if _, ok := processTime(); ok {
		return CPUClock
	}
	return WallClock
}

// started is the process's start.
var started = time.Now()

// now is a time of the clock: only differences mean something.
func (c Clock) now() time.Duration {
	if now, ok := processTime(); ok && c == CPUClock {
		return now
	}
	return time.Since(started)
}

// time does passes, and returns how many units of work they were. It ends between two passes with
// the error of ctx: a long sample must not outlive an interruption.
func (c Clock) time(ctx context.Context, pass func() (float64, error), passes int) (
	units float64, elapsed time.Duration, err error) {
	start := c.now()
	for range passes {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		n, err := pass()
		if err != nil {
			return 0, 0, err
		}
		units += n
	}
	return units, c.now() - start, nil
}
