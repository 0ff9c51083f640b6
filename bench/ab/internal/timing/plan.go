package timing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Plan is how the time behind the counts is spent.
type Plan struct {
	Benchmarks []*listing.Benchmark // benchmarks by falling priority
	Work       Work
	Share      bool          // benchmarks share processes
	Lanes      int           // processes at once
	layouts    int           // links of a package at most
	need       time.Duration // rounds and links until all benchmarks are decided
}

// SmallSample is the work of a sample when many benchmarks share a process, and processWork the
// work of all of them.
const (
	SmallSample = 3 * time.Millisecond
	processWork = 250 * time.Millisecond
)

// PlannedRounds is about how many rounds a benchmark takes until it is decided, and sizingRounds how many
// find its iterations before them.
const (
	PlannedRounds = 14
	SizingRounds  = 3
)

// plan plans the rounds of open benchmarks: the length of samples, whether benchmarks share
// processes, and the number of links. The most suspicious benchmarks come first.
func (t *Timer) plan(open []*listing.Benchmark) Plan {
	v, links := t.Judges, t.Links
	p := Plan{Benchmarks: slices.Clone(open), Work: t.Work, Lanes: 1, layouts: math.MaxInt}
	slices.SortStableFunc(p.Benchmarks, func(a, b *listing.Benchmark) int { return cmp.Compare(v.Suspicion(b), v.Suspicion(a)) })
	packages := PackagesOf(p.Benchmarks)
	linked := 0
	for _, k := range packages {
		if links.IsLinked(k.TestPackage) {
			linked++
		}
	}
	n, left := len(p.Benchmarks), links.Left()
	if each := links.Cost * time.Duration(linked); each > 0 && p.Work == (Work{}) {
		const least = 4
		p.layouts = max(least, int(frame.Share(frame.PartLinks)*float64(left)/float64(each)))
		p.need = each * time.Duration(max(0, min(p.layouts, PlannedRounds)-links.ReadyFor(ProgramsOf(packages))))
	}
	if p.Work != (Work{}) {
		return p
	}
	p.Work.Duration = SampleTime(n, left-p.need)
	if !slices.ContainsFunc(open, func(b *listing.Benchmark) bool { return !v.Of(b).Counts.IsLargeChange() }) {
		p.Work.Duration = leastSample
	}
	const busy = 1.5
	if SlowdownOf(packages) > busy {
		p.Work.Duration *= 2 // other programs disturb more of each sample
	}
	need := p.RoundsTime()
	if need > left-p.need && v.HasCPU {
		p.Share, p.Work.Duration, p.Lanes = true, SmallSample, links.Lanes()
		need = p.RoundsTime() / time.Duration(p.Lanes)
	}
	p.need += need
	return p
}

// leastSample is the least work of a sample in a process of its own.
const leastSample = 20 * time.Millisecond

// SampleTime returns the busy time of a sample, chosen to fit sixty rounds of n benchmarks into
// the remaining time: up to 50 milliseconds.
func SampleTime(benchmarks int, left time.Duration) time.Duration {
	const rounds, most = 60, 50 * time.Millisecond
	return max(leastSample, min(most, left/time.Duration(2*rounds*max(1, benchmarks))-2*listing.ProcessTime))
}

// RoundsTime returns the approximate time of the planned rounds on this machine. Benchmarks share the process of a
// package that takes long to start. A long operation takes longer than a sample.
func (p *Plan) RoundsTime() time.Duration {
	round := time.Duration(0)
	for _, group := range text.Groups(p.Benchmarks, func(b *listing.Benchmark) *listing.Package { return b.Pkg }) {
		k, n, long := group[0].Pkg, len(group), time.Duration(0)
		for _, b := range group {
			long += max(0, min(b.First[frame.Old].Busy, b.First[frame.New].Busy)-listing.LongSample)
		}
		for _, function := range text.Groups(group, (*listing.Benchmark).Function) {
			if function[0].HasLongSetUp() {
				long += function[0].SharedSetUp
			}
		}
		processes, sample := n, p.Work.Duration
		if p.Share || k.Overhead > listing.LongSetUp {
			sample = max(sample, min(listing.LongSample, k.Overhead))
			room := max(processWork, 2*k.Overhead)
			processes = max(1, int(time.Duration(n)*sample/room))
		}
		each := long + time.Duration(n)*sample + time.Duration(processes)*max(listing.ProcessTime, k.Overhead)
		round += time.Duration(float64(each) * max(1, k.Slowdown))
	}
	return 2 * (PlannedRounds + SizingRounds) * round
}

