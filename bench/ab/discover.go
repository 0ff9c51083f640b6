package ab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// benchmark is one that both sides have.
type benchmark struct {
	pkg        *Package
	printed    string // as Go prints it, without "Benchmark" and the number of processors
	name       string // as reports have it: the package before it
	procs      int
	iterations int
	before     int           // iterations of a run for the set-up
	setUp      time.Duration // processor time of such a run, about
	clock      Clock         // CPU or Wall
	shortest   float64       // seconds of an operation, by the wall's clock, of the fastest run that was seen
	expected   time.Duration // that a pair takes

	rows    [3]*verdict.Row // time, bytes, allocations; nil where it has none
	other   [2][]float64    // times by the other clock
	figures [2][]line       // as printed
	reason  string          // why it could not be measured to its end
}

// The rows of a benchmark.
const (
	timeRow = iota
	bytesRow
	allocsRow
)

// units are those of rows, as reports have them, and as Go prints them.
var (
	units        = [3]string{"sec/op", "B/op", "allocs/op"}
	printedUnits = [3]string{"ns/op", "B/op", "allocs/op"}
)

// decided reports whether no row of the benchmark needs more rounds.
func (b *benchmark) decided() bool {
	if b.reason != "" {
		return true
	}
	for _, row := range b.rows {
		if row != nil && !row.Decided() {
			return false
		}
	}
	return true
}

// found are the benchmarks that one side of a package has.
type found struct {
	lines  []line
	failed map[string]string // by top-level name: why it gave no figures
}

// discover lists the benchmarks of all packages by running each for one iteration.
func (r *runner) discover(ctx context.Context) error {
	for i, p := range r.in(Measured) {
		r.options.tell(Progress{Doing: fmt.Sprintf("listing benchmarks of package %d of %d", i+1, len(r.in(Measured)))})
		var sides [2]found
		for side := range sides {
			sides[side] = r.once(ctx, p, side)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		r.pair(p, sides)
	}
	if err := r.setIterations(ctx); err != nil {
		return err
	}
	for _, b := range r.benchmarks {
		r.addRows(b)
	}
	return nil
}

// allProcs lists the numbers of processors that benchmarks run with.
func (r *runner) allProcs() []int {
	if procs, err := r.options.procs(); err == nil && procs != nil {
		return procs
	}
	if r.options.Core != NoCore && len(r.cores) > 0 {
		return []int{1} // there is one core to run on
	}
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); err == nil && n > 0 {
		return []int{n}
	}
	return []int{runtime.NumCPU()}
}

// once runs all benchmarks of a package for one iteration. When one of them ends the
// program, each function is run by itself.
func (r *runner) once(ctx context.Context, p *Package, side int) found {
	f := found{failed: make(map[string]string)}
	for _, procs := range r.allProcs() {
		out, err := r.start(ctx, p, side, 0, r.options.Bench, "1x", procs, r.patience())
		if err == nil {
			f.lines = append(f.lines, procLines(out.out, procs)...)
			continue
		}
		if ctx.Err() != nil {
			return f
		}
		for _, function := range r.functions(ctx, p, side) {
			_, rest, _ := strings.Cut(r.options.Bench, "/")
			pattern := "^" + function + "$"
			if rest != "" {
				pattern += "/" + rest
			}
			out, err := r.start(ctx, p, side, 0, pattern, "1x", procs, r.patience())
			f.lines = append(f.lines, procLines(out.out, procs)...)
			if err != nil {
				f.failed[strings.TrimPrefix(function, "Benchmark")] = failure(out.out, err)
			}
			if ctx.Err() != nil {
				return f
			}
		}
	}
	return f
}

// procLines reads lines that were printed with a number of processors.
func procLines(out []byte, procs int) []line {
	lines := parseLines(string(out))
	for i := range lines {
		lines[i].name = withoutProcs(lines[i].name, procs)
		lines[i].procs = procs
	}
	return lines
}

// failure says how a benchmark failed, from what it printed.
func failure(out []byte, err error) string {
	text := string(out)
	var late errTimeout
	if errors.As(err, &late) {
		return late.Error()
	}
	for line := range strings.Lines(text) {
		if _, message, ok := strings.Cut(line, "_test.go:"); ok && strings.HasPrefix(line, " ") {
			return strings.TrimSpace(message)
		}
	}
	var failed *processError
	if errors.As(err, &failed) {
		for line := range strings.Lines(failed.messages + text) {
			if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
				return strings.TrimSpace(line)
			}
		}
	}
	return err.Error()
}

// patience is how long a package may take for one iteration of all of its benchmarks.
func (r *runner) patience() time.Duration {
	return max(10*time.Second, time.Until(r.end)/4).Round(time.Second)
}

// functions lists the benchmarks of a test binary that the pattern matches.
func (r *runner) functions(ctx context.Context, p *Package, side int) []string {
	pattern, _, _ := strings.Cut(r.options.Bench, "/")
	c := process{args: []string{p.binaries[side][0], "-test.list=" + pattern}, dir: p.dirs[side], core: NoCore, timeout: 10 * time.Second}
	out, err := c.run(ctx, r.scratch)
	if err != nil {
		return nil
	}
	var functions []string
	for word := range strings.FieldsSeq(string(out.out)) {
		if isBenchmarkName(word) {
			functions = append(functions, word)
		}
	}
	return functions
}

