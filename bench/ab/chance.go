package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// A program may draw its path by chance when it starts, such as a hash function or a buffer size: then a slowdown shows in
// some processes only. Rounds and counts begin new processes, but few. So each benchmark also runs shortly in several
// processes of each side.

// The processes of each side: as many as the time allows. A path that one of four takes is in one of eight with a
// probability of 90 %, and in one of sixteen with 99 %.
const (
	fewestStarts = 8
	mostStarts   = 16
)

// startPlan is the work of some processes of a package.
type startPlan struct {
	pkg        *testPackage
	benchmarks []*benchmark
	procs      int
}

// startCosts are the costs of an operation in each process of a side.
type startCosts [2][]float64

// findChances compares the processes of each side, in a part of the time. It keeps why a benchmark must not pass, and the
// time of an operation in short runs.
func findChances(ctx context.Context, j *job, b *builds, benchmarks []*benchmark, v *judges) error {
	span := j.Begin(frame.Processes)
	plans, starts := planStarts(j, benchmarks, span.Length())
	costs := make(map[*benchmark]*startCosts)
	for _, p := range plans {
		for _, k := range p.benchmarks {
			costs[k] = &startCosts{}
		}
	}
	if len(plans) == 0 {
		return nil
	}
	j.Show("comparing processes", len(costs))
	limited, cancel := span.Context(ctx)
	defer cancel()
	for range 2 {
		if err := runStarts(limited, j, b, plans, starts, v, costs); ctx.Err() != nil || err != nil && limited.Err() == nil {
			return cmp.Or(ctx.Err(), err)
		}
		for i := range plans { // what looks like chance runs as often again
			plans[i].benchmarks = slices.DeleteFunc(plans[i].benchmarks, func(b *benchmark) bool {
				v.fileOf(b).chance = costs[b].reason()
				return v.fileOf(b).chance == ""
			})
		}
	}
	return nil
}

// planStarts divides open benchmarks with short operations by packages, and chooses the number of processes for a time.
// The most expensive benchmarks are left out where not even the fewest processes fit.
func planStarts(j *job, benchmarks []*benchmark, budget time.Duration) (plans []startPlan, starts int) {
	rows := slices.DeleteFunc(slices.Clone(benchmarks), func(b *benchmark) bool {
		return !b.isOpen() || b.nth > 0
	})
	slices.SortStableFunc(rows, func(x, y *benchmark) int { return cmp.Compare(startTime(x), startTime(y)) })
	timeOf := func(rows []*benchmark) (sum time.Duration) {
		for _, p := range packagesOf(rows) {
			sum += processTime + p.overhead
		}
		for _, b := range rows {
			sum += startTime(b) * time.Duration(min(b.procs, j.Parallelism()))
		}
		return 2 * sum / time.Duration(j.Parallelism())
	}
	for len(rows) > 0 && fewestStarts*timeOf(rows) > budget {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return nil, 0
	}
	for _, p := range packagesOf(rows) {
		groups := make(map[int][]*benchmark)
		for _, b := range rows {
			if b.pkg == p {
				groups[b.procs] = append(groups[b.procs], b)
			}
		}
		for _, procs := range slices.Sorted(maps.Keys(groups)) {
			plans = append(plans, startPlan{p, groups[procs], procs})
		}
	}
	return plans, min(mostStarts, int(budget/timeOf(rows)))
}

// shortStart is the work of a run in such a process, and startRuns the number of runs, of which the fastest counts.
const (
	shortStart = 500 * time.Microsecond
	startRuns  = 3
)

// startTime is about the time of a benchmark in a process: package testing runs one operation first, finds the number of
// operations by two or three runs, and collects garbage before each.
func startTime(b *benchmark) time.Duration {
	const sizing, collection = 3, 500 * time.Microsecond // runs
	run := max(b.first[frame.Old].run, b.first[frame.New].run)
	return run + (sizing+startRuns)*(max(run, shortStart)+collection)
}

