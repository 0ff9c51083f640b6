package listing

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// Sample is the result of one benchmark in one process.
type Sample struct {
	Name       string             // printed name, without "Benchmark"
	Nth        int                // number of earlier benchmarks with this name in the process
	Of         report.BenchmarkID // as printed
	Iterations int
	Figures    map[string]float64 // printed figures by unit, perhaps not finite; those of ReportMetric with all digits if known

	Wall   float64       // seconds an operation, inside the timers; NaN if the benchmark suppresses it
	CPU    float64       // CPU seconds an operation, all threads; NaN where the timers do not count it
	Run    time.Duration // whole benchmark function, including its untimed sections
	Busy   time.Duration // CPU time of the run
	Queued time.Duration // wait of working threads for a core during the run
	Gap    time.Duration // CPU time of the process before the run, since the end of the last one
	Pairs  int           // timer starts and stops

	Kernel, gapKernel time.Duration // parts of busy and gap in the kernel

	Parallel bool          // it calls RunParallel
	Children bool          // it starts processes and waits for them
	Elapsed  time.Duration // its share of the process
}

// TimePrinted is the unit of an operation's time, as package testing prints it.
const TimePrinted = "ns/op"

// HasTime reports whether the benchmark reports a time of an operation: it may suppress it.
func (s *Sample) HasTime() bool {
	_, ok := s.Figures[TimePrinted]
	return ok
}

// Time returns the seconds of an operation by a clock.
func (s *Sample) Time(clock report.Clock) float64 {
	if clock == report.CPU {
		return s.CPU
	}
	return s.Wall
}

// Figure returns a printed figure, NaN without it.
func (s *Sample) Figure(unit string) float64 {
	if x, ok := s.Figures[unit]; ok {
		return x
	}
	return math.NaN()
}

// ParseSamples returns the results in the output of a benchmark program. Go appends "-4" to names on four processors,
// for one nothing: the suffix of procs is removed.
func ParseSamples(out []byte, procs int) []Sample { return NewSamples(report.Scan(out), procs) }

// NewSamples returns the samples of a file.
func NewSamples(f *report.File, procs int) (samples []Sample) {
	times := make(map[string]int)
	for _, r := range f.Results {
		if r.Iterations < 1 {
			continue
		}
		s := newSample(&r)
		if s.Name = r.Name; procs > 1 {
			s.Name = strings.TrimSuffix(r.Name, "-"+strconv.Itoa(procs))
		}
		s.Of, s.Nth = r.BenchmarkID, times[s.Name]
		times[s.Name]++
		samples = append(samples, s)
	}
	return samples
}

// newSample returns the sample of a result. The overlay adds figures with units such as ur-cpu-ns, and ur:UNIT with all
// digits of a printed figure.
func newSample(r *report.Result) Sample {
	n := float64(r.Iterations)
	s := Sample{Iterations: r.Iterations, Figures: make(map[string]float64), Wall: math.NaN(), CPU: math.NaN()}
	exact, own := make(map[string]float64), make(map[string]float64)
	for _, m := range r.Metrics {
		if unit, ok := strings.CutPrefix(m.Unit, "ur:"); ok {
			exact[unit] = m.Value
		} else if unit, ok := strings.CutPrefix(m.Unit, "ur-"); ok {
			own[unit] = m.Value
		} else {
			s.Figures[m.Unit] = m.Value
		}
	}
	for unit, value := range exact {
		if _, printed := s.Figures[unit]; printed && !slices.Contains(report.BuiltinUnits, unit) {
			s.Figures[unit] = value
		}
	}
	if ns, ok := s.Figures[TimePrinted]; ok {
		s.Wall = ns * 1e-9
	}
	if ns, ok := own["wall-ns"]; ok {
		s.Wall = ns * 1e-9 / n
	}
	if ns, ok := own["cpu-ns"]; ok {
		s.CPU = ns * 1e-9 / n
	}
	s.Run, s.Busy, s.Pairs, s.Parallel = time.Duration(own["run-ns"]), time.Duration(own["busy-ns"]), int(own["pairs"]), own["parallel"] > 0
	s.Children = own["children"] > 0
	s.Gap, s.Kernel, s.gapKernel = time.Duration(own["gap-ns"]), time.Duration(own["kernel-ns"]), time.Duration(own["gap-kernel-ns"])
	s.Queued = min(max(0, s.Run-s.Busy), time.Duration(max(0, own["queued-ns"])))
	if s.Run == 0 && s.Wall > 0 {
		s.Run = time.Duration(1e9 * s.Wall * n)
	}
	return s
}

// ErrNoFigures reports a benchmark without valid figures.
var ErrNoFigures = errors.New(frame.NoFigures)

// ErrSkips reports a benchmark that calls Skip, perhaps for some numbers of iterations only.
var ErrSkips = errors.New("skips")

// UserTime is a CPU time without the part in the kernel, such as page faults, which a counter does not slow down. The
// kernel measures its part in ticks, so a short time is returned whole.
func UserTime(all, kernel time.Duration) time.Duration {
	const long, most = 20 * time.Millisecond, 4 // times the user time
	if all < long {
		return all
	}
	return max(all/most, all-kernel)
}

// TimedWork is the time of a run inside the timers; 0 if the benchmark suppresses it.
func TimedWork(s *Sample) time.Duration {
	if math.IsNaN(s.Wall) {
		return 0
	}
	return time.Duration(1e9 * s.Wall * float64(s.Iterations))
}
