package ab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// sampled is what one process says of one benchmark.
type sampled struct {
	line      line
	wall      float64       // seconds for each operation, as Go printed it
	processor time.Duration // of the whole process
	elapsed   time.Duration
	queued    time.Duration // ready to run and without a core, where that was watched
}

// errNoFigures says that a benchmark ran and printed nothing that can be read.
var errNoFigures = errors.New("prints no figures of itself")

// sample runs one side of a benchmark once, in a process of its own.
func (r *runner) sample(ctx context.Context, b *benchmark, side, layout, iterations, core int, watch bool) (sampled, error) {
	timeout := 20*b.expected + r.patience()
	out, err := r.startOn(ctx, b.pkg, side, layout, exactly(b.printed), fmt.Sprintf("%dx", iterations), b.procs, timeout, core, watch)
	if err != nil {
		if ctx.Err() != nil {
			return sampled{}, ctx.Err()
		}
		return sampled{}, errors.New(failure(out.out, err))
	}
	for _, l := range procLines(out.out, b.procs) {
		ns, ok := l.figure("ns/op")
		if l.name != b.printed || !ok {
			continue
		}
		return sampled{line: l, wall: ns * 1e-9, processor: out.cpu, elapsed: out.wall, queued: out.queued}, nil
	}
	return sampled{}, errNoFigures
}

// timed is a sample with the times of an operation in seconds, by both clocks.
type timed struct {
	sampled
	cpu float64
}

// sampleBoth runs one side of a benchmark once. Where the processor's clock decides, a
// short run shows first what the process takes beside the iterations. It is measured anew
// in every round: an estimate that all rounds shared would favour one side in all of them,
// and what is the same would look as if it differed.
func (r *runner) sampleBoth(ctx context.Context, b *benchmark, side, layout, core int) (timed, error) {
	setUp, begin := b.setUp, time.Now()
	if b.clock == CPU && b.hasSetUp() {
		short, err := r.sample(ctx, b, side, layout, b.before, core, false)
		if err != nil {
			return timed{}, err
		}
		setUp = short.processor
	}
	s, err := r.sample(ctx, b, side, layout, b.iterations, core, false)
	s.elapsed = time.Since(begin)
	return timed{s, b.perOperation(s.processor, setUp)}, err
}

// hasSetUp reports whether a sample has so many iterations that a short run shows what
// the process takes beside them.
func (b *benchmark) hasSetUp() bool { return b.iterations > b.before }

// perOperation is the processor time of an operation, in seconds. What a run for the
// set-up takes is taken away; see calibrate.
func (b *benchmark) perOperation(cpu, setUp time.Duration) float64 {
	if !b.hasSetUp() {
		return cpu.Seconds() / float64(b.iterations)
	}
	return (cpu - setUp).Seconds() / float64(b.iterations-b.before)
}

// addRows gives a benchmark its rows in the family.
func (r *runner) addRows(b *benchmark) {
	if b.reason != "" {
		return
	}
	limit := r.options.limit(b.name)
	for i := range b.rows {
		b.rows[i] = r.family.Add(false)
		b.rows[i].Limit = limit
	}
}

// measure takes rounds until every benchmark is decided, or there is no time left.
func (r *runner) measure(ctx context.Context) error {
	look := verdict.FirstLook
	for r.report.Rounds = 0; ; {
		open := r.open()
		if len(open) == 0 {
			return nil
		}
		last := r.options.Rounds > 0 && r.report.Rounds >= r.options.Rounds
		if last || time.Now().Add(r.cost(open)/2).After(r.end) {
			return nil
		}
		r.tellRound(open)
		layout, unit := 0, r.report.Rounds
		if r.options.Layouts > 0 {
			layout = r.report.Rounds % r.options.Layouts
			unit = layout
		}
		for _, i := range r.rng.Perm(len(open)) {
			if err := r.measurePair(ctx, open[i], layout, unit); err != nil {
				return err
			}
			if time.Now().After(r.end.Add(r.options.Time / 20)) {
				return nil // what is left of this round would take too long
			}
		}
		r.report.Rounds++
		if r.report.Rounds == look {
			r.family.Look(false)
			look = verdict.NextLook(look)
		}
	}
}

