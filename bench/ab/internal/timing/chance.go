package timing

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// mostStarts is the most processes of each side, if the time allows: a path that one of four takes is in three of them
// with a probability of 96 %.
const mostStarts = 24

// startPlan has benchmarks that share processes: those of a package with a value of GOMAXPROCS.
type startPlan []*listing.Benchmark

// FindChances runs benchmarks shortly in several processes of each side, in a part of the time. It keeps the costs of an
// operation there, since rounds and counts may begin too few processes to show what chance decides in each.
func (t *Timer) FindChances(ctx context.Context, benchmarks []*listing.Benchmark) error {
	span, v := t.Begin(frame.Processes), t.Judges
	plans, starts := planStarts(v.Open(benchmarks), t.Parallelism(), span.Length())
	s := startSampler{Timer: t, starts: starts, costs: make(map[*listing.Benchmark]*judge.Processes)}
	for _, p := range plans {
		for _, k := range p {
			s.costs[k] = &judge.Processes{}
		}
	}
	if len(plans) == 0 {
		return nil
	}
	t.Show("comparing processes", len(s.costs))
	limited, cancel := span.Context(ctx)
	defer cancel()
	for range 2 {
		if err := s.run(limited, plans, span.End); ctx.Err() != nil || err != nil && limited.Err() == nil {
			return cmp.Or(ctx.Err(), err)
		}
		for i := range plans { // what looks like chance runs as often again
			plans[i] = slices.DeleteFunc(plans[i], func(b *listing.Benchmark) bool {
				v.Of(b).Starts = *s.costs[b]
				return s.costs[b].Chance() == ""
			})
		}
	}
	return nil
}

// planStarts divides open benchmarks with short operations by packages, and chooses the number of processes for a time.
// The most expensive benchmarks are left out where not even the fewest processes fit.
func planStarts(open []*listing.Benchmark, parallelism int, budget time.Duration) (plans []startPlan, starts int) {
	rows := slices.DeleteFunc(slices.Clone(open), func(b *listing.Benchmark) bool { return b.Nth > 0 })
	slices.SortStableFunc(rows, func(x, y *listing.Benchmark) int { return cmp.Compare(startTime(x), startTime(y)) })
	timeOf := func(rows []*listing.Benchmark) (sum time.Duration) {
		for _, p := range PackagesOf(rows) {
			sum += listing.ProcessTime + p.Overhead
		}
		for _, b := range rows {
			sum += startTime(b) * time.Duration(min(b.Procs, parallelism))
		}
		return 2 * sum / time.Duration(parallelism)
	}
	for len(rows) > 0 && judge.FewestProcesses*timeOf(rows) > budget {
		rows = rows[:len(rows)-1]
	}
	if len(rows) == 0 {
		return nil, 0
	}
	type process struct {
		pkg   *listing.Package
		procs int
	}
	for _, group := range text.Groups(rows, func(b *listing.Benchmark) process { return process{b.Pkg, b.Procs} }) {
		plans = append(plans, group)
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
func startTime(b *listing.Benchmark) time.Duration {
	const sizing, collection = 3, 500 * time.Microsecond // runs
	run := max(b.First[frame.Old].Run, b.First[frame.New].Run)
	return run + (sizing+startRuns)*(max(run, shortStart)+collection)
}

// startSampler runs benchmarks shortly in a number of processes of each side.
type startSampler struct {
	*Timer
	starts int // processes of each side
	costs  map[*listing.Benchmark]*judge.Processes
}

// run runs the plans, until a time if that suffices for the fewest processes. The sides take turns: other work on the
// machine would slow one down alone.
func (t *startSampler) run(ctx context.Context, plans []startPlan, end time.Time) error {
	const turn = judge.FewestProcesses / 2
	for begun := 0; begun < t.starts && (begun < judge.FewestProcesses || time.Now().Before(end)); begun += turn {
		err := t.Sides.Each(func(side int) error {
			t.runSide(ctx, plans, side, min(turn, t.starts-begun))
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// runSide runs the plans in some processes of a side.
func (t *startSampler) runSide(ctx context.Context, plans []startPlan, side, processes int) {
	var mutex sync.Mutex
	frame.InParallel(t.Parallelism(), len(plans)*processes, func(i int) {
		p := plans[i%len(plans)]
		if len(p) == 0 {
			return
		}
		ran := t.runPlan(ctx, p, side, i)
		mutex.Lock()
		defer mutex.Unlock()
		for _, s := range ran {
			at := slices.IndexFunc(p, func(b *listing.Benchmark) bool { return b.Printed == s.Name })
			if cost := judge.CostOf(&s); at >= 0 && s.Nth == 0 && cost > 0 {
				c, f := t.costs[p[at]], t.Judges.Of(p[at])
				c[side] = append(c[side], cost)
				each := s.Run.Seconds() / float64(s.Iterations) / mostUntimed
				if s.Wall > 0 && (s.Pairs <= 1 || s.Wall > each) {
					each = s.Wall
				}
				f.Operation = min(cmp.Or(f.Operation, math.Inf(1)), each)
			}
		}
	})
}

// runPlan runs the benchmarks of a plan in a process, by a file of work with a number.
func (t *startSampler) runPlan(ctx context.Context, p startPlan, side, number int) []listing.Sample {
	var names []string
	var work strings.Builder
	for _, b := range p {
		names = append(names, b.Printed)
		length := shortStart.String()
		if s := b.First[frame.New]; max(s.Pairs, b.First[frame.Old].Pairs) > 1 { // untimed sections may take much longer
			length = fmt.Sprintf("%dx", max(1, int(shortStart/max(time.Microsecond, s.Run))))
		}
		fmt.Fprintf(&work, "%s %d Benchmark%s\n", length, startRuns, b.Printed)
	}
	file := t.Scratch.Path(fmt.Sprint("start", number))
	defer os.Remove(file)
	if os.WriteFile(file, []byte(work.String()), 0o600) != nil {
		return nil
	}
	c := build.TestRun{Pkg: p[0].Pkg.TestPackage, Side: side, Core: frame.NoCore,
		Timeout: max(2*time.Second, t.Left()/8), Env: []string{"UR_AB_WORK=" + file}, Args: build.BenchArgs(build.JoinPatterns(names, false), "1x", p[0].Procs)}
	out, _ := t.RunTest(ctx, c) // a failing process has no figures
	return listing.ParseSamples(out.Output, p[0].Procs)
}
