package ab

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/internal/count"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Sampler measures benchmarks on both sides. It returns pairs in the order taken, and abandons a benchmark that cannot
// be measured. A benchmark without a pair in the result needs another call.
type Sampler = verdict.Sampler[*benchmark, Pair]

// Pair holds a sample of each side, taken side by side or with the same seed.
type Pair struct {
	Benchmark *benchmark
	sides     [2]sample
	clock     report.Clock // judged clock; "" of a count
	earlier   [][2]sample  // shorter runs before the first pair
	seed      uint64       // a count's seed
	memory    [2]count.Memory
	functions [2][]count.Function
	failure   string // reason of a benchmark that cannot be counted
}

// sample is the result of one benchmark in one process.
type sample struct {
	name       string             // printed name, without "Benchmark"
	nth        int                // number of earlier benchmarks with this name in the process
	of         report.BenchmarkID // as printed
	iterations int
	figures    map[string]float64 // printed figures by unit, perhaps not finite; those of ReportMetric with all digits if known

	wall         float64       // seconds an operation, inside the timers; NaN if the benchmark suppresses it
	cpu          float64       // CPU seconds an operation, all threads; NaN where the timers do not count it
	instructions float64       // instructions an operation; NaN where nothing counts them
	run          time.Duration // whole benchmark function, including its untimed sections
	busy         time.Duration // CPU time of the run
	queued       time.Duration // wait of working threads for a core during the run
	gap          time.Duration // CPU time of the process before the run, since the end of the last one
	pairs        int           // timer starts and stops

	kernel, gapKernel time.Duration // parts of busy and gap in the kernel

	parallel bool          // it calls RunParallel
	children bool          // it starts processes and waits for them
	elapsed  time.Duration // its share of the process
}

// builtinUnits are the units computed by package testing.
var builtinUnits = []string{timePrinted, "MB/s", report.BytesUnit, report.AllocsUnit}

// timePrinted is the unit of an operation's time, as package testing prints it.
const timePrinted = "ns/op"

// hasTime reports whether the benchmark reports a time of an operation: it may suppress it.
func (s *sample) hasTime() bool {
	_, ok := s.figures[timePrinted]
	return ok
}

// figure returns a printed figure, NaN without it.
func (s *sample) figure(unit string) float64 {
	if x, ok := s.figures[unit]; ok {
		return x
	}
	return math.NaN()
}

// parseSamples returns the results in the output of a benchmark program. Go appends "-4" to names on four processors,
// for one nothing: the suffix of procs is removed.
func parseSamples(out []byte, procs int) []sample { return newSamples(report.Scan(out), procs) }

// newSamples returns the samples of a file.
func newSamples(f *report.File, procs int) (samples []sample) {
	times := make(map[string]int)
	for _, r := range f.Results {
		if r.Iterations < 1 {
			continue
		}
		s := newSample(&r)
		if s.name = r.Name; procs > 1 {
			s.name = strings.TrimSuffix(r.Name, "-"+strconv.Itoa(procs))
		}
		s.of, s.nth = r.BenchmarkID, times[s.name]
		times[s.name]++
		samples = append(samples, s)
	}
	return samples
}

// newSample returns the sample of a result. The overlay adds figures with units such as ur-cpu-ns, and ur:UNIT with all
// digits of a printed figure.
func newSample(r *report.Result) sample {
	n := float64(r.Iterations)
	s := sample{iterations: r.Iterations, figures: make(map[string]float64), wall: math.NaN(), cpu: math.NaN(),
		instructions: math.NaN()}
	exact, own := make(map[string]float64), make(map[string]float64)
	for _, m := range r.Metrics {
		if unit, ok := strings.CutPrefix(m.Unit, "ur:"); ok {
			exact[unit] = m.Value
		} else if unit, ok := strings.CutPrefix(m.Unit, "ur-"); ok {
			own[unit] = m.Value
		} else {
			s.figures[m.Unit] = m.Value
		}
	}
	for unit, value := range exact {
		if _, printed := s.figures[unit]; printed && !slices.Contains(builtinUnits, unit) {
			s.figures[unit] = value
		}
	}
	if ns, ok := s.figures[timePrinted]; ok {
		s.wall = ns * 1e-9
	}
	if ns, ok := own["wall-ns"]; ok {
		s.wall = ns * 1e-9 / n
	}
	if ns, ok := own["cpu-ns"]; ok {
		s.cpu = ns * 1e-9 / n
	}
	if all, ok := own["instructions"]; ok {
		s.instructions = all / n
	}
	s.run, s.busy, s.pairs, s.parallel = time.Duration(own["run-ns"]), time.Duration(own["busy-ns"]), int(own["pairs"]), own["parallel"] > 0
	s.children = own["children"] > 0
	s.gap, s.kernel, s.gapKernel = time.Duration(own["gap-ns"]), time.Duration(own["kernel-ns"]), time.Duration(own["gap-kernel-ns"])
	s.queued = min(max(0, s.run-s.busy), time.Duration(max(0, own["queued-ns"])))
	if s.run == 0 && s.wall > 0 {
		s.run = time.Duration(1e9 * s.wall * n)
	}
	return s
}

// errNoFigures reports a benchmark without valid figures.
var errNoFigures = errors.New("prints no figures")
