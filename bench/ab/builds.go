package ab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// builds are the test binaries of both sides, with the code of their packages.
type builds struct {
	sides    *source.Sides
	packages []*testPackage
	borrowed map[string]*source.BorrowedTests
	programs [2]*code.Programs

	goVersion string // version of the new side's toolchain
	cpuClock  string // source of CPU times, or [report.NoClock]
	layouts   bool   // each side can be linked again and again
}

// listPackages lists the packages of both sides with benchmarks.
func listPackages(ctx context.Context, j *job, s *source.Sides) (*builds, error) {
	j.Show("reading packages", 0)
	if err := s.Each(func(side int) error {
		if err := s.Trees[side].List(ctx); err != nil {
			return frame.InputErrorf("%s: %v", s.Labels[side], err)
		}
		return nil
	}); err != nil {
		return nil, cmp.Or(ctx.Err(), err)
	}
	s.DropUnused()
	b := &builds{sides: s, borrowed: source.FindBorrowedTests(s, j.Tests)}
	paths := frame.Union(s.Trees[frame.Old].Matched, s.Trees[frame.New].Matched)
	names := source.ShortNames(paths)
	for i, path := range paths {
		p := &testPackage{Package: &report.Package{Path: path, State: report.Measured}, name: names[path],
			file: fmt.Sprint(i), tests: j.Tests}
		b.packages = append(b.packages, p)
		before, after := s.Trees[frame.Old].Packages[path], s.Trees[frame.New].Packages[path]
		hasOwn := func(side int) bool { return j.Tests != report.OwnTests || slices.Contains(s.Trees[side].Matched, path) }
		switch {
		case after == nil || !hasOwn(frame.New):
			p.State, p.gone = report.Gone, "the new side does not have it"
		case j.Tests == report.HeadTests && !slices.Contains(s.Trees[frame.New].Matched, path):
			p.State, p.gone = report.Gone, "the head removes it; test files of the base would measure it"
		case before == nil || !hasOwn(frame.Old):
			p.State = report.New
		case len(s.Changed) == 0:
			p.State = report.Identical
		case !s.CanReach(path): // it need not be built
			p.State, p.reach = report.Identical, make(map[string]reach.Change)
			for _, function := range benchmarkFunctions(s, p) {
				p.reach[function] = reach.Change{Code: report.SameCode}
			}
		default:
			p.dirs = [2]string{before.Dir, after.Dir}
		}
	}
	if len(b.packages) == 0 {
		return nil, noBenchmarks(j, s)
	}
	s.NoteNested()
	s.NoteReleased()
	return b, nil
}

// noBenchmarks is the error of a run without benchmarks.
func noBenchmarks(j *job, s *source.Sides) error {
	where, root := cmp.Or(strings.Join(j.Packages, " "), "./..."), s.Files(frame.New)
	t := s.Trees[frame.New]
	if problem := cmp.Or(t.Problem, s.Trees[frame.Old].Problem); problem != "" && len(t.Tagged) == 0 {
		hint := ""
		if len(j.Packages) > 0 || filepath.Base(source.ModuleOf(root, s.Folder)) == "go.work" {
			hint = source.NestedHint(root, s.Folder, j.Packages)
		}
		return frame.InputErrorf("no benchmarks in %s: %s%s", where, problem, hint)
	}
	if names := frame.Union(t.Unchosen, nil); len(names) > 0 {
		return frame.FieldErrorf("Bench", "no benchmark matches %q in %s (there are %s)", j.Bench, where, frame.SomeOf(names))
	}
	for _, file := range slices.Sorted(maps.Keys(t.Tagged)) {
		return frame.FieldErrorf("Tags", "no benchmarks on either side in %s without those of %s (want %s)", where, file, t.Tagged[file])
	}
	return frame.InputErrorf("no benchmarks on either side in %s%s", where, source.NestedHint(root, s.Folder, j.Packages))
}

// unreached counts the benchmark functions outside of the change.
func (b *builds) unreached() (n int) {
	for _, p := range b.packages {
		n += len(p.reach) - len(p.functions())
	}
	return n
}

// CanCount reports whether the binaries have a counter's requests.
func (b *builds) canCount() bool {
	return b.sides.Trees[frame.Old].Overlay != nil && b.sides.Trees[frame.New].Toolchain.CanCount()
}

