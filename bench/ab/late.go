package ab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// isTimeout reports whether a run took too long.
func isTimeout(err error) bool {
	_, ok := errors.AsType[errTimeout](err)
	return ok
}

// leastFactor is how many times longer than on the old side an iteration must take to be called slower
// before it ends.
const leastFactor = 20

// confirmLate runs benchmarks that took too long once more on each side, one at a time, and gives the new
// side [leastFactor] times the time of the old side's process, as far as the time allows. A benchmark that
// does not end then is slower: its sample is censored.
func confirmLate(ctx context.Context, j *job, b *builds, late []*benchmark, end time.Time) error {
	const least, most = time.Second, 10 * time.Second
	for i, k := range late {
		left := time.Until(end) / time.Duration(min(4, len(late)-i))
		if k.state == stateNotJudged || left < least/4 {
			k.abandon(verdict.NotJudged, "no time to run it by itself: its run with others takes longer than the time allows")
			continue
		}
		j.show(Progress{Phase: "running " + k.name + " once more"})
		var walls [2]time.Duration
		var errs [2]error
		for side := range walls {
			if err := b.sides.place(side); err != nil {
				return err
			}
			timeout := min(most, left/3)
			if side == newSide && errs[oldSide] == nil {
				timeout = max(least, min(most, left, leastFactor*walls[oldSide]))
			}
			run := testRun{pkg: k.pkg, side: side, path: k.pkg.binaries[side], core: noCore, timeout: timeout,
				args: benchArgs(joinPatterns([]string{k.printed}, false), "1x", k.procs)}
			out, err := run.run(ctx, j)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				err = failureOf(out.out, err)
			}
			walls[side], errs[side] = out.wall, err
			for _, s := range parseSamples(out.out, k.procs) {
				if s.name == k.printed {
					k.first[side] = s
				}
			}
		}
		switch {
		case errs[oldSide] == nil && errs[newSide] == nil:
		case errs[oldSide] != nil && errs[newSide] == nil: // as if the old side did not have it
			k.repaired = true
			k.abandon(verdict.NotJudged, fmt.Sprintf("an iteration with its set-up %v on the old side", errs[oldSide]))
		case errs[oldSide] != nil:
			k.abandon(verdict.NotJudged, fmt.Sprintf("an iteration with its set-up %v on both sides", errs[newSide]))
		case !isTimeout(errs[newSide]):
			k.abandon(verdict.NotJudged, "fails on the new side: "+errs[newSide].Error())
		case walls[newSide] >= leastFactor/2*walls[oldSide]:
			k.first[oldSide].run, k.atLeast = walls[oldSide], walls[newSide].Seconds()
		default:
			k.abandon(verdict.NotJudged, fmt.Sprintf("an iteration with its set-up %v on the new side", errs[newSide]))
		}
	}
	return nil
}
