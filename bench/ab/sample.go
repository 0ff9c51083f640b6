package ab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
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

// work is the task of a process: benchmarks of a package, each with its iterations or time, in
// the notation of -benchtime.
type work struct {
	pkg        *Package
	side       int
	path       string // of the binary
	benchmarks []*benchmark
	times      []string
	repeats    []int // runs of each: the fastest counts
	procs      int
	core       int
	timeout    time.Duration
}

// perform runs benchmarks in one process. A single benchmark has a pattern that matches no
// other; several, and repeated ones, take their work from a file.
func (r *runner) perform(ctx context.Context, w work) (map[*benchmark]sample, error) {
	if err := r.use(w.side); err != nil {
		return nil, err
	}
	pattern, benchTime, env := "", "1x", []string{"TMPDIR=" + r.scratch.path("tmp")}
	single := len(w.benchmarks) == 1 && !w.benchmarks[0].together
	if single && w.repeats[0] == 1 {
		pattern, benchTime = exactly(w.benchmarks[0].printed), w.times[0]
	} else {
		var list strings.Builder
		for i, b := range w.benchmarks {
			fmt.Fprintf(&list, "%s %d Benchmark%s\n", w.times[i], w.repeats[i], b.printed)
		}
		if pattern = anyOf(w.benchmarks); single {
			pattern = exactly(w.benchmarks[0].printed)
		}
		file := r.scratch.path("work")
		if err := os.WriteFile(file, []byte(list.String()), 0o600); err != nil {
			return nil, err
		}
		env = append(env, "UR_AB_WORK="+file)
	}
	p := program{args: benchArgs(w.path, pattern, benchTime, w.procs), dir: w.pkg.dirs[w.side], core: w.core, timeout: w.timeout, env: env}
	out, err := p.run(ctx)
	samples := make(map[*benchmark]sample)
	for _, l := range procLines(out.out, w.procs) {
		for _, b := range w.benchmarks {
			if b.printed == l.name {
				samples[b] = newSample(l)
			}
		}
	}
	for b, s := range samples {
		s.elapsed = out.wall / time.Duration(len(samples))
		samples[b] = s
	}
	if err != nil {
		if ctx.Err() != nil {
			return samples, ctx.Err()
		}
		if late := (errTimeout{}); errors.As(err, &late) {
			return samples, late
		}
		return samples, errors.New(failure(out.out, err))
	}
	return samples, nil
}

// anyOf returns the pattern of benchmarks that share a process: a list of names for each level.
// Those that need their siblings run with all of them.
func anyOf(benchmarks []*benchmark) string {
	var levels [][]string
	for _, b := range benchmarks {
		for i, element := range strings.Split("Benchmark"+b.printed, "/") {
			if i == len(levels) {
				levels = append(levels, nil)
			}
			levels[i] = append(levels[i], regexp.QuoteMeta(element))
		}
	}
	if benchmarks[0].together {
		levels = levels[:1]
	}
	var pattern []string
	for _, names := range levels {
		slices.Sort(names)
		pattern = append(pattern, "^("+strings.Join(slices.Compact(names), "|")+")$")
	}
	return strings.Join(pattern, "/")
}

// benchArgs returns the arguments of a test binary for running benchmarks.
func benchArgs(path, pattern, benchTime string, procs int) []string {
	return []string{path, "-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchTime, "-test.benchmem",
		"-test.timeout=0", "-test.cpu=" + strconv.Itoa(procs)}
}
