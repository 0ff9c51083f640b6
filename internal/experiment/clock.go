package experiment

import (
	"context"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/bench/stat"
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

// ParseClock returns the clock of a name.
func ParseClock(name string) (Clock, error) {
	switch clock := Clock(name); {
	case clock != CPUClock && clock != WallClock:
		return "", fmt.Errorf("unknown clock %q (want %s or %s)", name, CPUClock, WallClock)
	case clock == CPUClock && DefaultClock() != CPUClock:
		return "", fmt.Errorf("this system has no exact clock of processor time (want %s)", WallClock)
	default:
		return clock, nil
	}
}

// started is when the process was, for [Clock.Now].
var started = time.Now()

// Now is a time of the clock: only differences mean something.
func (c Clock) Now() time.Duration {
	if c == CPUClock {
		if now, ok := processTime(); ok {
			return now
		}
	}
	return time.Since(started)
}

// Time does passes of a subject, and returns how many units of work they were. It ends between
// two passes with the error of ctx: a long sample must not outlive an interruption.
func (c Clock) Time(ctx context.Context, s Subject, passes int) (units float64, elapsed time.Duration, err error) {
	start := c.Now()
	for range passes {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		n, err := s.Pass()
		if err != nil {
			return 0, 0, err
		}
		units += n
	}
	return units, c.Now() - start, nil
}

// others is the part of a wall-clock time not spent on this process: the share other programs
// took of its core. It is meaningful for CPUClock only.
func others(work, wall time.Duration) float64 {
	if wall <= 0 || work >= wall {
		return 0
	}
	return stat.Significant(1 - float64(work)/float64(wall))
}
