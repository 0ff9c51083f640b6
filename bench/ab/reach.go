package ab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/source"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// findReach compares the code of both sides, and finds the reached benchmark functions.
// The listings are not needed any more.
func findReach(j *job, b *builds) {
	s := b.sides
	data := s.ChangedData()
	opaque, embedding := reach.OpaquePackages(s, b.borrowed)
	sources := reach.CompareSources(s)
	for _, p := range b.inState(report.Measured) {
		var c *reach.Comparison
		why := reasonAllChanged(b, p)
		if unread := cmp.Or(b.programs[frame.Old].Problem, b.programs[frame.New].Problem); unread != nil {
			why = unread.Error()
		}
		if why != "" {
			j.Note("%s: %s, so all code counts as changed", p.Path, why)
		} else {
			c = reach.Compare(b.programs, p.Path, opaque, embedding)
		}
		readsData := s.ReadsChanged(p.Path, slices.DeleteFunc(slices.Clone(data), b.borrowed[p.Path].HasFile))
		p.reach = make(map[string]reach.Change)
		for _, function := range benchmarkFunctions(s, p) {
			to := c.Of(function, s.Trees[frame.New].Root)
			to.UsePlaces(s, p.Path, p.tests, c, sources)
			if to.Code == report.SameCode && readsData {
				to.Code = report.UnknownCode
			}
			if to.Code == report.UnknownCode || slices.ContainsFunc(to.Changed,
				func(name string) bool { return symbol.Package(name) == symbol.Path(p.Path) }) {
				to.Near = 1
			}
			p.reach[function] = to
		}
		if c != nil && !readsData && len(opaque) == 0 {
			p.traps = c.Traps()
		}
		p.endUnreached(b, j)
	}
	b.programs = [2]*code.Programs{}
}

// endUnreached ends a package whose benchmarks the change does not reach.
func (p *testPackage) endUnreached(b *builds, j *job) {
	if len(p.functions()) == 0 && len(b.removed(j, p)) == 0 {
		p.State = report.Identical
	}
}

// removed returns the benchmark functions removed by the head from a package that match the
// pattern of the options.
func (b *builds) removed(j *job, p *testPackage) []string {
	w := b.borrowed[p.Path]
	if w == nil || w.Target != frame.Old || w.Level == source.BorrowNone {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(w.Removed),
		func(function string) bool { return !source.MayMatch(j.Bench, function) })
}

// reasonAllChanged returns the reason why all code of a package may differ, or "".
func reasonAllChanged(b *builds, p *testPackage) string {
	before, after := b.sides.Trees[frame.Old], b.sides.Trees[frame.New]
	was, ok := before.GODEBUG[p.Path]
	is, also := after.GODEBUG[p.Path]
	profile := strings.TrimPrefix(after.Folder(after.Packages[p.Path])+"/default.pgo", "./")
	switch {
	case before.Toolchain.GOVERSION != after.Toolchain.GOVERSION:
		return fmt.Sprintf("the sides are built with %s and %s", before.Toolchain.GOVERSION, after.Toolchain.GOVERSION)
	case ok && also && was != is:
		return fmt.Sprintf("go.mod or //go:debug change settings of the runtime from %q to %q", was, is)
	case ok != also && slices.ContainsFunc(b.sides.Changed, source.ModuleFile().MatchString): // only one side has tests
		return "go.mod differs"
	case slices.Contains(b.sides.Changed, profile):
		return "the profile of the optimizer differs"
	}
	return ""
}