// open lists the benchmarks that need more rounds.
func (r *runner) open() []*benchmark {
	var open []*benchmark
	for _, b := range r.benchmarks {
		if !b.decided() {
			open = append(open, b)
		}
	}
	return open
}

// cost is how long a round is likely to take.
func (r *runner) cost(open []*benchmark) time.Duration {
	var sum time.Duration
	for _, b := range open {
		sum += b.expected
	}
	return sum
}

// tellRound reports how far the run is, and how long it may go on: as many rounds as
// the widest interval needs to become narrow enough.
func (r *runner) tellRound(open []*benchmark) {
	left := time.Until(r.end)
	if rounds := r.report.Rounds; rounds >= verdict.FirstLook {
		most := time.Duration(0)
		for _, b := range open {
			most += b.expected * time.Duration(b.roundsLeft(rounds))
		}
		left = min(left, most)
	}
	r.options.tell(Progress{Doing: "measuring", Round: r.report.Rounds + 1, Rows: len(r.benchmarks),
		Decided: len(r.benchmarks) - len(open), Left: max(0, left)})
}

// roundsLeft is how many rounds a benchmark is likely to need.
func (b *benchmark) roundsLeft(rounds int) int {
	row := b.rows[timeRow]
	width, room := row.Hi-row.Delta, math.Abs(row.Limit-row.Delta)
	ratio := 1.5 * width / max(room, row.Limit/8)
	return int(max(4, min(1000, float64(rounds)*(ratio*ratio-1))))
}

// samplePair runs both sides of a benchmark, one directly after the other on one core; a
// coin says which is first. Now and then an interruption makes a set-up take longer than
// all iterations: such a pair says nothing, of either side, and is taken again.
func (r *runner) samplePair(ctx context.Context, b *benchmark, layout int) (pair [2]timed, err error) {
	const times = 5
	for range times {
		core := r.core(b.procs)
		for _, side := range r.rng.Perm(2) {
			if pair[side], err = r.sampleBoth(ctx, b, side, layout, core); err != nil {
				return pair, fmt.Errorf("it fails on the %s side: %w", sideNames[side], err)
			}
		}
		if b.clock != CPU || pair[oldSide].cpu > 0 && pair[newSide].cpu > 0 {
			return pair, nil
		}
	}
	return pair, errors.New("its set-up takes longer than its iterations")
}

// measurePair adds a round to a benchmark.
func (r *runner) measurePair(ctx context.Context, b *benchmark, layout, unit int) error {
	pair, err := r.samplePair(ctx, b, layout)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		b.reason = err.Error()
		return nil
	}
	b.expected = (4*b.expected + pair[oldSide].elapsed + pair[newSide].elapsed) / 5
	times, others := [2]float64{}, [2]float64{}
	for side, s := range pair {
		times[side], others[side] = s.wall, s.cpu
		if b.clock == CPU {
			times[side], others[side] = s.cpu, s.wall
		}
	}
	if err := b.add(timeRow, times[oldSide], times[newSide], unit); err != nil {
		return nil
	}
	for side, s := range pair {
		b.other[side] = append(b.other[side], others[side])
		b.figures[side] = append(b.figures[side], s.line)
	}
	for i := bytesRow; i <= allocsRow; i++ {
		before, ok := pair[oldSide].line.figure(printedUnits[i])
		after, also := pair[newSide].line.figure(printedUnits[i])
		if ok && also {
			b.add(i, before, after, unit)
		}
	}
	return nil
}

// add adds a round to a row that is not decided. What is no measurement ends the
// benchmark.
func (b *benchmark) add(row int, before, after float64, unit int) error {
	if b.rows[row].Decided() {
		return nil
	}
	err := b.rows[row].AddTo(unit, before, after)
	if err != nil {
		b.reason = err.Error()
	}
	return err
}
