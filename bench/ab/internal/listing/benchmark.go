package listing

import (
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// Package is a package with what its processes take beside benchmarks.
type Package struct {
	*reach.Package
	Overhead time.Duration // CPU time of a process outside its benchmarks
	observed bool          // overhead is known
	Slowdown float64       // wall-clock over CPU time of its processes
}

// Benchmark is a benchmark of both sides. Nothing changes it once it is listed.
type Benchmark struct {
	Pkg      *Package
	Printed  string             // name as Go prints it, without "Benchmark" and the number of processors
	Nth      int                // number of benchmarks with this name before it in its process
	Name     string             // name in reports: package and printed name
	ID       report.BenchmarkID // in the output of commands
	Procs    int                // GOMAXPROCS
	Parallel bool               // it calls RunParallel
	Reach    reach.Change
	First    [2]Sample // one iteration on each side

	SharedSetUp time.Duration // CPU time of its function before all sub-benchmarks, once in a process

	Failure *Failure // why it cannot be measured; nil if it can
}

// Failure is why a benchmark cannot be measured.
type Failure struct {
	As      verdict.Verdict // its verdict: Missing or NotJudged
	Reason  string
	Neither bool // neither side has figures
	Both    bool // both sides have figures, in other settings or units
}

// Function is the name of the benchmark function.
func (b *Benchmark) Function() string { return "Benchmark" + TopLevel(b.Printed) }

// HasLongSetUp reports whether the benchmark's function does much before its sub-benchmarks: they share a process.
func (b *Benchmark) HasLongSetUp() bool { return b.SharedSetUp > b.Pkg.Overhead+LongSetUp }

// Process is a benchmark, or all benchmarks of a function.
type Process struct {
	pkg  *Package
	name string
	nth  int
}

// FunctionKey returns the key of all benchmarks of the function.
func (b *Benchmark) FunctionKey() Process { return Process{pkg: b.Pkg, name: b.Function()} }

// Process returns the key of what runs in one process: all benchmarks of a function share its long set-up.
func (b *Benchmark) Process() Process {
	if b.HasLongSetUp() {
		return b.FunctionKey()
	}
	return Process{b.Pkg, b.FullName(), b.Nth}
}

// TopLevel is the first element of a benchmark's name.
func TopLevel(name string) string {
	function, _, _ := strings.Cut(name, "/")
	return function
}

// FullName is the name as Go prints it.
func (b *Benchmark) FullName() string {
	if b.Procs == 1 {
		return "Benchmark" + b.Printed
	}
	return "Benchmark" + b.Printed + "-" + strconv.Itoa(b.Procs)
}

// ProcessTime is the approximate time of a test binary's process outside the benchmark.
const ProcessTime = 8 * time.Millisecond

// LongSetUp is the least time outside of benchmarks for them to share a process, and longSample the most work of
// a sample in such a process.
const (
	LongSetUp  = 100 * time.Millisecond
	LongSample = 250 * time.Millisecond
)
