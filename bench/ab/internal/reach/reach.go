// Package reach compares the code of both sides: builds with their symbols and sources go in, and [Packages] come out, with the
// [Change] that each benchmark function can reach.
package reach

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Change is the part of a change in reach of a benchmark.
type Change struct {
	Code    report.Code
	Changed []string       // functions and variables that differ
	Places  []report.Place // sources of these, or of the benchmark

	// Near is 1 if part of the change is in the benchmark's package, or may be, and otherwise 0. Where the time is short,
	// Near benchmarks come first: of the others, the set-up alone may run changed code, as one that unpacks data does.
	Near int

	// Ran is how long the benchmark ran without executing changed code in its reach; 0 where none is in its reach.
	Ran time.Duration
}

// Package is a package with what its benchmarks reach of the change.
type Package struct {
	*build.TestPackage
	Reach   map[string]Change // reached code by benchmark function
	Traps   map[string]bool   // functions of the new side that show the change if they run; nil where others may show it
	Removed []string          // benchmark functions that the head removes, and the user's pattern selects
}

// Functions returns the reached benchmark functions, in order.
func (p *Package) Functions() []string {
	var reached []string
	for function, to := range p.Reach {
		if to.Code != report.SameCode {
			reached = append(reached, function)
		}
	}
	slices.Sort(reached)
	return reached
}

// FinalState is the state of the package: one whose benchmarks the change does not reach is identical.
func (p *Package) FinalState() report.PackageState {
	if p.State == report.Measured && len(p.Functions()) == 0 && len(p.Removed) == 0 {
		return report.Identical
	}
	return p.State
}

// Packages are the packages of both sides, in the order of the builds.
type Packages []*Package

// InState returns a state's packages.
func (r Packages) InState(state report.PackageState) Packages {
	return slices.DeleteFunc(slices.Clone(r), func(p *Package) bool { return p.FinalState() != state })
}

// Unreached counts the benchmark functions outside of the change.
func (r Packages) Unreached() (n int) {
	for _, p := range r {
		n += len(p.Reach) - len(p.Functions())
	}
	return n
}

// Function is a benchmark function of a package, by their names.
type Function struct{ Path, Name string }

// Without returns the packages without benchmark functions that ran for a time without executing the change.
func (r Packages) Without(quiet map[Function]time.Duration) (left Packages) {
	for _, p := range r {
		now := *p
		now.Reach = maps.Clone(p.Reach)
		for function, to := range p.Reach {
			if ran, ok := quiet[Function{p.Path, function}]; ok {
				to.Code, to.Ran = report.SameCode, ran
				now.Reach[function] = to
			}
		}
		left = append(left, &now)
	}
	return left
}

// Find compares the code of both sides, and finds the reached benchmark functions: all of them of a head alone.
// The code of the programs is not needed any more.
func Find(b *build.Builds) (all Packages) {
	s := b.Sides
	data := s.ChangedData()
	opaque, embedding := opaquePackages(s, b.Borrowed)
	sources := CompareSources(s)
	for _, built := range b.Packages {
		p := &Package{TestPackage: built, Reach: make(map[string]Change)}
		all = append(all, p)
		known := Change{Code: report.UnknownCode} // of a head alone
		if p.State == report.Identical && len(s.Changed) > 0 {
			known.Code = report.SameCode // it was not built
		}
		if b.Alone || known.Code == report.SameCode {
			for _, function := range benchmarkFunctions(s, built) {
				p.Reach[function] = known
			}
		}
		if p.State != report.Measured || b.Alone {
			continue
		}
		var c *Comparison
		why := WhyAllChanged(s, p.Path)
		if unread := cmp.Or(b.Programs[frame.Old].Problem, b.Programs[frame.New].Problem); unread != nil {
			why = unread.Error()
		}
		if why != "" {
			b.Note("%s: %s, so all code counts as changed", p.Path, why)
		} else {
			c = Compare(b.Programs, p.Path, opaque, embedding)
		}
		readsData := s.ReadsChanged(p.Path, slices.DeleteFunc(slices.Clone(data), b.Borrowed[p.Path].HasFile))
		for _, function := range benchmarkFunctions(s, built) {
			to := c.Of(function, s.Trees[frame.New].Root)
			to.UsePlaces(s, p.Tests, c, sources)
			if to.Code == report.SameCode && readsData {
				to.Code = report.UnknownCode
			}
			if to.Code == report.UnknownCode || slices.ContainsFunc(to.Changed,
				func(name string) bool { return symbol.Package(name) == symbol.Path(p.Path) }) {
				to.Near = 1
			}
			p.Reach[function] = to
		}
		if c != nil && !readsData && len(opaque) == 0 {
			p.Traps = c.Traps()
		}
		if w := b.Borrowed[p.Path]; w != nil && w.Target == frame.Old && w.Level != source.BorrowNone {
			p.Removed = slices.DeleteFunc(slices.Clone(w.Removed),
				func(function string) bool { return !source.MayMatch(b.Bench, function) })
		}
	}
	b.Programs = [2]*code.Programs{}
	return all
}

