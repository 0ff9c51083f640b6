package ab

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// A benchmark can reach far more than it runs: all methods of the types that it makes. So the functions of the
// new side that differ, and those that refer to data that differs, get a trap, an instruction that ends the process.
// A benchmark that runs with the traps runs the same instructions on both sides.

// findExecuted takes the functions from the listing whose benchmarks ran on both sides, and run with traps. They run as
// often as they are counted, or more, if a part of the time suffices for that.
func findExecuted(ctx context.Context, j *job, b *builds, l *listing) {
	const part = 6 // of the time
	most := j.left() / part
	limited, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	runs, n, once := trapRuns(j, b, l)
	const least, longest = time.Millisecond, 10 * time.Millisecond
	if n == 0 || once+time.Duration(n)*least > most || b.sides.place(newSide) != nil { // who needs the files says so
		return
	}
	each := max(least, min(longest, (most-once)/time.Duration(2*n)))
	j.show(Progress{Phase: "running with traps in changed code"})
	inParallel(j.parallelism(), len(runs), func(i int) { runs[i].find(limited, i, each, most) })
	found := 0
	for _, t := range runs {
		for _, function := range t.quiet {
			to := t.pkg.reach[function]
			to.code = report.SameCode
			t.pkg.reach[function] = to
			found++
		}
		t.pkg.settle(b, j)
	}
	l.benchmarks = slices.DeleteFunc(l.benchmarks, func(b *benchmark) bool {
		to, ok := b.pkg.reach[b.function()]
		return ok && to.code == report.SameCode
	})
	if found > 0 {
		j.note("%s can reach changed code, but ran without executing it", text.Plural(found, "benchmark function"))
	}
}

// trapRuns divides the functions with changed code whose benchmarks all have figures on both sides among processes. It
// counts these benchmarks, and returns how long a process takes for one iteration of all.
func trapRuns(j *job, b *builds, l *listing) (runs []*trapRun, n int, once time.Duration) {
	packages := slices.DeleteFunc(b.inState(report.Measured), func(p *testPackage) bool { return p.traps == nil })
	cores := j.coresFor(len(packages))
	for _, p := range packages {
		may, procs := make(map[string]bool), make(map[int]bool)
		for _, b := range l.benchmarks {
			if b.pkg == p {
				all, known := may[b.function()]
				may[b.function()] = (all || !known) && b.isOpen() && b.reach.code == report.ChangedCode
			}
		}
		for _, b := range l.benchmarks {
			if b.pkg == p && may[b.function()] {
				n++
				procs[b.procs] = true
				once += (b.first[newSide].run + b.first[newSide].gap) / time.Duration(j.parallelism())
			}
		}
		for _, functions := range p.functionsIn(cores) {
			functions = slices.DeleteFunc(functions, func(function string) bool { return !may[function] })
			runs = append(runs, &trapRun{job: j, pkg: p, functions: functions, procs: slices.Sorted(maps.Keys(procs))})
		}
	}
	return runs, n, once
}

// trapRun is a run of some functions of a package's test program with traps.
type trapRun struct {
	*job
	pkg       *testPackage
	functions []string
	procs     []int         // values of GOMAXPROCS
	quiet     []string      // functions that meet no trap
	path      string        // program with traps
	each      time.Duration // how long a benchmark runs
}

// find finds the functions that meet no trap. Those behind the first trap run by themselves, as long as this finds any.
func (t *trapRun) find(ctx context.Context, number int, each, most time.Duration) {
	const (
		inRow    = 5 // functions that meet a trap
		patience = 4 // part of the time without a find
	)
	begin := time.Now()
	t.each, t.path = each, t.scratch.path(fmt.Sprintf("traps-%d", number))
	defer os.Remove(t.path)
	if len(t.functions) == 0 || setTraps(t.pkg.binaries[newSide], t.path, t.pkg.traps) != nil {
		return
	}
	ran, ok := t.run(ctx, t.functions)
	switch {
	case ok:
		t.quiet = ran
		return
	case len(t.functions) == 1:
		return
	}
	t.quiet = ran[:max(0, len(ran)-1)] // the last one may not have been complete
	met := 0
	for _, function := range t.functions {
		if slices.Contains(t.quiet, function) {
			continue
		}
		if alone, ok := t.run(ctx, []string{function}); ok && len(alone) > 0 {
			t.quiet, met = append(t.quiet, function), 0
		} else if met++; met == inRow || ctx.Err() != nil || len(t.quiet) == 0 && time.Since(begin) > most/patience {
			return
		}
	}
}

