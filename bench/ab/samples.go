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
	"github.com/seed-09dcdc84/ur/internal/text"
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
	name       string // printed name, without "Benchmark"
	nth        int    // number of earlier benchmarks with this name in the process
	pkg        string // last line "pkg: ..."; "" without
	iterations int
	figures    map[string]float64 // printed figures by unit; those of ReportMetric with all digits if known

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

// resultBegin is where the figures of a benchmark begin: a number of iterations and the
// first figure.
var resultBegin = text.Regexp(`(?:^|\s)([1-9][0-9]*)\s+([0-9][^\s]*) ([^\s]+)`)

// parseSamples parses the output of a benchmark program. Go prints a benchmark's name, runs
// it, and then prints the figures. The benchmark's own output comes between the two, so figures
// belong to the last name before them. Go appends "-4" to names on four processors, for one
// nothing: the suffix of procs is removed.
func parseSamples(out []byte, procs int) []sample {
	var samples []sample
	name, pkg, open := "", "", false // open: a name without figures
	times := make(map[string]int)
	for text := range strings.Lines(string(out)) {
		text = strings.TrimRight(text, "\r\n")
		if rest, ok := strings.CutPrefix(text, "pkg:"); ok {
			pkg = strings.TrimSpace(rest)
		}
		rest := text
		if fields := strings.Fields(text); len(fields) > 0 && benchmarkName().MatchString(fields[0]) {
			name, open = strings.TrimPrefix(fields[0], "Benchmark"), true
			rest = strings.TrimPrefix(strings.TrimSpace(text), fields[0])
		}
		if !open {
			continue
		}
		if s, ok := parseFigures(rest); ok {
			if s.name, s.pkg = name, pkg; procs > 1 {
				s.name = strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
			}
			s.nth = times[s.name]
			times[s.name]++
			samples = append(samples, s)
			open = false
		}
	}
	return samples
}

// benchmarkName matches the name of a function Go would run as a benchmark.
var benchmarkName = text.Regexp(`^Benchmark([^a-z]|$)`)

// parseFigures reads "  1000\t  350.2 ns/op\t 16 B/op", with anything before it. The overlay adds
// figures with units such as ur-cpu-ns, and ur:UNIT with all digits of a printed figure.
func parseFigures(text string) (s sample, ok bool) {
	at := resultBegin().FindStringSubmatchIndex(text)
	if at == nil {
		return s, false
	}
	n, err := strconv.Atoi(text[at[2]:at[3]])
	if err != nil {
		return s, false
	}
	s = sample{iterations: n, figures: make(map[string]float64), wall: math.NaN(), cpu: math.NaN(),
		instructions: math.NaN()}
	exact, own := make(map[string]float64), make(map[string]float64)
	fields := strings.Fields(text[at[3]:])
	for i := 0; i+1 < len(fields); i += 2 {
		value, err := strconv.ParseFloat(fields[i], 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			break
		}
		if unit, ok := strings.CutPrefix(fields[i+1], "ur:"); ok {
			exact[unit] = value
		} else if unit, ok := strings.CutPrefix(fields[i+1], "ur-"); ok {
			own[unit] = value
		} else {
			s.figures[fields[i+1]] = value
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
		s.wall = ns * 1e-9 / float64(n)
	}
	if ns, ok := own["cpu-ns"]; ok {
		s.cpu = ns * 1e-9 / float64(n)
	}
	if all, ok := own["instructions"]; ok {
		s.instructions = all / float64(n)
	}
	s.run, s.busy, s.pairs, s.parallel = time.Duration(own["run-ns"]), time.Duration(own["busy-ns"]), int(own["pairs"]), own["parallel"] > 0
	s.children = own["children"] > 0
	s.gap, s.kernel, s.gapKernel = time.Duration(own["gap-ns"]), time.Duration(own["kernel-ns"]), time.Duration(own["gap-kernel-ns"])
	s.queued = min(max(0, s.run-s.busy), time.Duration(max(0, own["queued-ns"])))
	if s.run == 0 && s.wall > 0 {
		s.run = time.Duration(1e9 * s.wall * float64(n))
	}
	return s, len(s.figures)+len(own) > 0
}

// errNoFigures reports a benchmark without valid figures.
var errNoFigures = errors.New("prints no figures")
