package ab

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// testPackage is a package with benchmarks, and its test binaries.
type testPackage struct {
	*report.Package
	name     string                // short name, begins the names of its benchmarks
	file     string                // begins the names of its links
	dirs     [2]string             // working folders of the binaries
	binaries [2]string             // binaries with symbols: listed, counted and profiled
	links    [2]*build.LinkCommand // links the binaries again; nil if that is impossible
	messages [2]string             // errors of failed builds
	args     [2][]string           // the user's arguments of the binaries
	env      [2][]string           // added to the environment of the binaries
	tests    report.Tests          // origin of its test files
	gone     string                // reason of benchmarks that the new side does not have

	reach map[string]reach.Change // reached code by benchmark function
	traps map[string]bool         // functions of the new side that show the change if they run; nil where others may show it

	overhead time.Duration // CPU time of a process outside its benchmarks
	observed bool          // overhead is known
	slowdown float64       // wall-clock over CPU time of its processes
}

// benchmark is a benchmark reached by the change, from its listing to the report.
type benchmark struct {
	pkg      *testPackage
	printed  string             // name as Go prints it, without "Benchmark" and the number of processors
	nth      int                // number of benchmarks with this name before it in its process
	name     string             // name in reports: package and printed name
	id       report.BenchmarkID // in the output of commands
	procs    int                // GOMAXPROCS
	parallel bool               // it calls RunParallel
	reach    reach.Change
	first    [2]sample // one iteration on each side

	sharedSetUp time.Duration // CPU time of its function before all sub-benchmarks, once in a process

	countIterations int           // iterations of a count, the same on both sides
	expected        time.Duration // duration of a round
	alone           bool          // runs beside no other process

	state    state
	reason   string          // reason of a benchmark that is not judged
	neither  bool            // neither side has figures
	both     bool            // both sides have figures, in other settings or units
	repaired bool            // only the old side fails
	as       verdict.Verdict // its verdict then: Missing or NotJudged

	// A benchmark whose new side did not end has no sample there, but takes at least this many seconds.
	atLeast float64
}

// state is how far a benchmark is. It only moves forward.
type state int

const (
	stateReached   state = iota
	stateCounted         // has a count, or the reason why it has none
	stateTimed           // has a round of times
	stateJudged          // needs no further sample
	stateNotJudged       // cannot be measured, for a reason
)

// advance moves the benchmark forward to a state.
func (b *benchmark) advance(to state) { b.state = max(b.state, to) }

// abandon ends an unmeasurable benchmark.
func (b *benchmark) abandon(as verdict.Verdict, reason string) {
	if b.state < stateNotJudged {
		b.state, b.as, b.reason = stateNotJudged, as, reason
	}
}

// isOpen reports whether the benchmark may get further samples.
func (b *benchmark) isOpen() bool { return b.state < stateJudged }

// function is the name of the benchmark function.
func (b *benchmark) function() string { return "Benchmark" + topLevel(b.printed) }

// needsMachine reports whether the benchmark runs beside no other one.
func (b *benchmark) needsMachine() bool { return b.procs > 1 || b.alone }

// hasLongSetUp reports whether the benchmark's function does much before its sub-benchmarks: they share a process.
func (b *benchmark) hasLongSetUp() bool { return b.sharedSetUp > b.pkg.overhead+longSetUp }

// processKey is a benchmark, or all benchmarks of a function.
type processKey struct {
	pkg  *testPackage
	name string
	nth  int
}

// functionKey returns the key of all benchmarks of the function.
func (b *benchmark) functionKey() processKey { return processKey{pkg: b.pkg, name: b.function()} }

// process returns the key of what runs in one process: all benchmarks of a function share its long set-up.
func (b *benchmark) process() processKey {
	if b.hasLongSetUp() {
		return b.functionKey()
	}
	return processKey{b.pkg, b.fullName(), b.nth}
}

// topLevel is the first element of a benchmark's name.
func topLevel(name string) string {
	function, _, _ := strings.Cut(name, "/")
	return function
}

// fullName is the name as Go prints it.
func (b *benchmark) fullName() string {
	if b.procs == 1 {
		return "Benchmark" + b.printed
	}
	return "Benchmark" + b.printed + "-" + strconv.Itoa(b.procs)
}

// reportName is a benchmark's name in reports. The second one with a name is that of the external
// test package.
func reportName(p *testPackage, printed string, nth int) string {
	name := p.name
	if nth > 0 {
		name += "_test"
	}
	if printed == "" {
		printed = "Benchmark"
	}
	return name + "." + printed
}

// functions returns the reached benchmark functions, in order.
func (p *testPackage) functions() []string {
	var reached []string
	for function, to := range p.reach {
		if to.Code != report.SameCode {
			reached = append(reached, function)
		}
	}
	slices.Sort(reached)
	return reached
}

// divideFunctions divides functions among some processes.
func divideFunctions(functions []string, processes int) [][]string {
	return slices.Collect(slices.Chunk(functions, max(1, (len(functions)+processes-1)/processes)))
}

// processTime is the approximate time of a test binary's process outside the benchmark.
const processTime = 8 * time.Millisecond

// longSetUp is the least time outside of benchmarks for them to share a process, and longSample the most work of
// a sample in such a process.
const (
	longSetUp  = 100 * time.Millisecond
	longSample = 250 * time.Millisecond
)
