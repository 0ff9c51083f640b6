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
)

// benchmark is a benchmark of both sides.
type benchmark struct {
	pkg      *Package
	printed  string // as Go prints it, without "Benchmark" and the number of processors
	name     string // as reports have it: the package before it
	procs    int
	parallel bool // it calls RunParallel
	together bool // runs in one process with the siblings that it needs

	code    Code
	changed []string // functions

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

// done reports whether the benchmark needs no more rounds.
func (b *benchmark) done() bool {
	if b.reason != "" {
		return true
	}
	return b.rows != nil && !slices.ContainsFunc(b.rows, func(j *judged) bool { return j.open(b.sight) })
}

// found holds the benchmarks of one side of a package.
type found struct {
	lines  []line
	failed map[string]string // by top-level name: why it gave no figures
	late   map[string]string // likewise, of those that take too long

	skipped  []string       // names
	better   map[string]int // by unit: 1 if its line "Unit" declares that higher is better, -1 if lower
	overhead time.Duration  // CPU time of a process outside its benchmarks
	slow     float64        // elapsed over CPU time
}

// discover lists the benchmarks of all packages by running each for one iteration.
func (r *runner) discover(ctx context.Context) error {
	packages := r.report.inState(Measured)
	for i, p := range packages {
		r.options.tell(Progress{Doing: fmt.Sprintf("listing benchmarks of package %d of %d", i+1, len(packages))})
		var sides [2]found
		err := r.eachSide(func(side int) error {
			sides[side] = r.once(ctx, p, side)
			return ctx.Err()
		})
		if err != nil {
			return err
		}
		p.overhead, r.slow = sides[newSide].overhead, max(sides[oldSide].slow, sides[newSide].slow)
		r.addRemarks(p, sides)
		r.pair(p, sides)
	}
	return nil
}

// addRemarks keeps the directions of units, and names the skipped benchmarks.
func (r *runner) addRemarks(p *Package, sides [2]found) {
	for _, f := range sides {
		maps.Copy(r.units, f.better)
	}
	var names []string
	for _, name := range union(sides[oldSide].skipped, sides[newSide].skipped) {
		names = append(names, p.name+"."+name)
	}
	if len(names) > 0 {
		r.note("skipped by themselves: %s", someOf(names))
	}
}

// allProcs lists the values of GOMAXPROCS to run benchmarks with.
func (r *runner) allProcs() []int {
	if procs, err := r.options.procs(); err == nil && procs != nil {
		return procs
	}
	if len(r.cores) > 0 {
		return []int{1} // there is one core to run on
	}
	return []int{r.mostProcs()}
}

// once runs all benchmarks of a package for one iteration. When one of them ends the
// program, each function is run by itself.
func (r *runner) once(ctx context.Context, p *Package, side int) found {
	f := found{failed: make(map[string]string), late: make(map[string]string), better: make(map[string]int)}
	for _, procs := range r.allProcs() {
		out, err := r.start(ctx, p, side, p.pattern(r.options.Bench), procs)
		lines := procLines(out.out, procs)
		if ctx.Err() != nil {
			return f
		}
		f.readRemarks(string(out.out))
		if out.cpu > 0 {
			f.slow = max(1, out.wall.Seconds()/out.cpu.Seconds())
		}
		if err == nil {
			f.overhead = out.cpu
			for _, l := range lines {
				f.overhead = max(0, f.overhead-newSample(l).busy)
			}
			f.lines = append(f.lines, lines...)
			continue
		}
		last := "" // it may have printed some of its figures
		if len(lines) > 0 {
			last = topLevel(lines[len(lines)-1].name)
		}
		known := make(map[string]bool)
		for _, l := range lines {
			if name := topLevel(l.name); name != last {
				f.lines = append(f.lines, l)
				known["Benchmark"+name] = true
			}
		}
		for _, function := range p.functions {
			if known[function] {
				continue
			}
			one := &Package{functions: []string{function}}
			out, err := r.start(ctx, p, side, one.pattern(r.options.Bench), procs)
			f.lines = append(f.lines, procLines(out.out, procs)...)
			var late errTimeout
			switch name := strings.TrimPrefix(function, "Benchmark"); {
			case errors.As(err, &late):
				f.late[name] = "an iteration " + late.Error()
			case err != nil:
				f.failed[name] = failure(out.out, err)
			}
			if ctx.Err() != nil {
				return f
			}
		}
	}
	return f
}

// readRemarks reads the lines beside those of benchmarks: names of skipped ones, and units with
// their better direction.
func (f *found) readRemarks(out string) {
	for line := range strings.Lines(out) {
		if name, ok := strings.CutPrefix(line, "ur-skip Benchmark"); ok {
			f.skipped = append(f.skipped, strings.TrimSpace(name))
		}
	}
	maps.Copy(f.better, declaredUnits(out))
}

// declaredUnits reads the better directions of units, as in "Unit ns/eval better=lower".
func declaredUnits(out string) map[string]int {
	better := make(map[string]int)
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[0] != "Unit" {
			continue
		}
		for _, field := range fields[2:] {
			switch field {
			case "better=higher":
				better[fields[1]] = 1
			case "better=lower":
				better[fields[1]] = -1
			}
		}
	}
	return better
}

