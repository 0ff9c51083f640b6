package experiment

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Subject is a timed piece of work. It serves one goroutine.
type Subject interface {
	// Name is the name of the benchmark as Go writes it, without its prefix and the number of
	// threads: "Value/board=array16/eval=avx2". The parts after the first slash are key=value,
	// without a slash in the value.
	Name() string

	// Unit is the time of a unit of work: "ns/eval", "us/game". The unit of time is ns,
	// us, ms or s.
	Unit() string

	// Check does the work once, untimed, and compares every answer with the oracle's. It is
	// called before the subject is timed.
	Check() error

	// Pass does a fixed amount of work and returns its number of units. Only Pass is timed.
	Pass() (units float64, err error)
}

// MetricReporter is a [Subject] with more to report than its time.
type MetricReporter interface {
	Subject

	// Describe fills in fields of the benchmark besides its name and unit.
	Describe(*Benchmark)
}

// Sampler takes samples itself, of one benchmark or of several at a time: an external program,
// or a figure other than the time of a pass.
type Sampler interface {
	// Begin prepares the sampler, untimed, and returns its benchmarks, and a note for the
	// user, "" for none.
	Begin(ctx context.Context) (benchmarks []Benchmark, note string, err error)

	// Sample returns a figure for each of the benchmarks.
	Sample(ctx context.Context) (figures []float64, err error)
}

// Benchmark describes one series of samples.
type Benchmark struct {
	Name string // as that of a [Subject]
	Unit string // of the samples: a time, or another figure of a [Sampler]

	// Base is the reference benchmark of ratios, with samples of the same round; "" for none.
	Base string

	// Work is a signature of the work and its answers: figures of different work are not
	// comparable. "" where the name identifies the work.
	Work string

	// Clock is the clock of the benchmark; "" means the clock of the run.
	Clock Clock

	// Most is the maximum number of samples; 0 means that of the run. A deterministic figure
	// needs one.
	Most int

	// Metrics returns figures derived from a sample: games a second from microseconds a game;
	// nil for none.
	Metrics func(perUnit float64) []Metric

	// Annotate completes the row that summarizes the samples; nil for none.
	Annotate func(*Row)
}

// Metric is a figure with its unit, as Go's benchmark format has it.
type Metric struct {
	Value float64
	Unit  string
}

// Describe returns the benchmark of a subject.
func Describe(s Subject) Benchmark {
	b := Benchmark{Name: s.Name(), Unit: s.Unit()}
	if d, ok := s.(MetricReporter); ok {
		d.Describe(&b)
	}
	return b
}

// metrics are the figures derived from a sample.
func (b Benchmark) metrics(perUnit float64) []Metric {
	if b.Metrics == nil {
		return nil
	}
	return b.Metrics(perUnit)
}

// count is the number of samples in a run of n rounds.
func (b Benchmark) count(n int) int {
	if b.Most > 0 {
		return min(b.Most, n)
	}
	return n
}

// Keys are the parts key=value of a benchmark's name.
func Keys(name string) map[string]string {
	_, parts, _ := strings.Cut(name, "/")
	keys := make(map[string]string)
	for part := range strings.SplitSeq(parts, "/") {
		if key, value, ok := strings.Cut(part, "="); ok {
			keys[key] = value
		}
	}
	return keys
}

// FullName is the name in a file behind "Benchmark", with GOMAXPROCS behind it as Go has
// it.
func FullName(name string) string {
	if procs := runtime.GOMAXPROCS(0); procs != 1 {
		return fmt.Sprintf("%s-%d", name, procs)
	}
	return name
}

// Work names the thing counted by a unit: "game" of "us/game".
func Work(unit string) string {
	_, work, _ := strings.Cut(unit, "/")
	return work
}

// nanoseconds are those of a unit of time.
var nanoseconds = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9}

// Nanoseconds is the length of the unit's time in nanoseconds: 1000 for "us/game". It is 0 for
// a unit that is not a time for each of something.
func Nanoseconds(unit string) float64 {
	time, work, _ := strings.Cut(unit, "/")
	if work == "" {
		return 0
	}
	return nanoseconds[time]
}

// PerUnit returns the elapsed time per unit of work, converted to unit. A sample too
// short for the clock counts as 1 ns.
func PerUnit(elapsed time.Duration, units float64, unit string) float64 {
	return float64(max(elapsed, 1).Nanoseconds()) / Nanoseconds(unit) / units
}

// check checks the name and the unit of a benchmark.
func (b Benchmark) check() error {
	base, parts, _ := strings.Cut(b.Name, "/")
	if base == "" || strings.ContainsAny(b.Name, " \t\r\n") {
		return fmt.Errorf("invalid benchmark name %q (want no space, and something before the first slash)", b.Name)
	}
	for part := range strings.SplitSeq(parts, "/") {
		if key, _, ok := strings.Cut(part, "="); parts != "" && (!ok || key == "") {
			return fmt.Errorf("benchmark %s: invalid part %q (want key=value)", b.Name, part)
		}
	}
	if Work(b.Unit) == "" || strings.ContainsAny(b.Unit, " \t\r\n") {
		return fmt.Errorf("benchmark %s: invalid unit %q (want one as in ns/op)", b.Name, b.Unit)
	}
	return nil
}

// checkTimed also wants a unit of time.
func (b Benchmark) checkTimed() error {
	if Nanoseconds(b.Unit) == 0 {
		return fmt.Errorf("benchmark %s: unit %q does not measure time (want a unit such as ns/op)", b.Name, b.Unit)
	}
	return b.check()
}

// CheckError reports a subject whose answers differ from its oracle's, or are missing, so its
// speed is meaningless.
type CheckError struct {
	Name string // of the benchmark
	Err  error
}

func (e *CheckError) Error() string { return e.Err.Error() }
func (e *CheckError) Unwrap() error { return e.Err }