// PackagesOf lists the packages of benchmarks.
func PackagesOf(benchmarks []*listing.Benchmark) (packages []*listing.Package) {
	for _, b := range benchmarks {
		if !slices.Contains(packages, b.Pkg) {
			packages = append(packages, b.Pkg)
		}
	}
	return packages
}

// ProgramsOf lists the packages as they were built.
func ProgramsOf(packages []*listing.Package) (built []*build.TestPackage) {
	for _, p := range packages {
		built = append(built, p.TestPackage)
	}
	return built
}

// SlowdownOf returns how much other programs slow down processes of packages.
func SlowdownOf(packages []*listing.Package) float64 {
	slow := 1.0
	for _, p := range packages {
		slow = max(slow, p.Slowdown)
	}
	return slow
}

// describe lists the benchmarks of the plan in numbers, with their time of what is left.
func (p *Plan) describe(left time.Duration, unreached int) string {
	line := fmt.Sprintf("%s in %s", text.Plural(len(p.Benchmarks), "benchmark"),
		text.Plural(len(PackagesOf(p.Benchmarks)), "package"))
	if unreached > 0 {
		line += fmt.Sprintf(" that the change can reach, and not %d others", unreached)
	}
	line += fmt.Sprintf(": about %v", max(time.Second, min(p.need, left).Round(time.Second)))
	if p.need > max(left, time.Second) {
		line += fmt.Sprintf(" of the %v that they need", p.need.Round(time.Second))
	}
	return line
}

// Divide divides benchmarks among processes. They share one when there are too many for a
// process each, when a process of the package takes long to start, or when their function does.
func (t *Sampler) Divide(benchmarks []*listing.Benchmark) [][]*listing.Benchmark {
	var parts [][]*listing.Benchmark
	type key struct {
		procs    int
		depth    int
		function string
	}
	shared := make(map[key]int)   // part with room left
	work := make(map[key]float64) // its work in seconds
	overhead := benchmarks[0].Pkg.Overhead
	share := t.Share || overhead > listing.LongSetUp && t.hasCPU
	for _, b := range benchmarks {
		z, ofFunction := t.Sizes[b], t.hasCPU && b.HasLongSetUp()
		budget := max(processWork, 2*overhead).Seconds()
		if ofFunction {
			budget = max(budget, 2*b.SharedSetUp.Seconds())
		}
		cost := max(z.cost[frame.Old], z.cost[frame.New]) * float64(max(1, z.iterations))
		k := key{procs: b.Procs, depth: strings.Count(b.Printed, "/")}
		switch {
		case z.WithSiblings:
			k.depth, k.function = 0, listing.TopLevel(b.Printed)
		case !share && !ofFunction || cost > budget/4 || z.long > 0 && !ofFunction && overhead <= listing.LongSetUp || t.hasNamesake(b) || t.Judges.Of(b).Alone && !ofFunction:
			parts = append(parts, []*listing.Benchmark{b})
			continue
		case ofFunction:
			k.function = listing.TopLevel(b.Printed)
		}
		at, ok := shared[k]
		if !ok || work[k] > budget && !z.WithSiblings {
			at = len(parts)
			parts = append(parts, nil)
			shared[k], work[k] = at, 0
		}
		parts[at] = append(parts[at], b)
		work[k] += max(cost, SmallSample.Seconds())
	}
	return parts
}

// batch divides parts into those that run at the same time, on a core each. Those of like duration run together, since
// the longest one of them holds the others up.
func (t *Sampler) batch(parts [][]*listing.Benchmark) (batches [][][]*listing.Benchmark) {
	slices.SortStableFunc(parts, func(a, b []*listing.Benchmark) int {
		return cmp.Compare(t.Judges.TimeOfRound(b), t.Judges.TimeOfRound(a))
	})
	room := 0 // in the last batch
	for _, part := range parts {
		lanes := t.lanes
		if t.Sizes[part[0]].long > 0 {
			lanes = max(lanes, t.Lanes())
		}
		if needsMachine := slices.ContainsFunc(part, t.Judges.NeedsMachine); needsMachine || lanes <= 1 {
			batches = append([][][]*listing.Benchmark{{part}}, batches...)
			continue
		}
		if room == 0 {
			batches, room = append(batches, nil), lanes
		}
		last := len(batches) - 1
		batches[last] = append(batches[last], part)
		room--
	}
	return batches
}
