// Package timing measures times. Builds, a listing, and a table of judges go in; traps, late runs, short processes, long
// runs and rounds take samples of its benchmarks, and give them to the judges. What comes out are listings: without the
// benchmarks that do not execute the change, and with the samples of those that took too long among others.
package timing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/judge"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// Sampler measures times by processes in turns. In a sample, each benchmark runs once on each side, one
// side directly after the other on one core, in random order.
type Sampler struct {
	*build.Links
	lanes int // processes at once
	sizer

	Judges *judge.Table
	isLong bool // takes long runs, by the binaries of the build
	atOnce sidesAtOnce
}

// NewSampler returns a sampler with a plan's work.
func NewSampler(links *build.Links, p Plan, v *judge.Table) *Sampler {
	t := &Sampler{Links: links, lanes: p.Lanes,
		sizer: sizer{Work: p.Work, Share: p.Share, hasCPU: links.CPUClock != report.NoClock,
			Sizes: make(map[*listing.Benchmark]*sizing)}, Judges: v}
	for _, k := range p.Benchmarks {
		t.Sizes[k] = newSizing(k, p.Work)
	}
	return t
}

// Sample implements [judge.Sampler]. Packages take turns in random order, with links of their own. A
// benchmark whose iterations are not known yet runs on the links of the build, without a result.
func (t *Sampler) Sample(ctx context.Context, benchmarks []*listing.Benchmark) (taken []judge.Pair, err error) {
	type part struct {
		pkg  *listing.Package
		full bool
	}
	groups := make(map[part][]*listing.Benchmark)
	for _, b := range benchmarks {
		if f := t.Judges.Of(b); f.RepeatsLong && t.Sizes[b].long == 0 {
			t.repeatLongRuns(b)
		}
		k := part{b.Pkg, t.Sizes[b].Full}
		groups[k] = append(groups[k], b)
	}
	packages := PackagesOf(benchmarks)
	for _, i := range t.Rand.Perm(len(packages)) {
		p := packages[i]
		for _, full := range []bool{false, true} {
			group, paths := groups[part{p, full}], p.Binaries
			if len(group) == 0 {
				continue
			}
			if full && !t.isLong {
				if paths, err = t.Take(ctx, p.TestPackage); err != nil {
					return taken, err
				}
			}
			batches := t.batch(t.Divide(group))
			for _, k := range t.Rand.Perm(len(batches)) {
				pairs, err := t.measurePairs(ctx, batches[k], paths, full)
				taken = append(taken, pairs...)
				if err != nil || t.Left() == 0 {
					return taken, err
				}
			}
		}
	}
	return taken, nil
}

// PartRun is a run of some benchmarks in a process for each side.
type PartRun struct {
	Benchmarks   []*listing.Benchmark
	WithSiblings bool // with the siblings that they need
	Core         int
	Timeout      time.Duration
	AtOnce       bool // both sides run at the same time
	Samples      [2]map[*listing.Benchmark]listing.Sample
	Failures     [2]error
}

// measurePairs runs both sides of parts, one directly after the other on one core, in random order. Each part has a
// core of its own, and the same neighbours on both sides.
func (t *Sampler) measurePairs(ctx context.Context, parts [][]*listing.Benchmark, paths [2]string,
	counts bool) (taken []judge.Pair, err error) {
	runs := make([]*PartRun, len(parts))
	order := t.Rand.Perm(len(t.Cores))
	for i, benchmarks := range parts {
		runs[i] = &PartRun{Benchmarks: benchmarks, WithSiblings: t.Sizes[benchmarks[0]].WithSiblings, Core: frame.NoCore,
			Timeout: 20*time.Duration(len(parts))*t.Judges.TimeOfRound(benchmarks) + max(10*time.Second, t.Left()/2)}
		if t.isLong {
			runs[i].Timeout = time.Second
			for _, b := range benchmarks {
				runs[i].Timeout += 2 * longRunTime(b, t.Work.Duration)
			}
		}
		if benchmarks[0].Procs <= 1 && i < len(order) {
			runs[i].Core = t.Cores[order[i]]
		}
	}
	beside := len(runs)
	if t.mayRunAtOnce(runs) {
		beside *= 2
		t.runAtOnce(ctx, runs, paths)
	} else {
		t.runInTurns(ctx, runs, paths)
	}
	if ctx.Err() != nil {
		return taken, ctx.Err()
	}
	for _, r := range runs {
		taken = append(taken, t.TakePairs(r, beside, counts)...)
	}
	return taken, nil
}