// inState returns a state's packages.
func (b *builds) inState(state report.PackageState) []*testPackage {
	return slices.DeleteFunc(slices.Clone(b.packages), func(p *testPackage) bool { return p.State != state })
}

// buildSides builds the test binaries of both sides of the packages to measure.
func buildSides(ctx context.Context, j *job, s *source.Sides) (*builds, error) {
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
	patterns := source.ComparedPatterns(s)
	if err := s.Each(func(side int) error {
		j.Show(fmt.Sprintf("building %s of %s", text.Plural(len(packages), "package"), s.Labels[side]), 0)
		b.programs[side] = code.NewPrograms()
		for _, p := range packages {
			t := s.Trees[side]
			p.args[side], p.env[side] = append(t.Toolchain.TestArgs(), j.testArgs...), t.Env
		}
		return b.buildSide(ctx, j, packages, side, patterns)
	}); err != nil {
		return nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(b.borrowed)) {
		j.Note("%s", b.borrowed[path].Remark())
	}
	for _, p := range packages {
		if w := b.borrowed[p.Path]; w != nil {
			p.tests = w.Origin()
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
	if err := os.WriteFile(j.Scratch.Path(build.WrapperName), []byte(build.Wrapper), 0o700); err != nil {
		return err
	}
	b.layouts = j.layouts
	noCPU := ""
	if err := b.sides.Each(func(side int) error {
		t := b.sides.Trees[side]
		var err error
		if t.Toolchain, err = source.ReadToolchain(ctx, t.Dir); err != nil {
			return err
		}
		if t.Overlay, err = build.MakeOverlay(&t.Toolchain, j.Scratch); err != nil {
			noCPU = err.Error()
		}
		if !t.Toolchain.Shuffles() {
			b.layouts = false
			j.Note("%s does not shuffle functions (want Go 1.23 or later): intervals do not cover layouts",
				t.Toolchain.GOVERSION)
		}
		return nil
	}); err != nil {
		return err
	}
	before, after := b.sides.Trees[frame.Old], b.sides.Trees[frame.New]
	b.goVersion, b.cpuClock = after.Toolchain.GOVERSION, build.CPUClocks[after.Toolchain.GOOS].Name
	if noCPU != "" {
		b.cpuClock = report.NoClock
		j.Note("times are wall-clock times: %s", noCPU)
		before.Overlay, after.Overlay = nil, nil
	}
	return nil
}

// buildSide builds all packages of a side. Where the test files of the other side do not compile,
// it tries again with fewer of them.
func (b *builds) buildSide(ctx context.Context, j *job, packages []*testPackage, side int, patterns []string) error {
	t := b.sides.Trees[side]
	for open := packages; len(open) > 0; {
		overlay := maps.Clone(t.Overlay)
		if overlay == nil {
			overlay = make(map[string]string)
		}
		for _, w := range b.borrowed {
			if w.Target == side {
				w.AddTo(overlay, b.sides)
			}
		}
		c := compilation{tree: t, code: b.programs[side], side: side, patterns: patterns, overlay: overlay,
			layouts: b.layouts}
		if err := c.buildPackages(ctx, j, open); err != nil {
			return err
		}
		open = slices.DeleteFunc(slices.Clone(open), func(p *testPackage) bool {
			w := b.borrowed[p.Path]
			if w == nil || w.Target != side || p.messages[side] == "" || w.Level == source.BorrowNone {
				return true
			}
			w.Why, p.messages[side] = cmp.Or(w.Why, p.messages[side]), ""
			w.Level++
			return false
		})
	}
	commands := build.ReadLinkCommands(j.Scratch.Path(fmt.Sprint("record", side)), t.Toolchain.Root())
	for _, p := range packages {
		p.links[side] = commands[p.Path]
		if w := b.borrowed[p.Path]; w != nil && w.Target == side && w.Level != source.BorrowNone {
			if err := w.CopyData(b.sides); err != nil {
				return err
			}
		}
	}
	return nil
}

// benchmarkFunctions returns a package's benchmark functions in its test files.
func benchmarkFunctions(s *source.Sides, p *testPackage) []string {
	before, after := s.Trees[frame.Old].Functions[p.Path], s.Trees[frame.New].Functions[p.Path]
	switch p.tests {
	case report.HeadTests:
		return frame.Union(after, nil)
	case report.BaseTests:
		return frame.Union(before, nil)
	}
	return frame.Union(before, after)
}
