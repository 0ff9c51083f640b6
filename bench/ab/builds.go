package ab

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// builds are the test binaries of both sides, with the code of their packages.
type builds struct {
	sides    *sides
	packages []*testPackage
	swaps    map[string]*swap
	programs [2]*programs

	goVersion string // version of the new side's toolchain
	cpuClock  string // source of CPU times, or [report.NoClock]
	layouts   bool   // each side can be linked again and again
}

// listPackages lists the packages of both sides with benchmarks.
func listPackages(ctx context.Context, j *job, s *sides) (*builds, error) {
	j.Show("reading packages", 0)
	if err := s.each(func(side int) error {
		if err := s.trees[side].list(ctx); err != nil {
			return frame.InputErrorf("%s: %v", s.labels[side], err)
		}
		return nil
	}); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	b := &builds{sides: s, swaps: findSwaps(s, j.Tests)}
	paths := frame.Union(s.trees[frame.Old].matched, s.trees[frame.New].matched)
	names := shortNames(paths)
	for i, path := range paths {
		p := &testPackage{Package: &report.Package{Path: path, State: report.Measured}, name: names[path],
			file: fmt.Sprint(i), tests: j.Tests}
		b.packages = append(b.packages, p)
		before, after := s.trees[frame.Old].packages[path], s.trees[frame.New].packages[path]
		hasOwn := func(side int) bool { return j.Tests != report.OwnTests || slices.Contains(s.trees[side].matched, path) }
		switch {
		case after == nil || !hasOwn(frame.New):
			p.State, p.gone = report.Gone, "the new side does not have it"
		case j.Tests == report.HeadTests && !slices.Contains(s.trees[frame.New].matched, path):
			p.State, p.gone = report.Gone, "the head removes it; test files of the base would measure it"
		case before == nil || !hasOwn(frame.Old):
			p.State = report.New
		case len(s.changed) == 0:
			p.State = report.Identical
		case !s.canReach(path): // it need not be built
			p.State, p.reach = report.Identical, make(map[string]reach)
			for _, function := range benchmarkFunctions(s, p) {
				p.reach[function] = reach{code: report.SameCode}
			}
		default:
			p.dirs = [2]string{before.Dir, after.Dir}
		}
	}
	if len(b.packages) == 0 {
		return nil, noBenchmarks(j, s)
	}
	noteNested(j, s)
	noteReleased(j, s.trees[frame.New])
	return b, nil
}

// noBenchmarks is the error of a run without benchmarks.
func noBenchmarks(j *job, s *sides) error {
	where, root := cmp.Or(strings.Join(j.Packages, " "), "./..."), s.files(frame.New)
	t := s.trees[frame.New]
	if problem := cmp.Or(t.problem, s.trees[frame.Old].problem); problem != "" && len(t.tagged) == 0 {
		hint := ""
		if len(j.Packages) > 0 || filepath.Base(moduleOf(root, s.folder)) == "go.work" {
			hint = nestedHint(root, s.folder, j.Packages)
		}
		return frame.InputErrorf("no benchmarks in %s: %s%s", where, problem, hint)
	}
	if names := frame.Union(t.unchosen, nil); len(names) > 0 {
		return frame.FieldErrorf("Bench", "no benchmark matches %q in %s (there are %s)", j.Bench, where, frame.SomeOf(names))
	}
	for _, file := range slices.Sorted(maps.Keys(t.tagged)) {
		return frame.FieldErrorf("Tags", "no benchmarks on either side in %s without those of %s (want %s)", where, file, t.tagged[file])
	}
	return frame.InputErrorf("no benchmarks on either side in %s%s", where, nestedHint(root, s.folder, j.Packages))
}

// unreached counts the benchmark functions outside of the change.
func (b *builds) unreached() (n int) {
	for _, p := range b.packages {
		n += len(p.reach) - len(p.functions())
	}
	return n
}

// canCount reports whether the binaries have a counter's requests.
func (b *builds) canCount() bool {
	return b.sides.trees[frame.Old].overlay != nil && b.sides.trees[frame.New].toolchain.canCount()
}

// inState returns a state's packages.
func (b *builds) inState(state report.PackageState) []*testPackage {
	return slices.DeleteFunc(slices.Clone(b.packages), func(p *testPackage) bool { return p.State != state })
}

