package build

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// ReportName is a benchmark's name in reports. The second one with a name is that of the external
// test package.
func (p *TestPackage) ReportName(printed string, nth int) string {
	return ReportName(p.name, printed, nth)
}

// ReportName is the name in reports of a benchmark of a package with a short name.
func ReportName(name, printed string, nth int) string {
	if nth > 0 {
		name += "_test"
	}
	if printed == "" {
		printed = "Benchmark"
	}
	return name + "." + printed
}

// TestPackage is a package with benchmarks, and its test binaries.
type TestPackage struct {
	*report.Package
	name     string          // short name, begins the names of its benchmarks
	file     string          // begins the names of its links
	Dirs     [2]string       // working folders of the binaries
	Binaries [2]string       // binaries with symbols: listed, counted and profiled
	links    [2]*linkCommand // links the binaries again; nil if that is impossible
	messages [2]string       // errors of failed builds
	Args     [2][]string     // the user's arguments of the binaries
	Env      [2][]string     // added to the environment of the binaries
	Tests    report.Tests    // origin of its test files
	Gone     string          // reason of benchmarks that the new side does not have
}

// Builds are the test binaries of both sides, with the code of their packages.
type Builds struct {
	*source.Request
	Sides    *source.Sides
	Packages []*TestPackage
	Borrowed map[string]*source.BorrowedTests
	Programs [2]*code.Programs

	GoVersion string // version of the new side's toolchain
	CPUClock  string // source of CPU times, or [report.NoClock]
	layouts   bool   // each side can be linked again and again
}

// newBuilds lists the packages of both sides with benchmarks.
func newBuilds(ctx context.Context, s *source.Sides) (*Builds, error) {
	s.Show("reading packages", 0)
	if err := s.Each(func(side int) error {
		if err := s.Trees[side].List(ctx); err != nil {
			return frame.InputErrorf("%s: %v", s.Labels[side], err)
		}
		return nil
	}); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	b := &Builds{Request: s.Request, Sides: s}
	paths := frame.Union(s.Trees[frame.Old].Matched, s.Trees[frame.New].Matched)
	names := source.ShortNames(paths)
	for i, path := range paths {
		p := &TestPackage{Package: &report.Package{Path: path, State: report.Measured}, name: names[path],
			file: fmt.Sprint(i), Tests: s.Tests}
		for side, t := range s.Trees {
			if found := t.Packages[path]; found != nil {
				p.Dirs[side] = found.Dir
			}
		}
		b.Packages = append(b.Packages, p)
	}
	if len(b.Packages) == 0 {
		return nil, noBenchmarks(s)
	}
	return b, nil
}

// findStates finds the packages that need not be built, or cannot, on both sides.
func (b *Builds) findStates() {
	s := b.Sides
	for _, p := range b.Packages {
		has := func(side int) bool {
			t := s.Trees[side]
			return t.Packages[p.Path] != nil && (p.Tests != report.OwnTests || slices.Contains(t.Matched, p.Path))
		}
		switch {
		case !has(frame.New):
			p.State, p.Gone = report.Gone, frame.NotOnNew
		case p.Tests == report.HeadTests && !slices.Contains(s.Trees[frame.New].Matched, p.Path):
			p.State, p.Gone = report.Gone, frame.RemovedByHead
		case !has(frame.Old):
			p.State = report.New
		case len(s.Changed) == 0 || !s.CanReach(p.Path): // it need not be built
			p.State = report.Identical
		}
	}
}

// noBenchmarks is the error of a run without benchmarks.
func noBenchmarks(s *source.Sides) error {
	where, root := cmp.Or(strings.Join(s.Packages, " "), "./..."), s.Files(frame.New)
	t := s.Trees[frame.New]
	if problem := cmp.Or(t.Problem, s.Trees[frame.Old].Problem); problem != "" && len(t.Tagged) == 0 {
		hint := ""
		if len(s.Packages) > 0 || filepath.Base(source.ModuleOf(root, s.Folder)) == "go.work" {
			hint = source.NestedHint(root, s.Folder, s.Packages)
		}
		return frame.InputErrorf("no benchmarks in %s: %s%s", where, problem, hint)
	}
	if names := frame.Union(t.Unchosen, nil); len(names) > 0 {
		return frame.FieldErrorf("Bench", "no benchmark matches %q in %s (there are %s)", s.Bench, where, frame.SomeOf(names))
	}
	for _, file := range slices.Sorted(maps.Keys(t.Tagged)) {
		return frame.FieldErrorf("Tags", "no benchmarks on either side in %s without those of %s (want %s)", where, file, t.Tagged[file])
	}
	return frame.InputErrorf("no benchmarks on either side in %s%s", where, source.NestedHint(root, s.Folder, s.Packages))
}

// CanCount reports whether the binaries have a counter's requests.
func (b *Builds) CanCount() bool {
	return b.Sides.Trees[frame.Old].Overlay != nil && b.Sides.Trees[frame.New].Toolchain.CanCount()
}

// InState returns a state's packages.
func (b *Builds) InState(state report.PackageState) []*TestPackage {
	return slices.DeleteFunc(slices.Clone(b.Packages), func(p *TestPackage) bool { return p.State != state })
}