// start runs benchmarks of a package in one process.
func (r *runner) start(ctx context.Context, p *Package, side, layout int, pattern, benchTime string, procs int, timeout time.Duration) (outcome, error) {
	return r.startOn(ctx, p, side, layout, pattern, benchTime, procs, timeout, r.core(procs), false)
}

// core chooses a core for a pair of processes.
func (r *runner) core(procs int) int {
	switch {
	case r.options.Core == NoCore || procs > 1 || len(r.cores) == 0:
		return NoCore
	case r.options.Core >= 0:
		return r.options.Core
	}
	return r.cores[r.rng.IntN(len(r.cores))]
}

func (r *runner) startOn(ctx context.Context, p *Package, side, layout int, pattern, benchTime string, procs int, timeout time.Duration, core int, watch bool) (outcome, error) {
	c := process{
		args: []string{p.binaries[side][layout], "-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + benchTime,
			"-test.benchmem", "-test.cpu=" + strconv.Itoa(procs)},
		dir: p.dirs[side], core: core, timeout: timeout, watch: watch, env: []string{"TMPDIR=" + r.scratch.path("tmp")},
	}
	return c.run(ctx, r.scratch)
}

// pair matches the benchmarks of both sides, and reports those that only one has.
func (r *runner) pair(p *Package, sides [2]found) {
	type key struct {
		name  string
		procs int
	}
	has := [2]map[key]bool{{}, {}}
	for side, f := range sides {
		for _, l := range f.lines {
			has[side][key{l.name, l.procs}] = true
		}
	}
	seen := make(map[key]bool)
	many := len(r.allProcs()) > 1
	for _, l := range slices.Concat(sides[oldSide].lines, sides[newSide].lines) {
		k := key{l.name, l.procs}
		if seen[k] {
			continue
		}
		seen[k] = true
		b := &benchmark{pkg: p, printed: l.name, procs: l.procs, name: p.name + "." + l.name}
		if many || r.options.CPU != "" && l.procs != 1 {
			b.name += "-" + strconv.Itoa(l.procs)
		}
		switch {
		case r.options.isExcluded(b.name):
		case has[oldSide][k] && has[newSide][k]:
			r.benchmarks = append(r.benchmarks, b)
		case has[oldSide][k]:
			reason := "the new side does not have it"
			if failure := sides[newSide].failed[topLevel(l.name)]; failure != "" {
				reason = "it fails on the new side: " + failure
			}
			r.missing(b.name, reason)
		case sides[oldSide].failed[topLevel(l.name)] != "":
			r.missing(b.name, "it fails on the old side: "+sides[oldSide].failed[topLevel(l.name)])
		default:
			r.report.New = append(r.report.New, b.name)
		}
	}
	for function, reason := range sides[newSide].failed {
		if other, both := sides[oldSide].failed[function]; both {
			r.note("%s.%s fails on both sides: %s", p.name, function, other)
		} else if !slices.ContainsFunc(sides[oldSide].lines, func(l line) bool { return topLevel(l.name) == function }) {
			r.note("%s.%s fails on the new side: %s", p.name, function, reason)
		}
	}
}

// topLevel is the function of a benchmark.
func topLevel(name string) string {
	function, _, _ := strings.Cut(name, "/")
	return function
}

// missing reports a benchmark that only one side has figures of.
func (r *runner) missing(name, reason string) {
	r.report.Rows = append(r.report.Rows, unmeasured(name, verdict.Missing, reason, r.options.limit(name)))
}

// exactly is the pattern that matches a benchmark and no other.
func exactly(name string) string {
	elements := strings.Split("Benchmark"+name, "/")
	for i, element := range elements {
		elements[i] = "^" + regexp.QuoteMeta(element) + "$"
	}
	return strings.Join(elements, "/")
}

// sampleOf returns the work of a sample: what the user chose, or what [SampleTime] says.
func (r *runner) sampleOf() sampleTime {
	s, err := r.options.benchTime()
	if err == nil && s != (sampleTime{}) {
		return s
	}
	return sampleTime{duration: SampleTime(len(r.benchmarks), time.Until(r.end))}
}

// processTime is about what a process of a test binary takes beside the benchmark.
const processTime = 8 * time.Millisecond

// SampleTime is how long a sample keeps a processor busy, so that sixty rounds of so many
// benchmarks fit into the time that is left: from 20 to 50 milliseconds.
func SampleTime(benchmarks int, left time.Duration) time.Duration {
	const rounds, least, most = 60, 20 * time.Millisecond, 50 * time.Millisecond
	return max(least, min(most, left/time.Duration(2*rounds*max(1, benchmarks))-2*processTime))
}

