package ab

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// plan is how the time behind the counts is spent.
type plan struct {
	benchmarks []*benchmark // benchmarks by falling priority
	work       sampleWork
	share      bool          // benchmarks share processes
	lanes      int           // processes at once
	layouts    int           // links of a package at most
	need       time.Duration // rounds and links until all benchmarks are decided
}

// smallSample is the work of a sample when many benchmarks share a process, and processWork the
// work of all of them.
const (
	smallSample = 3 * time.Millisecond
	processWork = 250 * time.Millisecond
)

// plannedRounds is about how many rounds a benchmark takes until it is decided, and sizingRounds how many
// find its iterations before them.
const (
	plannedRounds = 14
	sizingRounds  = 3
)

// newPlan plans the rounds of open benchmarks: the length of samples, whether benchmarks share
// processes, and the number of links. The most suspicious benchmarks come first.
func newPlan(j *job, b *builds, links *linkPool, open []*benchmark, v *judges) plan {
	p := plan{benchmarks: slices.Clone(open), work: j.sample, lanes: 1, layouts: math.MaxInt}
	slices.SortStableFunc(p.benchmarks, func(a, b *benchmark) int { return cmp.Compare(suspicionOf(v, b), suspicionOf(v, a)) })
	packages := packagesOf(p.benchmarks)
	linked := 0
	for _, k := range packages {
		if links.isLinked(k) {
			linked++
		}
	}
	n, left := len(p.benchmarks), j.Left()
	if each := links.cost * time.Duration(linked); each > 0 && j.sample == (sampleWork{}) {
		const least = 4
		p.layouts = max(least, int(frame.Share(frame.PartLinks)*float64(left)/float64(each)))
		p.need = each * time.Duration(max(0, min(p.layouts, plannedRounds)-links.readyFor(packages)))
	}
	if p.work != (sampleWork{}) {
		return p
	}
	p.work.duration = sampleTime(n, left-p.need)
	if !slices.ContainsFunc(open, func(b *benchmark) bool { return !v.fileOf(b).counts.isLargeChange() }) {
		p.work.duration = leastSample
	}
	const busy = 1.5
	if slowdownOf(packages) > busy {
		p.work.duration *= 2 // other programs disturb more of each sample
	}
	need := p.roundsTime()
	if need > left-p.need && b.cpuClock != report.NoClock {
		p.share, p.work.duration, p.lanes = true, smallSample, j.Lanes()
		need = p.roundsTime() / time.Duration(p.lanes)
	}
	p.need += need
	return p
}

// leastSample is the least work of a sample in a process of its own.
const leastSample = 20 * time.Millisecond

// sampleTime returns the busy time of a sample, chosen to fit sixty rounds of n benchmarks into
// the remaining time: up to 50 milliseconds.
func sampleTime(benchmarks int, left time.Duration) time.Duration {
	const rounds, most = 60, 50 * time.Millisecond
	return max(leastSample, min(most, left/time.Duration(2*rounds*max(1, benchmarks))-2*processTime))
}

// roundsTime returns the approximate time of the planned rounds on this machine. Benchmarks share the process of a
// package that takes long to start. A long operation takes longer than a sample.
func (p *plan) roundsTime() time.Duration {
	round := time.Duration(0)
	for _, k := range packagesOf(p.benchmarks) {
		n, long, shared := 0, time.Duration(0), make(map[string]time.Duration)
		for _, b := range p.benchmarks {
			if b.pkg == k {
				n++
				long += max(0, min(b.first[frame.Old].busy, b.first[frame.New].busy)-longSample)
			}
			if b.pkg == k && b.hasLongSetUp() {
				shared[b.function()] = b.sharedSetUp
			}
		}
		for _, setUp := range shared {
			long += setUp
		}
		processes, sample := n, p.work.duration
		if p.share || k.overhead > longSetUp {
			sample = max(sample, min(longSample, k.overhead))
			room := max(processWork, 2*k.overhead)
			processes = max(1, int(time.Duration(n)*sample/room))
		}
		each := long + time.Duration(n)*sample + time.Duration(processes)*max(processTime, k.overhead)
		round += time.Duration(float64(each) * max(1, k.slowdown))
	}
	return 2 * (plannedRounds + sizingRounds) * round
}

// packagesOf lists the packages of benchmarks.
func packagesOf(benchmarks []*benchmark) (packages []*testPackage) {
	for _, b := range benchmarks {
		if !slices.Contains(packages, b.pkg) {
			packages = append(packages, b.pkg)
		}
	}
	return packages
}

// slowdownOf returns how much other programs slow down processes of packages.
func slowdownOf(packages []*testPackage) float64 {
	slow := 1.0
	for _, p := range packages {
		slow = max(slow, p.slowdown)
	}
	return slow
}

// suspicionOf orders benchmarks: first those whose long runs or counts changed, then those without a count, then the others.
// Within these, near benchmarks come first, and then those with more changed functions.
func suspicionOf(v *judges, b *benchmark) float64 {
	near := float64(b.reach.Near)/2 + float64(len(b.reach.Changed))/1e6
	switch c := v.fileOf(b).counts; {
	case v.isSuspect(b):
		return 2 + v.fileOf(b).longRuns.Delta() + near
	case c == nil || !c.isDecided():
		return 1 + near
	case c.result.Verdict == verdict.NotMoreWork:
		return near
	default:
		return 2 + math.Abs(c.result.Delta) + near
	}
}

// describe lists the benchmarks of the plan in numbers, with their time.
func (p *plan) describe(j *job, unreached int) string {
	line := fmt.Sprintf("%s in %s", text.Plural(len(p.benchmarks), "benchmark"),
		text.Plural(len(packagesOf(p.benchmarks)), "package"))
	if unreached > 0 {
		line += fmt.Sprintf(" that the change can reach, and not %d others", unreached)
	}
	left := j.Left()
	line += fmt.Sprintf(": about %v", max(time.Second, min(p.need, left).Round(time.Second)))
	if p.need > max(left, time.Second) {
		line += fmt.Sprintf(" of the %v that they need", p.need.Round(time.Second))
	}
	return line
}