// buildSides builds the test binaries of both sides of the packages to measure.
func buildSides(ctx context.Context, j *job, s *sides) (*builds, error) {
	b, err := listPackages(ctx, j, s)
	if err != nil {
		return nil, err
	}
	if err := b.prepare(ctx, j); err != nil {
		return nil, err
	}
	packages := b.inState(report.Measured)
	if len(packages) == 0 {
		return b, nil
	}
	patterns := comparedPatterns(s)
	if err := s.each(func(side int) error {
		j.Show(fmt.Sprintf("building %s of %s", text.Plural(len(packages), "package"), s.labels[side]), 0)
		b.programs[side] = newPrograms()
		for _, p := range packages {
			t := s.trees[side]
			p.args[side], p.env[side] = append(t.toolchain.testArgs(), j.testArgs...), t.env
		}
		return b.buildSide(ctx, j, packages, side, patterns)
	}); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(b.swaps)) {
		j.Note("%s", b.swaps[path].remark())
	}
	for _, p := range packages {
		if w := b.swaps[p.Path]; w != nil {
			p.tests = w.origin()
		}
		p.Neither = p.messages[frame.Old] != "" && p.messages[frame.New] != ""
		if p.Neither && p.messages[frame.Old] == p.messages[frame.New] {
			p.State, p.Error = report.Failed, "both sides: "+p.messages[frame.New]
			continue
		}
		for side, message := range p.messages {
			if message != "" {
				p.State, p.Error = report.Failed, strings.TrimPrefix(fmt.Sprintf("%s; %s: %s", p.Error,
					s.labels[side], message), "; ")
			}
		}
	}
	if failed := b.inState(report.Failed); len(failed) == len(b.packages) {
		return nil, frame.InputErrorf("nothing to compare: no package with benchmarks builds on both sides:\n%s",
			failed[0].Error)
	}
	return b, nil
}