// pattern restricts the user's pattern to the benchmarks to measure. One with several alternatives
// below functions stays as it is.
func (p *Package) pattern(bench string) string {
	_, rest, sub := strings.Cut(bench, "/")
	if sub && strings.Contains(bench, "|") {
		return bench
	}
	pattern := "^(" + strings.Join(p.functions, "|") + ")$"
	if sub {
		pattern += "/" + rest
	}
	return pattern
}

// procLines parses lines printed with a value of GOMAXPROCS.
func procLines(out []byte, procs int) []line {
	lines := parseLines(string(out))
	for i := range lines {
		lines[i].name = withoutProcs(lines[i].name, procs)
		lines[i].procs = procs
	}
	return lines
}

// failure describes the failure of a benchmark, from its output.
func failure(out []byte, err error) string {
	text := string(out)
	if late, ok := errors.AsType[errTimeout](err); ok {
		return late.Error()
	}
	for line := range strings.Lines(text) {
		if _, message, ok := strings.Cut(line, "_test.go:"); ok && strings.HasPrefix(line, " ") {
			return strings.TrimSpace(message)
		}
	}
	if failed, ok := errors.AsType[*processError](err); ok {
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

// start runs benchmarks of a package for one iteration each.
func (r *runner) start(ctx context.Context, p *Package, side int, pattern string, procs int) (outcome, error) {
	c := program{args: benchArgs(p.binaries[side], pattern, "1x", procs), dir: p.dirs[side], core: noCore,
		timeout: r.patience(), env: []string{"TMPDIR=" + r.scratch.path("tmp")}}
	return c.run(ctx)
}

// core chooses a core for a pair of processes.
func (r *runner) core(procs int) int {
	if procs > 1 || len(r.cores) == 0 {
		return noCore
	}
	return r.cores[r.rng.IntN(len(r.cores))]
}

// pair matches the benchmarks of both sides, and reports those of only one side.
func (r *runner) pair(p *Package, sides [2]found) {
	type key struct {
		name  string
		procs int
	}
	has := [2]map[key]line{{}, {}}
	for side, f := range sides {
		for _, l := range f.lines {
			has[side][key{l.name, l.procs}] = l
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
		before, ok := has[oldSide][k]
		after, also := has[newSide][k]
		function := topLevel(l.name)
		if slices.Contains(sides[newSide].skipped, l.name) {
			continue // noted
		}
		switch late := cmp.Or(sides[oldSide].late[function], sides[newSide].late[function]); {
		case r.options.isExcluded(b.name), p.code[b.function()] == SameCode:
		case ok && also:
			b.begin(newSample(before), newSample(after))
			if b.parallel && r.options.CPU == "" {
				b.procs = r.mostProcs()
			}
			b.code, b.changed = cmp.Or(p.code[b.function()], UnknownCode), p.changed[b.function()]
			b.sight = r.options.sight(r.options.limit(b.name))
			r.benchmarks = append(r.benchmarks, b)
		case late != "":
			r.late(b.name, late)
		case ok:
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
	for function, reason := range sides[oldSide].late {
		if _, both := sides[newSide].late[function]; both {
			r.late(p.name+"."+function, reason)
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

// exactly returns a pattern that matches only this benchmark.
func exactly(name string) string {
	elements := strings.Split("Benchmark"+name, "/")
	for i, element := range elements {
		elements[i] = "^" + regexp.QuoteMeta(element) + "$"
	}
	return strings.Join(elements, "/")
}

// function is the name of the function of a benchmark.
func (b *benchmark) function() string { return "Benchmark" + topLevel(b.printed) }

// begin records the first iteration of each side.
func (b *benchmark) begin(before, after sample) {
	b.parallel = before.parallel || after.parallel
	for side, s := range [2]sample{before, after} {
		if excludes := s.pairs > 1; excludes || s.run > time.Millisecond {
			b.iterations = 1
		}
		b.cost[side] = s.run.Seconds()
		b.sized[side] = sized{1, b.cost[side]}
	}
}

// mostProcs is the number of processors of a parallel benchmark.
func (r *runner) mostProcs() int {
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); err == nil && n > 0 {
		return n
	}
	return max(1, len(r.cores), runtime.NumCPU())
}

func seconds(s float64) time.Duration { return time.Duration(s * 1e9) }
