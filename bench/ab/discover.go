package ab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// benchmark is a benchmark of both sides.
type benchmark struct {
	pkg      *Package
	printed  string // as Go prints it, without "Benchmark" and the number of processors
	name     string // as reports have it: the package before it
	procs    int
	parallel bool // it calls RunParallel
	together bool // runs in one process with the siblings that it needs

	reach      reach
	iterations int        // of a sample; 0 while unknown
	full       bool       // these iterations fill a sample
	cost       [2]float64 // seconds of an iteration, including its untimed sections
	sized      [2]sized   // last runs that served to find the iterations
	evidence   [][2]sample
	clock      Clock         // CPU or Wall; "" while that is not known
	expected   time.Duration // of a pair

	rows   []*judged
	pairs  [][2]sample // the rounds
	sight  float64     // slowdown to find
	late   int         // samples that took too long
	reason string      // why it could not be measured to its end
}

// function is the name of the function of a benchmark.
func (b *benchmark) function() string { return "Benchmark" + topLevel(b.printed) }

// topLevel is the first element of a benchmark's name.
func topLevel(name string) string {
	function, _, _ := strings.Cut(name, "/")
	return function
}

// done reports whether the benchmark needs no more rounds.
func (b *benchmark) done() bool {
	if b.reason != "" {
		return true
	}
	return b.rows != nil && !slices.ContainsFunc(b.rows, func(j *judged) bool { return j.open(b.sight) })
}

// variant is a benchmark, as printed, with a value of GOMAXPROCS.
type variant struct {
	name  string
	procs int
}

// found holds the benchmarks of one side of a package.
type found struct {
	order   []variant
	ran     map[variant]sample
	failed  map[string]error // by top-level name: why it gave no figures; [errTimeout] of an iteration that takes too long
	skipped []string         // names
}

// add adds runs with a value of GOMAXPROCS.
func (f *found) add(ran []sample, procs int) {
	for _, s := range ran {
		f.order = append(f.order, variant{s.name, procs})
		f.ran[variant{s.name, procs}] = s
	}
}

// discover lists the benchmarks of all packages by running each for one iteration.
func (r *runner) discover(ctx context.Context) error {
	packages := r.report.inState(measuredState)
	for i, p := range packages {
		r.options.show(Progress{Doing: fmt.Sprintf("listing benchmarks of package %d of %d", i+1, len(packages))})
		var sides [2]found
		r.slow = 0
		if err := r.eachSide(func(side int) error {
			sides[side] = found{ran: make(map[variant]sample), failed: make(map[string]error)}
			for _, procs := range r.allProcs() {
				r.once(ctx, p, side, procs, &sides[side])
			}
			return ctx.Err()
		}); err != nil {
			return err
		}
		if names := union(sides[oldSide].skipped, sides[newSide].skipped); len(names) > 0 {
			r.note("skipped by themselves: %s", someOf(text.List(names, func(name string) string { return p.name + "." + name })))
		}
		r.pair(p, sides)
	}
	return nil
}

// allProcs lists the values of GOMAXPROCS to run benchmarks with.
func (r *runner) allProcs() []int {
	procs, _ := r.options.procs() // which were checked
	switch {
	case procs != nil:
		return procs
	case len(r.cores) > 0:
		return []int{1} // there is one core to run on
	}
	return []int{r.mostProcs()}
}

// once runs all benchmarks of a package for one iteration. When one of them ends the
// program, each function is run by itself.
func (r *runner) once(ctx context.Context, p *Package, side, procs int, f *found) {
	start := func(functions []string) (outcome, []sample, error) {
		out, err := r.runTests(ctx, p, side, p.binaries[side], noCore, max(10*time.Second, time.Until(r.end)/4).Round(time.Second),
			nil, benchArgs(functionPattern(functions, r.options.Bench), "1x", procs)...)
		for line := range strings.Lines(string(out.out)) {
			if name, ok := strings.CutPrefix(line, "ur-skip Benchmark"); ok {
				f.skipped = append(f.skipped, strings.TrimSpace(name))
			}
		}
		maps.Copy(r.units, declaredUnits(string(out.out)))
		return out, parseSamples(out.out, procs), err
	}
	out, ran, err := start(p.functions)
	if out.cpu > 0 {
		r.slow = max(1, r.slow, out.wall.Seconds()/out.cpu.Seconds())
	}
	if err == nil {
		p.overhead = out.cpu
		for _, s := range ran {
			p.overhead = max(0, p.overhead-s.busy)
		}
		f.add(ran, procs)
		return
	}
	if len(ran) > 0 { // the last one may have printed some of its figures
		last := topLevel(ran[len(ran)-1].name)
		ran = slices.DeleteFunc(ran, func(s sample) bool { return topLevel(s.name) == last })
	}
	f.add(ran, procs)
	for _, function := range p.functions {
		name := strings.TrimPrefix(function, "Benchmark")
		if ctx.Err() != nil || slices.ContainsFunc(ran, func(s sample) bool { return topLevel(s.name) == name }) {
			continue
		}
		out, own, err := start([]string{function})
		f.add(own, procs)
		if err != nil {
			f.failed[name] = failure(out.out, err)
		}
	}
}