// run runs functions, and returns those with figures, and whether the program ended well.
func (t *trapRun) run(ctx context.Context, functions []string) (ran []string, ok bool) {
	ran = functions
	for _, procs := range t.procs {
		c := testRun{pkg: t.pkg, side: newSide, path: t.path, core: noCore, env: []string{"GOTRACEBACK=none"},
			args: benchArgs(functionPattern(functions, t.Bench), t.each.String(), procs)}
		out, err := c.run(ctx, t.job)
		has := make(map[string]bool)
		var inOrder []string
		for _, s := range parseSamples(out.out, procs) {
			if name := "Benchmark" + topLevel(s.name); slices.Contains(ran, name) && !has[name] {
				has[name], inOrder = true, append(inOrder, name)
			}
		}
		if ran = inOrder; err != nil || !passed().Match(out.out) {
			return ran, false
		}
	}
	return ran, true
}

// traps returns the functions of the new side whose execution shows the change, as programs have them. Data that
// differs, or refers to such data, shows where a function refers to it. It returns nil if the old side begins with
// what the new side does not have, because nothing shows that.
func (c *comparison) traps() map[string]bool {
	for name := range c.sides[oldSide].linked[c.program] {
		if initializer().MatchString(name) && !c.sides[newSide].linked[c.program][name] {
			return nil
		}
	}
	traps := make(map[string]bool)
	users := make(map[*reached][]*reached)
	var differing []*reached
	for _, s := range c.reached[newSide] {
		for _, ref := range s.refs {
			users[ref] = append(users[ref], s)
		}
		switch {
		case !s.differs:
		case c.isFunction(s.name):
			traps[s.name] = true
		case len(c.find(oldSide, s.name)) > 0 && !c.differsInMethods(s.name): // what refers to new data differs itself
			differing = append(differing, s)
		}
	}
	seen := make(map[*reached]bool)
	for len(differing) > 0 {
		s := differing[len(differing)-1]
		differing = differing[:len(differing)-1]
		for _, user := range users[s] {
			if c.isFunction(user.name) {
				traps[user.name] = true
			} else if !seen[user] {
				seen[user] = true
				differing = append(differing, user)
			}
		}
	}
	return traps
}

// isFunction reports whether a symbol is a function of the program of the new side.
func (c *comparison) isFunction(name string) bool {
	found := c.find(newSide, name)
	return len(found) > 0 && found[0].function
}

// differsInMethods reports whether a symbol describes a type with other methods, none of which is part of a program:
// no interface of the program has them.
func (c *comparison) differsInMethods(name string) bool {
	x, y := c.find(oldSide, name), c.find(newSide, name)
	if len(x) != 1 || len(y) != 1 || x[0].shape == "" || x[0].shape != y[0].shape {
		return false
	}
	for side, refs := range [2][2][]string{{x[0].refs, y[0].refs}, {y[0].refs, x[0].refs}} {
		for _, ref := range refs[0] {
			if found := c.find(side, ref); len(found) > 0 && found[0].function && !slices.Contains(refs[1], ref) {
				return false
			}
		}
	}
	return true
}

// errNoTraps is the error about programs that cannot have traps.
var errNoTraps = errors.New("no traps can be set")

// setTraps copies a program, and replaces the beginning of functions by traps. All of them must be found.
func setTraps(from, to string, functions map[string]bool) error {
	program, err := elf.Open(from)
	if err != nil {
		return err
	}
	defer program.Close()
	trap, ok := map[elf.Machine]string{elf.EM_X86_64: "\xcc", elf.EM_AARCH64: "\x00\x00\x20\xd4"}[program.Machine]
	if !ok {
		return errNoTraps
	}
	symbols, err := program.Symbols()
	if err != nil {
		return err
	}
	if err := copyBinary(from, to); err != nil {
		return err
	}
	file, err := os.OpenFile(to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	found := make(map[string]bool)
	for _, s := range symbols {
		name := strings.TrimSuffix(s.Name, ".abi0")
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || !functions[name] || s.Section >= elf.SectionIndex(len(program.Sections)) {
			continue
		}
		section := program.Sections[s.Section]
		if _, err = file.WriteAt([]byte(trap), int64(s.Value-section.Addr+section.Offset)); err != nil {
			break
		}
		found[name] = true
	}
	if len(found) < len(functions) {
		err = errNoTraps
	}
	return errors.Join(err, file.Close())
}