// prepare determines the abilities of both toolchains. The CPU clock in the timers and
// layouts are used for both sides or for none.
func (b *builds) prepare(ctx context.Context, j *job) error {
	for _, dir := range []string{"links", "record0", "record1"} {
		if err := os.MkdirAll(j.Scratch.Path(dir), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(j.Scratch.Path(wrapperName), []byte(wrapper), 0o700); err != nil {
		return err
	}
	b.layouts = j.layouts
	noCPU := ""
	if err := b.sides.each(func(side int) error {
		t := b.sides.trees[side]
		var err error
		if t.toolchain, err = readToolchain(ctx, t.dir); err != nil {
			return err
		}
		if t.overlay, err = t.toolchain.makeOverlay(j.Scratch); err != nil {
			noCPU = err.Error()
		}
		if !t.toolchain.shuffles() {
			b.layouts = false
			j.Note("%s does not shuffle functions (want Go 1.23 or later): intervals do not cover layouts",
				t.toolchain.GOVERSION)
		}
		return nil
	}); err != nil {
		return err
	}
	before, after := b.sides.trees[frame.Old], b.sides.trees[frame.New]
	b.goVersion, b.cpuClock = after.toolchain.GOVERSION, cpuClocks[after.toolchain.GOOS].name
	if noCPU != "" {
		b.cpuClock = report.NoClock
		j.Note("times are wall-clock times: %s", noCPU)
		before.overlay, after.overlay = nil, nil
	}
	return nil
}

// buildSide builds all packages of a side. Where the test files of the other side do not compile,
// it tries again with fewer of them.
func (b *builds) buildSide(ctx context.Context, j *job, packages []*testPackage, side int, patterns []string) error {
	t := b.sides.trees[side]
	for open := packages; len(open) > 0; {
		overlay := maps.Clone(t.overlay)
		if overlay == nil {
			overlay = make(map[string]string)
		}
		for _, w := range b.swaps {
			if w.target == side {
				w.addTo(overlay, b.sides)
			}
		}
		c := compilation{tree: t, code: b.programs[side], side: side, patterns: patterns, overlay: overlay,
			layouts: b.layouts}
		if err := c.buildPackages(ctx, j, open); err != nil {
			return err
		}
		open = slices.DeleteFunc(slices.Clone(open), func(p *testPackage) bool {
			w := b.swaps[p.Path]
			if w == nil || w.target != side || p.messages[side] == "" || w.level == swapNone {
				return true
			}
			w.why, p.messages[side] = cmp.Or(w.why, p.messages[side]), ""
			w.level++
			return false
		})
	}
	commands := readLinkCommands(j.Scratch.Path(fmt.Sprint("record", side)), t.toolchain.root())
	for _, p := range packages {
		p.links[side] = commands[p.Path]
		if w := b.swaps[p.Path]; w != nil && w.target == side && w.level != swapNone {
			if err := w.copyData(b.sides); err != nil {
				return err
			}
		}
	}
	return nil
}

// compilation builds test binaries of one side.
type compilation struct {
	tree     *tree
	code     *programs // receives the code
	side     int
	patterns []string          // packages whose code is compared
	overlay  map[string]string // replaced files
	layouts  bool              // record the commands of the linker
}

// buildPackages builds all packages with different binary names by one command, and builds those
// without a binary once more alone to get their errors.
func (c *compilation) buildPackages(ctx context.Context, j *job, rest []*testPackage) error {
	content, err := json.Marshal(map[string]any{"Replace": c.overlay})
	for err == nil && len(rest) > 0 {
		var dir string
		if dir, err = os.MkdirTemp(j.Scratch.Dir, "bin"); err != nil {
			break
		}
		file := filepath.Join(dir, "overlay.json")
		if err = os.WriteFile(file, content, 0o600); err != nil {
			break
		}
		var now, later []*testPackage
		taken := make(map[string]bool)
		for _, p := range rest {
			if name := binaryName(p.Path); taken[name] {
				later = append(later, p)
			} else {
				taken[name] = true
				now = append(now, p)
			}
		}
		// An error is one of a package: it has no binary then.
		_ = c.compile(ctx, j, dir+string(filepath.Separator), file,
			text.List(now, func(p *testPackage) string { return p.Path })...)
		for _, p := range now {
			p.binaries[c.side] = filepath.Join(dir, binaryName(p.Path))
			if _, missing := os.Stat(p.binaries[c.side]); missing != nil {
				// Go builds as many as it can, but may choose another name for a binary.
				if alone := c.compile(ctx, j, p.binaries[c.side], file, p.Path); alone != nil {
					p.messages[c.side] = buildMessage(alone, c.tree.root)
				}
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		rest = later
	}
	return err
}

// compile builds test binaries, reads their code, and records how they are linked.
func (c *compilation) compile(ctx context.Context, j *job, output, overlay string, paths ...string) error {
	folder, err := os.MkdirTemp(c.tree.temporary, "")
	if err != nil {
		return err
	}
	flags, env := []string{"-c", "-work", "-o", output, "-overlay=" + overlay}, []string{"GOTMPDIR=" + folder}
	link, _ := c.tree.toolchain.flag("ldflags")
	link = strings.TrimSpace(link + " -w -dumpdep")
	if c.layouts {
		link += " -randlayout=1" // the same in each run: counts of the binary are kept
		if _, taken := c.tree.toolchain.flag("toolexec"); canRecord() && !taken {
			flags = append(flags, "-toolexec="+j.Scratch.Path(wrapperName))
			env = append(env, "UR_AB_LINKS="+j.Scratch.Path(fmt.Sprint("record", c.side)))
		}
	}
	p := c.tree.goCommand("test", append(append(flags, "-ldflags="+link), paths...)...)
	p.Env, p.Stderr = append(p.Env, env...), c.code
	_, err = p.Run(ctx)
	c.code.Write([]byte("\n"))
	if failed, ok := errors.AsType[*frame.ProgramError](err); ok {
		failed.Stderr = c.code.rest.String()
	}
	c.code.rest.Reset()
	c.code.problem = cmp.Or(c.code.problem,
		c.code.readPackages(folder, func(path string) bool { return matchesAny(c.patterns, path) }))
	return err
}

// buildMessage is the output of a build without headings and the folder of the files.
func buildMessage(err error, root string) string {
	failed, ok := errors.AsType[*frame.ProgramError](err)
	if !ok {
		return err.Error()
	}
	const most = 5
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(failed.Stderr, root+string(filepath.Separator), "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") && line != "FAIL" &&
			!strings.HasPrefix(line, "WORK=") {
			lines = append(lines, line)
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], "...")
	}
	return cmp.Or(strings.Join(lines, "\n"), err.Error())
}

// benchmarkFunctions returns a package's benchmark functions in its test files.
func benchmarkFunctions(s *sides, p *testPackage) []string {
	before, after := s.trees[frame.Old].functions[p.Path], s.trees[frame.New].functions[p.Path]
	switch p.tests {
	case report.HeadTests:
		return frame.Union(after, nil)
	case report.BaseTests:
		return frame.Union(before, nil)
	}
	return frame.Union(before, after)
}
