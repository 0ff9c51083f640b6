package ab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sample is the result of one benchmark in one process.
type sample struct {
	line   line
	wall   float64            // seconds an operation, inside the timers
	cpu    float64            // likewise, of all threads; NaN where the timers do not count it
	run    time.Duration      // of the benchmark function, including its untimed sections
	busy   time.Duration      // CPU time of the run
	queued time.Duration      // wait of working threads for a core during the run
	pairs  int                // of timer starts and stops
	custom map[string]float64 // by the units of ReportMetric

	parallel bool          // it calls RunParallel
	elapsed  time.Duration // its share of the process
}

// privatePrefix begins the units that the overlay adds to a result.
const privatePrefix = "ur"

// builtinUnits are the units computed by package testing.
var builtinUnits = []string{"ns/op", "MB/s", "B/op", "allocs/op"}

// newSample reads a line. Without the overlay it holds only the figures that Go prints.
func newSample(l line) sample {
	s := sample{line: l, wall: math.NaN(), cpu: math.NaN(), custom: make(map[string]float64)}
	if ns, ok := l.figure("ns/op"); ok {
		s.wall = ns * 1e-9
	}
	n := float64(l.iterations)
	exact := make(map[string]float64)
	var printed []figure
	for _, f := range l.figures {
		switch f.unit {
		case "ur-wall-ns":
			s.wall = f.value * 1e-9 / n
		case "ur-cpu-ns":
			s.cpu = f.value * 1e-9 / n
		case "ur-run-ns":
			s.run = time.Duration(f.value)
		case "ur-busy-ns":
			s.busy = time.Duration(f.value)
		case "ur-queued-ns":
			s.queued = min(max(0, s.run-s.busy), time.Duration(max(0, f.value)))
		case "ur-pairs":
			s.pairs = int(f.value)
		case "ur-parallel":
			s.parallel = true
		default:
			if unit, ok := strings.CutPrefix(f.unit, privatePrefix+":"); ok {
				exact[unit] = f.value
				continue
			}
			printed = append(printed, f)
			if !slices.Contains(builtinUnits, f.unit) {
				s.custom[f.unit] = f.value
			}
		}
	}
	for unit := range s.custom {
		if x, ok := exact[unit]; ok {
			s.custom[unit] = x
		}
	}
	s.line.figures = printed
	if s.run == 0 && s.wall > 0 {
		s.run = seconds(s.wall * n)
	}
	return s
}

// hasTime reports whether the benchmark reports a time of an operation: it may suppress it.
func (s *sample) hasTime() bool {
	_, ok := s.line.figure("ns/op")
	return ok
}

// errNoFigures reports that a benchmark ran without printing valid figures.
var errNoFigures = errors.New("prints no figures")

// perform runs benchmarks of a package in one process. The overlay reads the work of each from a file:
// its iterations or time, in the notation of -benchtime, and its runs, of which the fastest counts.
func (r *runner) perform(ctx context.Context, benchmarks []*benchmark, side int, path string, core int, timeout time.Duration) (map[*benchmark]sample, error) {
	first, benchTime := benchmarks[0], "1x"
	if len(benchmarks) == 1 && !first.together {
		benchTime = r.timeOf(first) // where there is no overlay
	}
	var names []string
	var list strings.Builder
	for _, b := range benchmarks {
		names = append(names, b.printed)
		fmt.Fprintf(&list, "%s %d Benchmark%s\n", r.timeOf(b), r.repeats(b), b.printed)
	}
	file := r.scratch.path("work")
	if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
		return nil, err
	}
	out, err := r.runTests(ctx, first.pkg, side, path, core, timeout, []string{"UR_AB_WORK=" + file}, benchArgs(anyOf(names, first.together), benchTime, first.procs)...)
	samples := make(map[*benchmark]sample)
	for _, l := range procLines(out.out, first.procs) {
		if i := slices.Index(names, l.name); i >= 0 {
			samples[benchmarks[i]] = newSample(l)
		}
	}
	for b, s := range samples {
		s.elapsed = out.wall / time.Duration(len(samples))
		samples[b] = s
	}
	if err != nil && ctx.Err() == nil {
		err = failure(out.out, err)
	}
	return samples, err
}

// runTests runs a test binary of a package on its side.
func (r *runner) runTests(ctx context.Context, p *Package, side int, path string, core int, timeout time.Duration, env []string, args ...string) (outcome, error) {
	if err := r.use(side); err != nil {
		return outcome{}, err
	}
	c := program{args: append([]string{path, "-test.run=^$", "-test.timeout=0"}, args...), dir: p.dirs[side], core: core, timeout: timeout,
		env: append(env, "TMPDIR="+r.scratch.path("tmp"))}
	return c.run(ctx)
}

// benchArgs returns the arguments of a test binary for running benchmarks.
func benchArgs(pattern, benchTime string, procs int) []string {
	return []string{"-test.bench=" + pattern, "-test.benchtime=" + benchTime, "-test.benchmem", "-test.cpu=" + strconv.Itoa(procs)}
}
