package ab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// grace is how long a sample may run beyond the time of the run.
const grace = 2 * time.Second

// measure measures benchmarks of commits.
func (r *runner) measure(ctx context.Context) error {
	r.plan()
	return r.repeat(ctx, r.end.Add(grace), r.round)
}

// repeat takes rounds until every benchmark is decided or the time is over.
func (r *runner) repeat(ctx context.Context, until time.Time, round func(ctx context.Context, open []*benchmark) error) error {
	limited, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	for time.Now().Before(r.end) {
		open := r.open()
		if len(open) == 0 || r.settled(open) {
			break
		}
		r.tellRound(open)
		err := round(limited, open)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case limited.Err() != nil:
			return nil
		case err != nil:
			return err
		}
		r.family.Look(false)
		r.confirm()
	}
	return nil
}

// settled reports whether further rounds change nothing: each open row needs more of them than
// there is time for, and it would show a large slowdown, or another benchmark is slower anyway.
func (r *runner) settled(open []*benchmark) bool {
	slower := slices.ContainsFunc(r.benchmarks, func(b *benchmark) bool {
		return b.reason == "" && slices.ContainsFunc(b.rows, func(j *judged) bool {
			return j.row.Exact && j.row.Verdict == verdict.Slower || j.slower() && (j.again == nil || j.again.AllWorse(3))
		})
	})
	left := time.Until(r.end)
	return !slices.ContainsFunc(open, func(b *benchmark) bool {
		needed, enough := 0, true
		for _, j := range b.rows {
			if j.open(b.sight) {
				needed = max(needed, j.roundsLeft(b.sight))
				enough = enough && b.sight > 0 && !j.row.Suspect && j.row.Sight <= verdict.Blind
			}
		}
		return len(b.pairs) < verdict.FirstLook || !slower && !enough || b.expected*time.Duration(needed*len(open)) < left
	})
}

// round measures benchmarks once, package after package in random order, with links of this
// round. Those whose iterations are not known yet run on the links of the build.
func (r *runner) round(ctx context.Context, open []*benchmark) error {
	groups := make(map[*Package][2][]*benchmark) // by full
	var order []*Package
	for _, b := range open {
		group, ok := groups[b.pkg]
		if !ok {
			order = append(order, b.pkg)
		}
		if b.full {
			group[1] = append(group[1], b)
		} else {
			group[0] = append(group[0], b)
		}
		groups[b.pkg] = group
	}
	for _, i := range r.rng.Perm(len(order)) {
		p := order[i]
		paths := p.binaries
		for full, benchmarks := range groups[p] {
			if len(benchmarks) == 0 {
				continue
			}
			if full == 1 {
				var err error
				if paths, err = r.renew(ctx, p); err != nil {
					return err
				}
			}
			parts := r.divide(benchmarks)
			for _, k := range r.rng.Perm(len(parts)) {
				if err := r.measurePair(ctx, parts[k], paths, full == 1); err != nil {
					return err
				}
				if time.Now().After(r.end) {
					return nil
				}
			}
		}
	}
	return nil
}

// divide divides benchmarks among processes. They share one when there are too many for a
// process each, or when a process of the package takes long to start.
func (r *runner) divide(benchmarks []*benchmark) [][]*benchmark {
	var parts [][]*benchmark
	type key struct {
		procs    int
		depth    int
		function string
	}
	shared := make(map[key]int)   // part with room left
	work := make(map[key]float64) // of it
	const long = 100 * time.Millisecond
	overhead := benchmarks[0].pkg.overhead
	share := r.share || overhead > long && r.noCPU == ""
	budget := max(processWork, 2*overhead).Seconds()
	for _, b := range benchmarks {
		cost := max(b.cost[oldSide], b.cost[newSide]) * float64(max(1, b.iterations))
		k := key{procs: b.procs, depth: strings.Count(b.printed, "/")}
		switch {
		case b.together:
			k.depth, k.function = 0, topLevel(b.printed)
		case !share || cost > budget/4:
			parts = append(parts, []*benchmark{b})
			continue
		}
		at, ok := shared[k]
		if !ok || work[k] > budget && !b.together {
			at = len(parts)
			parts = append(parts, nil)
			shared[k], work[k] = at, 0
		}
		parts[at] = append(parts[at], b)
		work[k] += max(cost, smallSample.Seconds())
	}
	return parts
}