// Build builds the test binaries of both sides of the packages to measure. Both are the same of a head alone.
func Build(ctx context.Context, s *source.Sides) (*Builds, error) {
	b, err := newBuilds(ctx, s)
	if err != nil {
		return nil, err
	}
	var patterns []string // of packages whose code is compared
	if !s.Alone {
		s.DropUnused()
		b.Borrowed = source.FindBorrowedTests(s)
		b.findStates()
		s.NoteNested()
		s.NoteReleased()
		patterns = source.ComparedPatterns(s)
	}
	packages := b.InState(report.Measured)
	if err := b.prepare(ctx); err != nil || len(packages) == 0 {
		return b, err
	}
	if err := b.build(ctx, packages, patterns); err != nil {
		return nil, err
	}
	if s.Alone {
		return b, b.shareNew()
	}
	for _, path := range slices.Sorted(maps.Keys(b.Borrowed)) {
		b.Note("%s", b.Borrowed[path].Remark())
	}
	for _, p := range packages {
		if w := b.Borrowed[p.Path]; w != nil {
			p.Tests = w.Origin()
		}
		p.Neither = p.messages[frame.Old] != "" && p.messages[frame.New] != ""
		if p.Neither && p.messages[frame.Old] == p.messages[frame.New] {
			p.State, p.Error = report.Failed, "both sides: "+p.messages[frame.New]
			continue
		}
		for side, message := range p.messages {
			if message != "" {
				p.State, p.Error = report.Failed, strings.TrimPrefix(fmt.Sprintf("%s; %s: %s", p.Error,
					s.Labels[side], message), "; ")
			}
		}
	}
	return b, b.check("nothing to compare: no package with benchmarks builds on both sides")
}

// check returns an error with a message where no package builds.
func (b *Builds) check(message string) error {
	if failed := b.InState(report.Failed); len(failed) == len(b.Packages) {
		return frame.InputErrorf("%s:\n%s", message, failed[0].Error)
	}
	return nil
}

// prepare determines the abilities of both toolchains. The CPU clock in the timers and
// layouts are used for both sides or for none.
func (b *Builds) prepare(ctx context.Context) error {
	for _, dir := range []string{"links", "record0", "record1"} {
		if err := os.MkdirAll(b.Scratch.Path(dir), 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(b.Scratch.Path(wrapperName), []byte(wrapper), 0o700); err != nil {
		return err
	}
	b.layouts = b.Layouts
	noCPU := ""
	if err := b.Sides.Each(func(side int) error {
		t := b.Sides.Trees[side]
		var err error
		if t.Toolchain, err = source.ReadToolchain(ctx, t.Dir); err != nil {
			return err
		}
		if t.Overlay, err = MakeOverlay(&t.Toolchain, b.Scratch); err != nil {
			noCPU = err.Error()
		}
		if !t.Toolchain.Shuffles() {
			b.layouts = false
			b.Note("%s does not shuffle functions (want Go 1.23 or later): intervals do not cover layouts",
				t.Toolchain.GOVERSION)
		}
		return nil
	}); err != nil {
		return err
	}
	before, after := b.Sides.Trees[frame.Old], b.Sides.Trees[frame.New]
	b.GoVersion, b.CPUClock = after.Toolchain.GOVERSION, cpuClocks[after.Toolchain.GOOS].Name
	if noCPU != "" {
		b.CPUClock = report.NoClock
		b.Note("times are wall-clock times: %s", noCPU)
		before.Overlay, after.Overlay = nil, nil
	}
	return nil
}

// build builds packages, and reads the code of those that match patterns.
func (b *Builds) build(ctx context.Context, packages []*TestPackage, patterns []string) error {
	return b.Sides.Each(func(side int) error {
		b.Show(fmt.Sprintf("building %s of %s", text.Plural(len(packages), "package"), b.Sides.Labels[side]), 0)
		b.Programs[side] = code.NewPrograms()
		t := b.Sides.Trees[side]
		for _, p := range packages {
			p.Args[side], p.Env[side] = append(t.Toolchain.TestArgs(), b.TestArgs...), t.Env
		}
		return b.buildSide(ctx, packages, side, patterns)
	})
}

// buildSide builds all packages of a side. Where the test files of the other side do not compile,
// it tries again with fewer of them.
func (b *Builds) buildSide(ctx context.Context, packages []*TestPackage, side int, patterns []string) error {
	t := b.Sides.Trees[side]
	for open := packages; len(open) > 0; {
		overlay := make(map[string]string)
		maps.Copy(overlay, t.Overlay)
		for _, w := range b.Borrowed {
			if w.Target == side {
				w.AddTo(overlay, b.Sides)
			}
		}
		c := compilation{Builds: b, tree: t, code: b.Programs[side], side: side, patterns: patterns, overlay: overlay}
		if err := c.buildPackages(ctx, open); err != nil {
			return err
		}
		open = slices.DeleteFunc(slices.Clone(open), func(p *TestPackage) bool {
			w := b.Borrowed[p.Path]
			if w == nil || w.Target != side || p.messages[side] == "" || w.Level == source.BorrowNone {
				return true
			}
			w.Why, p.messages[side] = cmp.Or(w.Why, p.messages[side]), ""
			w.Level++
			return false
		})
	}
	commands := readLinkCommands(b.Scratch.Path(fmt.Sprint("record", side)), t.Toolchain.Root())
	for _, p := range packages {
		p.links[side] = commands[p.Path]
		if w := b.Borrowed[p.Path]; w != nil && w.Target == side && w.Level != source.BorrowNone {
			if err := w.CopyData(b.Sides); err != nil {
				return err
			}
		}
	}
	return nil
}

// shareNew gives the old side the test binaries of the new one.
func (b *Builds) shareNew() error {
	for _, p := range b.Packages {
		p.Tests = report.OwnTests
		p.Binaries[frame.Old], p.links[frame.Old] = p.Binaries[frame.New], p.links[frame.New]
		p.Args[frame.Old], p.Env[frame.Old] = p.Args[frame.New], p.Env[frame.New]
		if p.messages[frame.New] != "" {
			p.State, p.Error = report.Failed, p.messages[frame.New]
			b.Note("%s does not build: %s", p.Path, p.Error)
		}
	}
	return b.check("no package with benchmarks builds")
}
