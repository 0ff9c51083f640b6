package ab

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
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// timeSampler measures times by processes in turns. In a sample, each benchmark runs once on each side, one
// side directly after the other on one core, in random order.
type timeSampler struct {
	*job
	builds *builds
	links  *linkPool
	lanes  int // processes at once
	sizer

	judges *judges
	isLong bool // takes long runs, by the binaries of the build
}

// newTimeSampler returns a sampler with a plan's work.
func newTimeSampler(j *job, b *builds, links *linkPool, p plan, v *judges) *timeSampler {
	t := &timeSampler{job: j, builds: b, links: links, lanes: p.lanes,
		sizer: sizer{work: p.work, share: p.share, hasCPU: b.cpuClock != report.NoClock,
			sizes: make(map[*benchmark]*sizing)}, judges: v}
	for _, k := range p.benchmarks {
		t.sizes[k] = newSizing(k, p.work)
	}
	return t
}

// Sample implements [Sampler]. Packages take turns in random order, with links of their own. A
// benchmark whose iterations are not known yet runs on the links of the build, without a result.
func (t *timeSampler) Sample(ctx context.Context, benchmarks []*benchmark) (taken []Pair, err error) {
	groups := make(map[*testPackage][2][]*benchmark) // benchmarks by full
	var order []*testPackage
	for _, b := range benchmarks {
		if f := t.judges.fileOf(b); f.repeatsLong && t.sizes[b].long == 0 {
			t.sizes[b].beginLong(b, f.operation, f.length)
			t.sizes[b].clock, b.expected = f.lastLong.clock, 0
			t.sizes[b].repeatLong(&f.lastLong)
		}
		group, ok := groups[b.pkg]
		if !ok {
			order = append(order, b.pkg)
		}
		full := 0
		if t.sizes[b].full {
			full = 1
		}
		group[full] = append(group[full], b)
		groups[b.pkg] = group
	}
	for _, i := range t.Rand.Perm(len(order)) {
		p := order[i]
		for full, group := range groups[p] {
			if len(group) == 0 {
				continue
			}
			paths := p.binaries
			if full == 1 && !t.isLong {
				if paths, err = t.links.take(ctx, p); err != nil {
					return taken, err
				}
			}
			batches := t.batch(t.divide(group))
			for _, k := range t.Rand.Perm(len(batches)) {
				pairs, err := t.measurePairs(ctx, batches[k], paths, full == 1)
				taken = append(taken, pairs...)
				if err != nil || t.Left() == 0 {
					return taken, err
				}
			}
		}
	}
	return taken, nil
}

// partRun is a run of some benchmarks in a process for each side.
type partRun struct {
	benchmarks   []*benchmark
	withSiblings bool // with the siblings that they need
	core         int
	timeout      time.Duration
	samples      [2]map[*benchmark]sample
	failures     [2]error
}

// measurePairs runs both sides of parts, one directly after the other on one core, in random order. Each part has a
// core of its own, and the same neighbours on both sides.
func (t *timeSampler) measurePairs(ctx context.Context, parts [][]*benchmark, paths [2]string,
	counts bool) (taken []Pair, err error) {
	runs := make([]*partRun, len(parts))
	order := t.Rand.Perm(len(t.Cores))
	for i, benchmarks := range parts {
		runs[i] = &partRun{benchmarks: benchmarks, withSiblings: t.sizes[benchmarks[0]].withSiblings, core: frame.NoCore,
			timeout: 20*time.Duration(len(parts))*expectedTime(benchmarks) + max(10*time.Second, t.Left()/2)}
		if t.isLong {
			runs[i].timeout = time.Second
			for _, b := range benchmarks {
				runs[i].timeout += 2 * longRunTime(b, t.work.duration)
			}
		}
		if benchmarks[0].procs <= 1 && i < len(order) {
			runs[i].core = t.Cores[order[i]]
		}
	}
	for _, side := range t.Rand.Perm(2) {
		placed := t.builds.sides.Use(side)
		frame.InParallel(len(runs), len(runs), func(i int) {
			if runs[i].failures[side] = placed; placed == nil {
				runs[i].samples[side], runs[i].failures[side] = t.runSide(ctx, runs[i], side, paths[side])
			}
		})
		if ctx.Err() != nil {
			return taken, ctx.Err()
		}
	}
	for _, r := range runs {
		taken = append(taken, t.takePairs(r, len(runs), counts)...)
	}
	return taken, nil
}