// measurePair runs both sides of benchmarks, one directly after the other on one core, in
// random order.
func (r *runner) measurePair(ctx context.Context, benchmarks []*benchmark, paths [2]string, counts bool) error {
	core, expected := noCore, time.Duration(0)
	if benchmarks[0].procs <= 1 && len(r.cores) > 0 {
		core = r.cores[r.rng.IntN(len(r.cores))]
	}
	for _, b := range benchmarks {
		expected += b.expected
	}
	timeout := 20*expected + max(10*time.Second, time.Until(r.end)/2)
	var pair [2]map[*benchmark]sample
	var failures [2]error
	for _, side := range r.rng.Perm(2) {
		pair[side], failures[side] = r.perform(ctx, benchmarks, side, paths[side], core, timeout)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, b := range benchmarks {
		before, ok := pair[oldSide][b]
		after, also := pair[newSide][b]
		if ok && also {
			r.take(b, [2]sample{before, after}, counts)
			continue
		}
		side := oldSide
		if ok {
			side = newSide
		}
		const most = 3
		if late := (errTimeout{}); errors.As(failures[side], &late) && b.late < most {
			b.late++ // the machine may have been busy
			continue
		}
		r.failed(b, side, failures[side])
	}
	return nil
}

// failed ends a benchmark without figures. One that had figures when it ran with its siblings
// continues with them.
func (r *runner) failed(b *benchmark, side int, err error) {
	var siblings []*benchmark
	for _, other := range r.benchmarks {
		if other.pkg == b.pkg && other.procs == b.procs && topLevel(other.printed) == topLevel(b.printed) {
			siblings = append(siblings, other)
		}
	}
	if len(siblings) > 1 && !b.together && r.noCPU == "" {
		for _, other := range siblings {
			other.together = true
		}
		return
	}
	b.reason = fmt.Sprintf("fails on the %s side: %v", sideNames[side], cmp.Or(err, errNoFigures))
}

// timeOf returns the work of a sample in the notation of -benchtime. While the iterations are
// unknown, a short run finds them by time. A benchmark with untimed sections is the exception:
// these may take much longer than the timed ones.
func (r *runner) timeOf(b *benchmark) string {
	switch {
	case r.target.iterations > 0:
		return fmt.Sprintf("%dx", r.target.iterations)
	case b.iterations == 0:
		return fmt.Sprint(max(time.Millisecond, r.target.duration/8))
	}
	return fmt.Sprintf("%dx", b.iterations)
}

// shortRun is the time of one of several runs in a sample.
const shortRun = 8 * time.Millisecond

// repeats returns the number of runs in a sample: the fastest counts. CPU times of equal
// work vary with the programs on the other cores and on this one, mostly between a fast and a
// slow state that last longer than a short run. Short runs find the fast state more often. A
// process that takes long to start is used for more of them.
func (r *runner) repeats(b *benchmark) int {
	const most = 250 * time.Millisecond
	switch {
	case r.target.iterations > 0 || r.noCPU != "" || b.parallel || b.iterations == 0 || len(b.evidence) == 0:
		return 1
	case b.clock == Wall || b.clock == "" && r.clockOf(b, b.evidence) == Wall:
		return 1
	case r.share:
		return max(1, int(r.target.duration/shortRun))
	}
	return max(1, int(max(r.target.duration, min(most, b.pkg.overhead))/shortRun))
}

// mostIterations bounds the iterations of an operation that takes no time.
const mostIterations = 1_000_000_000

// resize chooses the iterations of the next sample, by the slower side.
func (r *runner) resize(b *benchmark, pair [2]sample) {
	if r.target.iterations > 0 {
		b.iterations, b.full = r.target.iterations, true
		return
	}
	target := r.target.duration.Seconds()
	if repeats := r.repeats(b); repeats > 1 {
		target = min(target, shortRun.Seconds())
	}
	if b.parallel {
		target *= 2 // goroutines start and end unevenly
	}
	const excluded = 3 // with untimed sections, a sample may take this many times its target
	least, timed := math.MaxInt, 0.0
	bounded := math.Inf(1) // iterations, by the untimed sections
	const patience = 8     // a run may have waited, for a core as well
	long := false
	for side, s := range pair {
		n := s.iterations
		least = min(least, n)
		cost := s.run.Seconds() / float64(n)
		long = long || max(s.busy.Seconds(), s.run.Seconds()/patience) >= target
		if b.clock != Wall && s.busy > 0 {
			cost = max(s.busy.Seconds()/float64(n), cost/patience)
		}
		fixed, each := b.sized[side].fixedCost(n, cost)
		b.sized[side] = sized{n, cost * float64(n)}
		if b.full && b.cost[side] > 0 {
			cost = (3*b.cost[side] + cost) / 4
			fixed, each = 0, cost
		}
		b.cost[side] = cost
		inside := s.wall
		if b.clock != Wall && s.cpu > 0 {
			inside = s.cpu
		}
		timed = max(timed, min(cost, inside))
		bounded = min(bounded, max(target, excluded*target-fixed)/max(each, 1e-12))
	}
	if timed < 0.05e-9 && least >= 1_000_000 {
		b.reason = "an operation takes no time"
		return
	}
	wanted := target / max(timed, 1e-12)
	n := int(max(1, min(mostIterations, wanted, bounded, 100*float64(least))))
	switch {
	case !b.full: // set-up and teardown make the iterations of a short run look expensive
		known := long || bounded > wanted || len(b.evidence) >= mostEvidence
		b.full = known && (b.iterations > 0 && 3*b.iterations >= n || least > 1 && 100*least > n && bounded > wanted)
		b.iterations = n
	case 2*n < b.iterations || n > 2*b.iterations:
		b.iterations = n
	}
}

// sized is a run that served to find the iterations.
type sized struct {
	iterations int
	seconds    float64
}

// fixedCost divides the time of a longer run, given by its iterations and the cost of one, into
// that of its set-up and teardown, and that of an iteration.
func (s sized) fixedCost(iterations int, cost float64) (fixed, each float64) {
	if s.iterations == 0 || iterations < 2*s.iterations {
		return 0, cost
	}
	total := cost * float64(iterations)
	each = max(0, total-s.seconds) / float64(iterations-s.iterations)
	return max(0, total-each*float64(iterations)), each
}

// confirm measures failing rows again.
func (r *runner) confirm() {
	for _, b := range r.benchmarks {
		for _, j := range b.rows {
			if r.options.confirm && b.reason == "" && j.slower() && j.again == nil {
				j.again = r.again.Add(j.row.Higher)
				j.again.Limit = j.row.Limit
			}
		}
	}
}

// tellRound reports how far the run is, and how long it may go on: as many rounds as
// the widest interval needs to become narrow enough.
func (r *runner) tellRound(open []*benchmark) {
	left := time.Until(r.end)
	most, rounds := time.Duration(0), 0
	for _, b := range open {
		rounds = max(rounds, len(b.pairs))
		for _, j := range b.rows {
			if j.open(b.sight) && j.row.Rounds() >= verdict.FirstLook {
				most = max(most, b.expected*time.Duration(j.roundsLeft(b.sight)*len(open)))
			}
		}
	}
	if most > 0 {
		left = min(left, most)
	}
	decided := 0
	for _, b := range r.benchmarks {
		if b.done() {
			decided++
		}
	}
	r.options.show(Progress{Doing: "measuring", Round: rounds + 1, Rows: len(r.benchmarks), Decided: decided, Left: max(0, left)})
}

// roundsLeft is how many rounds a row is likely to need: until its interval leaves out the limit,
// or until it has a sight.
func (j *judged) roundsLeft(sight float64) int {
	row := j.row
	ratio := row.Sight / max(sight, row.Limit)
	if sight == 0 || row.Suspect {
		width, room := row.Hi-row.Delta, math.Abs(row.Limit-row.Delta)
		ratio = 1.5 * width / max(room, row.Limit/8)
	}
	if math.IsInf(ratio, 0) || math.IsNaN(ratio) {
		return 1000
	}
	return int(max(4, min(1000, float64(row.Rounds())*(ratio*ratio-1))))
}
