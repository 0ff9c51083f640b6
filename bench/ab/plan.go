package ab

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// processTime is the approximate time of a test binary's process outside the benchmark.
const processTime = 8 * time.Millisecond

// sampleTimeOf returns the busy time of a sample, chosen to fit sixty rounds of n benchmarks into
// the remaining time: from 20 to 50 milliseconds.
func sampleTimeOf(benchmarks int, left time.Duration) time.Duration {
	const rounds, least, most = 60, 20 * time.Millisecond, 50 * time.Millisecond
	return max(least, min(most, left/time.Duration(2*rounds*max(1, benchmarks))-2*processTime))
}

// smallSample is the work of a sample when many benchmarks share a process, and processWork the
// work of all of them.
const (
	smallSample = 3 * time.Millisecond
	processWork = 250 * time.Millisecond
)

// plannedRounds is about how many rounds a benchmark takes until it is decided.
const plannedRounds = 14

// plan chooses the length of samples and whether benchmarks share processes, and prints both.
// Those that reach more of the change come first.
func (r *runner) plan() {
	slices.SortStableFunc(r.benchmarks, func(a, b *benchmark) int { return cmp.Compare(a.priority(), b.priority()) })
	left := time.Until(r.end)
	work := r.options.sample
	if work == (sampleTime{}) {
		work.duration = sampleTimeOf(len(r.benchmarks), left)
		const busy = 1.5
		if r.slow > busy {
			work.duration *= 2 // other programs disturb more of each sample
		}
	}
	need := r.need(len(r.benchmarks), work.duration)
	if need > left && r.noCPU == "" && r.options.sample == (sampleTime{}) {
		r.share, work.duration = true, smallSample
		need = r.need(len(r.benchmarks), work.duration)
	}
	r.target = work
	if len(r.benchmarks) == 0 {
		return
	}
	line := fmt.Sprintf("%s in %s", text.Plural(len(r.benchmarks), "benchmark"), text.Plural(len(r.report.inState(measuredState)), "package"))
	if r.same > 0 {
		line += fmt.Sprintf(" that the change can reach, and not %d others", r.same)
	}
	line += fmt.Sprintf(": about %v", max(time.Second, min(need, left).Round(time.Second)))
	if need > left {
		line += fmt.Sprintf(" of the %v that they need", need.Round(time.Second))
	}
	r.options.show(Progress{Plan: line})
}

// need returns the approximate time of n benchmarks on this machine.
func (r *runner) need(benchmarks int, sample time.Duration) time.Duration {
	each := float64(sample + processTime)
	if r.share {
		each = float64(sample) + float64(processTime)*float64(sample)/float64(processWork)
	}
	return time.Duration(float64(2*plannedRounds*benchmarks) * each * max(1, r.slow))
}

// priority orders benchmarks: those come first whose code differs, and of these the ones that
// reach more of the change.
func (b *benchmark) priority() int { return -len(b.reach.changed) }

// open lists the benchmarks that need more rounds, as many as the time allows.
func (r *runner) open() []*benchmark {
	return r.fitting(slices.DeleteFunc(slices.Clone(r.benchmarks), func(b *benchmark) bool {
		return b.done() || r.options.rounds > 0 && len(b.pairs) >= r.options.rounds
	}))
}

// fitting drops benchmarks from the end of the list if the remaining time does not bring all of
// them to their first look.
func (r *runner) fitting(open []*benchmark) []*benchmark {
	slices.SortStableFunc(open, func(a, b *benchmark) int {
		return cmp.Or(cmp.Compare(a.priority(), b.priority()), -cmp.Compare(len(a.pairs), len(b.pairs)))
	})
	const few = 16 // this many take turns to the end
	left := time.Until(r.end)
	sum := time.Duration(0)
	for i, b := range open {
		missing := max(0, verdict.FirstLook-len(b.pairs))
		if sum += time.Duration(missing) * b.expected; sum > left && i >= few {
			return open[:i]
		}
	}
	return open
}
