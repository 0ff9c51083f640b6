package doctor

import (
	"context"
	"errors"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/bench/stat"
)

// Command measures a command against itself by two clocks at once, for [Against]: a run is
// a sample. It serves one goroutine.
type Command struct {
	Count int             // runs of each side of a pair
	Seed  uint64          // of the order of measuring
	Pin   *experiment.Pin // core to measure on; nil for none

	// Time runs the command and returns its CPU time and wall-clock time:
	// [experiment.Command.Time].
	Time func(ctx context.Context) (cpu, wall time.Duration, err error)

	wall map[bool]stat.Pair // of the last pairs, by whether they were side by side
}

// Pair takes pair number k by the processors' clock. Nothing can be planted in a command.
func (c *Command) Pair(ctx context.Context, k int, planted float64, sideBySide bool) (stat.Pair, error) {
	if planted != 0 {
		return stat.Pair{}, errors.New("no slowdown can be planted in a command")
	}
	var cpu, wall [2][]float64
	take := func(side int) error {
		byCPU, byWall, err := c.Time(ctx)
		cpu[side] = append(cpu[side], max(byCPU, time.Microsecond).Seconds()) // time possibly missing from rusage
		wall[side] = append(wall[side], byWall.Seconds())
		return err
	}
	rounds := experiment.Rounds{To: c.Count, Seed: c.Seed, Stream: uint64(k)}
	err := experiment.Pinned(c.Pin, func(experiment.Pinning) error {
		if sideBySide {
			return rounds.Take(ctx, 2, take, nil)
		}
		for side := range cpu {
			if err := rounds.Take(ctx, 1, func(int) error { return take(side) }, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if c.wall == nil {
		c.wall = make(map[bool]stat.Pair)
	}
	c.wall[sideBySide] = stat.Pair{Old: wall[0], New: wall[1], Paired: sideBySide, Better: -1}
	return stat.Pair{Old: cpu[0], New: cpu[1], Paired: sideBySide, Better: -1}, err
}

// Wall is the last pair by the clock on the wall: the same runs.
func (c *Command) Wall(sideBySide bool) stat.Pair { return c.wall[sideBySide] }