// runStarts runs the plans in a number of processes of each side.
func runStarts(ctx context.Context, j *job, b *builds, plans []startPlan, starts int, v *judges, costs map[*benchmark]*startCosts) error {
	var mutex sync.Mutex
	return b.sides.Each(func(side int) error {
		frame.InParallel(j.Parallelism(), len(plans)*starts, func(i int) {
			p := plans[i%len(plans)]
			if len(p.benchmarks) == 0 {
				return
			}
			ran := p.run(ctx, j, side, i)
			mutex.Lock()
			defer mutex.Unlock()
			for _, s := range ran {
				at := slices.IndexFunc(p.benchmarks, func(b *benchmark) bool { return b.printed == s.name })
				if cost := startCost(&s); at >= 0 && s.nth == 0 && cost > 0 {
					c, f := costs[p.benchmarks[at]], v.fileOf(p.benchmarks[at])
					c[side] = append(c[side], cost)
					each := s.run.Seconds() / float64(s.iterations) / mostUntimed
					if s.wall > 0 && (s.pairs <= 1 || s.wall > each) {
						each = s.wall
					}
					f.operation = min(cmp.Or(f.operation, math.Inf(1)), each)
				}
			}
		})
		return ctx.Err()
	})
}

// startCost is the CPU time of an operation, or where it waits, its time without that in the queue for a core.
func startCost(s *sample) float64 {
	const part = 0.6 // of the time, by which a benchmark keeps its core busy
	if s.cpu >= part*s.wall {
		return s.cpu
	}
	return s.wall - s.queued.Seconds()/float64(s.iterations)
}

// run runs the benchmarks of a plan in a process, by a file of work with a number.
func (p *startPlan) run(ctx context.Context, j *job, side, number int) []sample {
	var names []string
	var work strings.Builder
	for _, b := range p.benchmarks {
		names = append(names, b.printed)
		length := shortStart.String()
		if s := b.first[frame.New]; max(s.pairs, b.first[frame.Old].pairs) > 1 { // untimed sections may take much longer
			length = fmt.Sprintf("%dx", max(1, int(shortStart/max(time.Microsecond, s.run))))
		}
		fmt.Fprintf(&work, "%s %d Benchmark%s\n", length, startRuns, b.printed)
	}
	file := j.Scratch.Path(fmt.Sprint("start", number))
	defer os.Remove(file)
	if os.WriteFile(file, []byte(work.String()), 0o600) != nil {
		return nil
	}
	c := testRun{pkg: p.pkg, side: side, path: p.pkg.binaries[side], core: frame.NoCore, timeout: max(2*time.Second, j.Left()/8),
		env: []string{"UR_AB_WORK=" + file}, args: build.BenchArgs(build.JoinPatterns(names, false), "1x", p.procs)}
	out, _ := c.run(ctx, j) // a failing process has no figures
	return parseSamples(out.Output, p.procs)
}

// reason describes processes of the new side that take a slower path by chance, where their mean shows a large slowdown
// beyond that of most processes and of chance on the old side; "" without any. On a busy machine, and where garbage
// collections are rare, some processes of both sides are slow, so the means must differ by more than the processes of a side do.
func (c *startCosts) reason() string {
	const slow, fewest, many, errors = 1.5, 2, 3, 2 // times the usual cost; processes; standard errors of the difference
	var usual, mean, square [2]float64
	var slower [2][]float64
	for side, costs := range c {
		if len(costs) < fewestStarts {
			return ""
		}
		sorted, n := slices.Sorted(slices.Values(costs)), float64(len(costs))
		usual[side] = sorted[len(sorted)/4]
		for _, x := range costs {
			mean[side] += x / usual[side] / n
			square[side] += x / usual[side] * x / usual[side] / n
			if x > slow*usual[side] {
				slower[side] = append(slower[side], x)
			}
		}
		square[side] = (square[side] - mean[side]*mean[side]) / (n - 1)
	}
	before, after := mean[frame.Old], mean[frame.New]
	isNew := len(slower[frame.New]) >= many && len(slower[frame.Old]) == 0
	isLarger := after > (1+verdict.MustDetect)*before && after-before > errors*math.Sqrt(square[frame.Old]+square[frame.New])
	if len(slower[frame.New]) < fewest || !isNew && !isLarger {
		return ""
	}
	return fmt.Sprintf("chance decides in each process: in %d of %d processes of the new side an operation takes %.2g times as long as usual, in %d of %d of the old side",
		len(slower[frame.New]), len(c[frame.New]), verdict.Median(slower[frame.New])/usual[frame.New], len(slower[frame.Old]), len(c[frame.Old]))
}