// takePairs returns the complete samples of a run beside others.
func (t *timeSampler) takePairs(r *partRun, beside int, counts bool) (taken []Pair) {
	for _, b := range r.benchmarks {
		before, ok := r.samples[frame.Old][b]
		after, also := r.samples[frame.New][b]
		if ok && also {
			before.elapsed, after.elapsed = before.elapsed/time.Duration(beside), after.elapsed/time.Duration(beside)
			if p, complete := t.learn(b, [2]sample{before, after}, counts); complete {
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
		case errors.As(r.failures[side], &late) && t.sizes[b].late < most:
			t.sizes[b].late++ // the machine may have been busy
			if t.isLong {
				t.sizes[b].iterations, t.sizes[b].each = 0, 0 // operations become slower: package testing finds their number
			}
		case !b.alone && (beside > 1 || len(r.benchmarks) > 1):
			b.alone = true // another process may have had its files, or another benchmark may have ended this process
		default:
			t.giveUp(b, r)
		}
	}
	return taken
}

// giveUp ends a benchmark without figures. One that had figures when it ran with its siblings continues with them.
func (t *timeSampler) giveUp(b *benchmark, r *partRun) {
	var siblings []*sizing
	for other, z := range t.sizes {
		if other.pkg == b.pkg && other.procs == b.procs && topLevel(other.printed) == topLevel(b.printed) {
			siblings = append(siblings, z)
		}
	}
	if len(siblings) > 1 && !r.withSiblings && t.hasCPU {
		for _, z := range siblings {
			z.withSiblings = true
		}
		return
	}
	_, hasOld := r.samples[frame.Old][b]
	_, hasNew := r.samples[frame.New][b]
	where, err := "both sides", cmp.Or(r.failures[frame.New], r.failures[frame.Old], errNoFigures)
	switch {
	case hasOld:
		where, err = "the new side", cmp.Or(r.failures[frame.New], errNoFigures)
	case hasNew:
		where, err = "the old side", cmp.Or(r.failures[frame.Old], errNoFigures)
		b.repaired = !frame.IsTimeout(err)
	}
	b.abandon(verdict.NotJudged, fmt.Sprintf("fails on %s: %v", where, err))
}

// runSide runs benchmarks of a package in one process. The overlay reads the work of each from a file:
// its iterations or time, in the notation of -benchtime, and its runs: the fastest counts.
func (t *timeSampler) runSide(ctx context.Context, r *partRun, side int, path string) (map[*benchmark]sample, error) {
	benchmarks := r.benchmarks
	first, benchTime := benchmarks[0], "1x"
	if len(benchmarks) == 1 && !r.withSiblings {
		benchTime = t.sizes[first].benchTime(t.work) // where there is no overlay
	}
	var names []string
	var list strings.Builder
	for _, b := range benchmarks {
		names = append(names, b.printed)
		others := strings.Repeat("1x 1 Benchmark"+b.printed+"\n", b.nth) // benchmarks of this name before it
		fmt.Fprintf(&list, "%s%s %d Benchmark%s\n", others, t.sizes[b].benchTime(t.work), t.repeats(b), b.printed)
		if t.hasNamesake(b) {
			fmt.Fprintf(&list, "1x 1 Benchmark%s\n", b.printed)
		}
	}
	file := t.Scratch.Path(fmt.Sprintf("work-%d", r.core))
	if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
		return nil, err
	}
	core, env := t.builds.pin(r.core)
	if t.isLong {
		env = append(env, "UR_AB_CLEANUP=1")
	}
	c := testRun{pkg: first.pkg, side: side, path: path, core: core, timeout: r.timeout,
		env:  append(env, "UR_AB_WORK="+file),
		args: build.BenchArgs(build.JoinPatterns(names, r.withSiblings), benchTime, first.procs)}
	out, err := c.run(ctx, t.job)
	samples := make(map[*benchmark]sample)
	for _, s := range parseSamples(out.Output, first.procs) {
		if i := slices.IndexFunc(benchmarks, func(b *benchmark) bool { return b.printed == s.name && b.nth == s.nth }); i >= 0 {
			samples[benchmarks[i]] = s
		}
	}
	for b, s := range samples {
		s.elapsed = out.Wall / time.Duration(len(samples))
		samples[b] = s
	}
	if err != nil && ctx.Err() == nil {
		err = frame.FailureOf(out.Output, err)
	}
	return samples, err
}

// pin returns the core that a process is started on, and variables for it. Where the timers are ours, they choose the core,
// because a process started on one core would see a machine with one processor.
func (b *builds) pin(core int) (start int, env []string) {
	t := b.sides.Trees[frame.New]
	if core == frame.NoCore || t.Overlay == nil || t.Toolchain.GOOS != "linux" {
		return core, nil
	}
	return frame.NoCore, []string{fmt.Sprint("UR_AB_CORE=", core)}
}

// hasNamesake reports whether another benchmark of the binary has a benchmark's name.
func (t *timeSampler) hasNamesake(b *benchmark) bool {
	for other := range t.sizes {
		if other != b && other.pkg == b.pkg && other.printed == b.printed && other.procs == b.procs {
			return true
		}
	}
	return false
}

// learn learns from a pair how many iterations fill a sample, and chooses the benchmark's clock. It
// reports whether the pair is a complete sample.
func (t *timeSampler) learn(b *benchmark, pair [2]sample, counts bool) (Pair, bool) {
	z := t.sizes[b]
	if t.isLong {
		clock := t.chooseClock(b, [][2]sample{pair})
		if waitsMore(pair) {
			clock = report.Wall
		}
		return Pair{Benchmark: b, sides: pair, clock: clock}, true
	}
	elapsed := pair[frame.Old].elapsed + pair[frame.New].elapsed
	if b.expected == 0 {
		b.expected = elapsed
	}
	b.expected = (4*b.expected + elapsed) / 5
	counts = counts && z.full
	if !counts {
		z.earlier = append(z.earlier, pair)
	}
	t.resize(b, pair)
	switch {
	case !b.isOpen() || !counts:
		return Pair{}, false
	case z.clock == "" && t.hasCPU && !isLong(pair) && len(z.earlier) < mostEarlier:
		z.earlier, z.full = append(z.earlier, pair), false // too short to choose a clock
		return Pair{}, false
	case z.clock == "":
		z.clock = t.chooseClock(b, append(slices.Clone(z.earlier), pair))
	}
	if !z.known {
		if z.known = true; t.lengthen(b, pair) {
			return Pair{}, false
		}
	}
	b.advance(stateTimed)
	return Pair{Benchmark: b, sides: pair, clock: z.clock, earlier: z.earlier}, true
}