// declaredUnits reads the better directions of units, as in "Unit ns/eval better=lower".
func declaredUnits(out string) map[string]int {
	better := make(map[string]int)
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		switch {
		case len(fields) < 3 || fields[0] != "Unit":
		case slices.Contains(fields[2:], "better=higher"):
			better[fields[1]] = 1
		case slices.Contains(fields[2:], "better=lower"):
			better[fields[1]] = -1
		}
	}
	return better
}

// functionPattern restricts the user's pattern to functions. One with several alternatives
// below functions stays as it is.
func functionPattern(functions []string, bench string) string {
	_, rest, sub := strings.Cut(bench, "/")
	if sub && strings.Contains(bench, "|") {
		return bench
	}
	pattern := "^(" + strings.Join(functions, "|") + ")$"
	if sub {
		pattern += "/" + rest
	}
	return pattern
}

// failure describes the failure of benchmarks from their output. An [errTimeout] stays.
func failure(out []byte, err error) error {
	if late, ok := errors.AsType[errTimeout](err); ok {
		return late
	}
	for line := range strings.Lines(string(out)) {
		if _, message, ok := strings.Cut(line, "_test.go:"); ok && strings.HasPrefix(line, " ") {
			return errors.New(strings.TrimSpace(message))
		}
	}
	if failed, ok := errors.AsType[*processError](err); ok {
		for line := range strings.Lines(failed.messages + string(out)) {
			if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
				return errors.New(strings.TrimSpace(line))
			}
		}
	}
	return err
}

// pair matches the benchmarks of both sides, and reports those of only one side.
func (r *runner) pair(p *Package, sides [2]found) {
	seen := make(map[variant]bool)
	for _, k := range slices.Concat(sides[oldSide].order, sides[newSide].order) {
		b := &benchmark{pkg: p, printed: k.name, procs: k.procs, name: p.name + "." + k.name}
		if len(r.allProcs()) > 1 || r.options.CPU != "" && k.procs != 1 {
			b.name += "-" + strconv.Itoa(k.procs)
		}
		function := topLevel(k.name)
		if seen[k] || slices.Contains(sides[newSide].skipped, k.name) || r.options.isExcluded(b.name) || p.reach[b.function()].code == sameCode {
			continue
		}
		seen[k] = true
		before, ok := sides[oldSide].ran[k]
		after, also := sides[newSide].ran[k]
		failedOld, failedNew := sides[oldSide].failed[function], sides[newSide].failed[function]
		switch late := (errTimeout{}); {
		case ok && also:
			r.addBenchmark(b, before, after)
		case errors.As(cmp.Or(failedOld, failedNew), &late):
			r.add(b.name, verdict.Undecided, "an iteration "+late.Error())
		case ok && failedNew != nil:
			r.missing(b.name, "it fails on the new side: "+failedNew.Error())
		case ok:
			r.missing(b.name, "the new side does not have it")
		case failedOld != nil:
			r.missing(b.name, "it fails on the old side: "+failedOld.Error())
		default:
			r.report.New = append(r.report.New, b.name)
		}
	}
	for function, err := range sides[newSide].failed {
		before, both := sides[oldSide].failed[function]
		switch late := (errTimeout{}); {
		case both && errors.As(before, &late):
			r.add(p.name+"."+function, verdict.Undecided, "an iteration "+late.Error())
		case both:
			r.note("%s.%s fails on both sides: %v", p.name, function, before)
		case !slices.ContainsFunc(sides[oldSide].order, func(k variant) bool { return topLevel(k.name) == function }):
			r.note("%s.%s fails on the new side: %v", p.name, function, err)
		}
	}
}

// addBenchmark adds a benchmark with its first iteration on each side.
func (r *runner) addBenchmark(b *benchmark, before, after sample) {
	if b.reach = b.pkg.reach[b.function()]; b.reach.code == "" {
		b.reach.code = unknownCode
	}
	b.sight = r.options.sight(r.options.limit(b.name))
	if b.parallel = before.parallel || after.parallel; b.parallel && r.options.CPU == "" {
		b.procs = r.mostProcs()
	}
	for side, s := range [2]sample{before, after} {
		if excludes := s.pairs > 1; excludes || s.run > time.Millisecond {
			b.iterations = 1
		}
		b.cost[side] = s.run.Seconds()
		b.sized[side] = sized{1, b.cost[side]}
	}
	r.benchmarks = append(r.benchmarks, b)
}

// anyOf returns the pattern of benchmarks that share a process: a list of names for each level. Those
// that need their siblings run with all of them.
func anyOf(names []string, siblings bool) string {
	var levels [][]string
	for _, name := range names {
		for i, element := range strings.Split("Benchmark"+name, "/") {
			if i == len(levels) {
				levels = append(levels, nil)
			}
			levels[i] = append(levels[i], regexp.QuoteMeta(element))
		}
	}
	if siblings {
		levels = levels[:1]
	}
	return strings.Join(text.List(levels, func(names []string) string {
		slices.Sort(names)
		return "^(" + strings.Join(slices.Compact(names), "|") + ")$"
	}), "/")
}

// mostProcs is the number of processors of a parallel benchmark.
func (r *runner) mostProcs() int {
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); err == nil && n > 0 {
		return n
	}
	return max(1, len(r.cores), runtime.NumCPU())
}