// WhyAllChanged returns the reason why all code of a package may differ, or "".
func WhyAllChanged(s *source.Sides, path string) string {
	before, after := s.Trees[frame.Old], s.Trees[frame.New]
	was, ok := before.GODEBUG[path]
	is, also := after.GODEBUG[path]
	profile := strings.TrimPrefix(after.Folder(after.Packages[path])+"/default.pgo", "./")
	switch {
	case before.Toolchain.GOVERSION != after.Toolchain.GOVERSION:
		return fmt.Sprintf("the sides are built with %s and %s", before.Toolchain.GOVERSION, after.Toolchain.GOVERSION)
	case ok && also && was != is:
		return fmt.Sprintf("go.mod or //go:debug change settings of the runtime from %q to %q", was, is)
	case ok != also && slices.ContainsFunc(s.Changed, source.ModuleFile().MatchString): // only one side has tests
		return "go.mod differs"
	case slices.Contains(s.Changed, profile):
		return "the profile of the optimizer differs"
	}
	return ""
}

// benchmarkFunctions returns a package's benchmark functions in its test files.
func benchmarkFunctions(s *source.Sides, p *build.TestPackage) []string {
	before, after := s.Trees[frame.Old].Functions[p.Path], s.Trees[frame.New].Functions[p.Path]
	switch p.Tests {
	case report.HeadTests:
		return frame.Union(after, nil)
	case report.BaseTests:
		return frame.Union(before, nil)
	}
	return frame.Union(before, after)
}

// opaquePackages returns the packages, as symbols have them, with other sources than Go or assembly that
// differ, and the variables with embedded files that differ: the compiler does not print large ones. The headers
// of C may be anywhere.
func opaquePackages(s *source.Sides, borrowed map[string]*source.BorrowedTests) (packages, embedding map[string]bool) {
	packages, embedding = make(map[string]bool), make(map[string]bool)
	for side, t := range s.Trees {
		for importPath, p := range t.Packages {
			if !t.Holds(p.Dir) {
				continue
			}
			if slices.ContainsFunc(s.Changed, func(name string) bool { return t.Embeds(p, name) && !borrowed[importPath].HasFile(name) }) {
				for _, found := range embedded().FindAllStringSubmatch(p.Text(s.Files(side), t), -1) {
					embedding[symbol.Path(importPath)+"."+found[1]], embedding[symbol.Path(importPath+"_test")+"."+found[1]] = true, true
				}
			}
			if len(p.Others()) == 0 {
				continue
			}
			differs := func(name string) bool {
				return len(p.CgoFiles) > 0 && !strings.HasSuffix(name, ".go") ||
					path.Dir(name) == t.Folder(p) && slices.Contains(p.Others(), path.Base(name))
			}
			if slices.ContainsFunc(s.Changed, differs) {
				packages[symbol.Path(importPath)] = true
			}
		}
	}
	return packages, embedding
}

// embedded matches the declaration of a variable with embedded files, and its name.
var embedded = text.Regexp(`(?m)^\s*//go:embed\s[^\n]*\n(?:\s*//[^\n]*\n)*\s*(?:var\s+)?(\w+)`)