// Cost is about how long so many benchmarks take that are decided after so many rounds on
// average, on a machine that nobody else uses, without the builds.
func Cost(benchmarks int, rounds float64, left time.Duration) time.Duration {
	sample := SampleTime(benchmarks, left) + processTime
	const samples, short = 6, 9 // that it takes to find iterations
	finding := samples*sample + short*2*processTime
	return time.Duration(float64(benchmarks) * (2*rounds*float64(sample+processTime) + float64(finding)))
}

// setIterations finds for each benchmark how many iterations a sample has, what the
// process takes beside them, and which clock suits it.
func (r *runner) setIterations(ctx context.Context) error {
	s := r.sampleOf()
	for i, b := range r.benchmarks {
		r.options.tell(Progress{Doing: "finding iterations", Rows: len(r.benchmarks), Decided: i})
		err := r.findIterations(ctx, b, s)
		if isOver(ctx, err) {
			return ctx.Err()
		}
		if err != nil {
			b.reason = err.Error()
		}
	}
	return nil
}

// mostIterations bounds what an operation that takes no time can ask for.
const mostIterations = 1_000_000_000

// findIterations grows the number of iterations of the old side until a sample keeps a
// processor for long enough, however long it has to wait for one, and then calibrates. A
// benchmark that waits for other things gets as many as the wall's clock allows.
func (r *runner) findIterations(ctx context.Context, b *benchmark, s sampleTime) error {
	if s.iterations > 0 {
		b.iterations = s.iterations
		return r.calibrate(ctx, b)
	}
	const patience = 8 // times as long a process may take by the wall's clock
	b.iterations = 1
	start := time.Duration(0)
	for range 16 {
		f, err := r.sample(ctx, b, oldSide, 0, b.iterations, r.core(b.procs), false)
		if err != nil {
			return fmt.Errorf("it fails on the old side: %w", err)
		}
		wall := seconds(f.wall * float64(b.iterations))
		took := f.processor - start
		if b.iterations == 1 {
			start, took = f.processor, min(wall, f.processor)
		}
		if b.iterations >= mostIterations || took >= s.duration*2/3 || wall >= patience*s.duration {
			break
		}
		growth := min(100, float64(s.duration)/float64(max(took, 10*time.Microsecond)))
		b.iterations = int(min(mostIterations, max(float64(b.iterations)*growth, float64(b.iterations)+1)))
	}
	if err := r.calibrate(ctx, b); err != nil || b.clock == CPU {
		return err
	}
	if n := s.duration.Seconds() / b.shortest; n < float64(b.iterations) {
		b.iterations = max(1, int(n))
		return r.calibrate(ctx, b)
	}
	return nil
}

// setUpPart is the part of the iterations of a sample that a run for the set-up has.
const setUpPart = 50

// calibrate finds out which clock suits a benchmark, and about what a process takes beside
// the iterations, by runs of a fiftieth of them: Go runs a benchmark for one iteration
// before it runs it for n, so that nothing but iterations is left of the difference to a
// sample.
func (r *runner) calibrate(ctx context.Context, b *benchmark) error {
	const times = 3
	var setUps []float64
	var cpu, ready, elapsed, shortest float64
	b.before, b.expected = max(2, b.iterations/setUpPart), 0
	for range times {
		core, begin := r.core(b.procs), time.Now()
		for _, side := range r.rng.Perm(2) {
			f, err := r.sample(ctx, b, side, 0, b.before, core, false)
			if err != nil {
				return fmt.Errorf("it fails on the %s side: %w", sideNames[side], err)
			}
			setUps = append(setUps, f.processor.Seconds())
			if shortest == 0 || f.wall < shortest {
				shortest = f.wall
			}
		}
		short := time.Since(begin)
		f, err := r.sample(ctx, b, newSide, 0, b.iterations, core, true)
		if err != nil {
			return fmt.Errorf("it fails on the new side: %w", err)
		}
		b.expected += (2*time.Since(begin) - short) / times
		cpu += f.processor.Seconds() / times
		ready += (f.processor + f.queued).Seconds() / times
		elapsed += f.elapsed.Seconds() / times
		shortest = min(shortest, f.wall)
	}
	slices.Sort(setUps)
	b.setUp = seconds(median(setUps))
	b.clock, b.shortest = Wall, shortest
	if r.options.Clock == CPU || r.options.Clock == AutoClock && b.procs == 1 && b.hasSetUp() &&
		b.isBusy(cpu, ready, elapsed, shortest) {
		b.clock = CPU
	}
	return nil
}

// isBusy reports whether a benchmark keeps its processor busy, so that its clock says
// all. On a machine that others use too, a program that waits for a processor looks
// like one that waits for anything else; but not while it is in the queue, where the
// kernel says so, nor in a run so short that nobody interrupts it. A sample that takes
// little more than its set-up says nothing by the processor's clock.
func (b *benchmark) isBusy(cpu, ready, elapsed, shortest float64) bool {
	const part = 0.6
	setUp := b.setUp.Seconds()
	operation := (cpu - setUp) / float64(b.iterations-b.before)
	return cpu > 1.5*setUp && (ready > part*elapsed || operation > part*shortest)
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }
