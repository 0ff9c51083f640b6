package experiment

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// Subject is a piece of work that is measured. It serves one goroutine.
type Subject interface {
	// Name is that of its benchmark as Go writes it, without its prefix and the number
	// of threads behind it: "Value/board=array16/eval=avx2". What stands behind the
	// first slash are parts key=value without a slash in the value.
	Name() string

	// Unit is the time for each unit of work: "ns/eval", "us/game". In front of the
	// slash stands ns, us, ms or s.
	Unit() string

	// Check does the work once, untimed, and compares every answer with that of the
	// oracle. It is called before the subject is timed.
	Check() error

	// Pass does a fixed amount of work and returns how many units that was. It is what
	// is timed.
	Pass() (units float64, err error)
}

// Meter is a [Subject] that tells more than its time.
type Meter interface {
	Subject

	// Metrics returns what a time of a unit of work amounts to in other units: games a
	// second beside microseconds a game.
	Metrics(perUnit float64) []Metric
}

// Metric is a figure with its unit, as Go's benchmark format has it.
type Metric struct {
	Value float64
	Unit  string
}

// Benchmark is what a run has samples of.
type Benchmark struct {
	Name    string // as that of a [Subject]
	Unit    string
	Metrics func(perUnit float64) []Metric // beside the time; nil for none
}

// benchmarkOf describes a subject.
func benchmarkOf(s Subject) Benchmark {
	b := Benchmark{Name: s.Name(), Unit: s.Unit()}
	if meter, ok := s.(Meter); ok {
		b.Metrics = meter.Metrics
	}
	return b
}

// FullName is the name as it stands in a file behind "Benchmark", with GOMAXPROCS behind
// it as Go has it.
func FullName(name string) string {
	if procs := runtime.GOMAXPROCS(0); procs != 1 {
		return fmt.Sprintf("%s-%d", name, procs)
	}
	return name
}

// Work names what a unit counts: "game" of "us/game".
func Work(unit string) string {
	_, work, _ := strings.Cut(unit, "/")
	return work
}

// nanoseconds are those of a unit of time.
var nanoseconds = map[string]float64{"ns": 1, "us": 1e3, "µs": 1e3, "μs": 1e3, "ms": 1e6, "s": 1e9, "sec": 1e9}

// Nanoseconds is how many of them the time of a unit has: 1000 of "us/game". It is 0 of
// a unit that is no time for each of something.
func Nanoseconds(unit string) float64 {
	time, work, _ := strings.Cut(unit, "/")
	if work == "" {
		return 0
	}
	return nanoseconds[time]
}

// PerUnit is the time of a unit of work, in the unit. A clock may be too coarse to see a
// short sample: that takes a nanosecond.
func PerUnit(elapsed time.Duration, units float64, unit string) float64 {
	return float64(max(elapsed, 1).Nanoseconds()) / Nanoseconds(unit) / units
}

// checkName says what is wrong with the name or the unit of a subject.
func checkName(b Benchmark) error {
	if Nanoseconds(b.Unit) == 0 {
		return fmt.Errorf("benchmark %s: the unit %q is no time for each of something, as ns/op is", b.Name, b.Unit)
	}
	base, parts, _ := strings.Cut(b.Name, "/")
	if base == "" || strings.ContainsAny(b.Name, " \t\r\n") {
		return fmt.Errorf("benchmark %q: a name has no space in it, and something before its first slash", b.Name)
	}
	for part := range strings.SplitSeq(parts, "/") {
		if key, _, ok := strings.Cut(part, "="); parts != "" && (!ok || key == "") {
			return fmt.Errorf("benchmark %s: %q is no part key=value", b.Name, part)
		}
	}
	return nil
}

// CheckError says that a subject does not come to the answers of its oracle, or to none,
// so that its speed means nothing.
type CheckError struct {
	Name string // of the benchmark
	Err  error
}

func (e *CheckError) Error() string { return e.Err.Error() }
func (e *CheckError) Unwrap() error { return e.Err }