// runInTurns runs the sides of parts one after the other, each part on a core.
func (t *Sampler) runInTurns(ctx context.Context, runs []*PartRun, paths [2]string) {
	for _, side := range t.Rand.Perm(2) {
		err := t.Sides.Use(side)
		frame.InParallel(len(runs), len(runs), func(i int) {
			if runs[i].Failures[side] = err; err == nil {
				runs[i].Samples[side], runs[i].Failures[side] = t.RunSide(ctx, runs[i], side, paths[side], nil)
			}
		})
		if ctx.Err() != nil {
			return
		}
	}
}

// TakePairs returns the complete samples of a run beside others.
func (t *Sampler) TakePairs(r *PartRun, beside int, counts bool) (taken []judge.Pair) {
	for _, b := range r.Benchmarks {
		before, ok := r.Samples[frame.Old][b]
		after, also := r.Samples[frame.New][b]
		if ok && also {
			before.Elapsed, after.Elapsed = before.Elapsed/time.Duration(beside), after.Elapsed/time.Duration(beside)
			if r.AtOnce && !t.takeAtOnce(b, &before, &after) {
				continue
			}
			if p, complete := t.learn(b, [2]listing.Sample{before, after}, counts); complete {
				p.AtOnce = r.AtOnce
				taken = append(taken, p)
			}
			continue
		}
		side := frame.Old
		if ok {
			side = frame.New
		}
		const most = 3
		switch late := (frame.TimeoutError{}); {
		case errors.As(r.Failures[side], &late) && t.Sizes[b].late < most:
			t.Sizes[b].late++ // the machine may have been busy
			if t.isLong {
				t.Sizes[b].iterations, t.Sizes[b].each = 0, 0 // operations become slower: package testing finds their number
			}
		case !t.Judges.Of(b).Alone && (beside > 1 || len(r.Benchmarks) > 1):
			t.Judges.Of(b).Alone = true // another process may have had its files, or another benchmark may have ended this process
		default:
			t.giveUp(b, r)
		}
	}
	return taken
}

// giveUp ends a benchmark without figures. One that had figures when it ran with its siblings continues with them.
func (t *Sampler) giveUp(b *listing.Benchmark, r *PartRun) {
	var siblings []*sizing
	for other, z := range t.Sizes {
		if other.Pkg == b.Pkg && other.Procs == b.Procs && listing.TopLevel(other.Printed) == listing.TopLevel(b.Printed) {
			siblings = append(siblings, z)
		}
	}
	if len(siblings) > 1 && !r.WithSiblings && t.hasCPU {
		for _, z := range siblings {
			z.WithSiblings = true
		}
		return
	}
	_, hasOld := r.Samples[frame.Old][b]
	_, hasNew := r.Samples[frame.New][b]
	where, err := "both sides", cmp.Or(r.Failures[frame.New], r.Failures[frame.Old], listing.ErrNoFigures)
	if err == listing.ErrSkips {
		err = cmp.Or(r.Failures[frame.Old], listing.ErrNoFigures) // of both only where both skip
	}
	switch {
	case hasOld:
		where, err = "the new side", cmp.Or(r.Failures[frame.New], listing.ErrNoFigures)
	case hasNew:
		where, err = "the old side", cmp.Or(r.Failures[frame.Old], listing.ErrNoFigures)
		t.Judges.Of(b).Repaired = !frame.IsTimeout(err)
	}
	reason := fmt.Sprintf(frame.FailsOn, where, err)
	if err == listing.ErrSkips {
		reason = fmt.Sprintf(frame.SkipsOn, where)
	}
	t.Judges.Of(b).Abandon(reason)
}

// RunSide runs benchmarks of a package in one process. The overlay reads the work of each from a file:
// its iterations or time, in the notation of -benchtime, and its runs: the fastest counts. It calls started, if that is not
// nil, when the side's folder may move.
func (t *Sampler) RunSide(ctx context.Context, r *PartRun, side int, path string, started func()) (map[*listing.Benchmark]listing.Sample, error) {
	benchmarks := r.Benchmarks
	first, benchTime := benchmarks[0], "1x"
	if len(benchmarks) == 1 && !r.WithSiblings {
		benchTime = t.Sizes[first].benchTime(t.Work) // where there is no overlay
	}
	var names []string
	var list strings.Builder
	for _, b := range benchmarks {
		names = append(names, b.Printed)
		others := strings.Repeat("1x 1 Benchmark"+b.Printed+"\n", b.Nth) // benchmarks of this name before it
		fmt.Fprintf(&list, "%s%s %d Benchmark%s\n", others, t.Sizes[b].benchTime(t.Work), t.repeats(b), b.Printed)
		if t.hasNamesake(b) {
			fmt.Fprintf(&list, "1x 1 Benchmark%s\n", b.Printed)
		}
	}
	file := t.Scratch.Path(fmt.Sprintf("work-%d-%d", r.Core, side))
	if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
		return nil, err
	}
	core, env := t.Pin(r.Core)
	if t.isLong {
		env = append(env, "UR_AB_CLEANUP=1")
	}
	c := build.TestRun{Pkg: first.Pkg.TestPackage, Side: side, Path: path, Core: core, Timeout: r.Timeout, Started: started,
		Env:  append(env, "UR_AB_WORK="+file),
		Args: build.BenchArgs(build.JoinPatterns(names, r.WithSiblings), benchTime, first.Procs)}
	out, err := t.RunTest(ctx, c)
	samples := make(map[*listing.Benchmark]listing.Sample)
	for _, s := range listing.ParseSamples(out.Output, first.Procs) {
		if i := slices.IndexFunc(benchmarks, func(b *listing.Benchmark) bool { return b.Printed == s.Name && b.Nth == s.Nth }); i >= 0 {
			samples[benchmarks[i]] = s
		}
	}
	for b, s := range samples {
		s.Elapsed = out.Wall / time.Duration(len(samples))
		samples[b] = s
	}
	skipped := listing.SkippedIn(out.Output)
	switch {
	case err != nil && ctx.Err() == nil:
		err = frame.FailureOf(out.Output, err)
	case err == nil && slices.ContainsFunc(benchmarks, func(b *listing.Benchmark) bool {
		_, ran := samples[b]
		return !ran && slices.Contains(skipped, b.Printed)
	}):
		err = listing.ErrSkips
	}
	return samples, err
}

// learn learns from a pair how many iterations fill a sample, and chooses the benchmark's clock. It
// reports whether the pair is a complete sample.
func (t *Sampler) learn(b *listing.Benchmark, pair [2]listing.Sample, counts bool) (judge.Pair, bool) {
	z, f := t.Sizes[b], t.Judges.Of(b)
	if t.isLong {
		clock := t.chooseClock(b, [][2]listing.Sample{pair})
		if waitsMore(pair) {
			clock = report.Wall
		}
		return judge.Pair{Benchmark: b, Sides: pair, Clock: clock}, true
	}
	elapsed := pair[frame.Old].Elapsed + pair[frame.New].Elapsed
	f.Round = (4*cmp.Or(f.Round, elapsed) + elapsed) / 5
	counts = counts && z.Full
	if !counts {
		z.earlier = append(z.earlier, pair)
	}
	if problem := t.resize(b, pair); problem != "" {
		f.Abandon(problem)
	}
	switch {
	case !f.IsOpen() || !counts:
		return judge.Pair{}, false
	case z.Clock == "" && t.hasCPU && !isLong(pair) && len(z.earlier) < mostEarlier:
		z.earlier, z.Full = append(z.earlier, pair), false // too short to choose a clock
		return judge.Pair{}, false
	case z.Clock == "":
		z.Clock = t.chooseClock(b, append(slices.Clone(z.earlier), pair))
	}
	if !z.known {
		if z.known = true; t.lengthen(b, pair) {
			return judge.Pair{}, false
		}
	}
	f.Advance(judge.StateTimed)
	return judge.Pair{Benchmark: b, Sides: pair, Clock: z.Clock, Earlier: z.earlier}, true
}
