package ab

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/build"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/listing"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/reach"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// groupList finds groups of implementations among the benchmarks of builds.
type groupList struct {
	*build.Builds
	*listing.Selection
	key     nameKey
	limitOf func(name string) float64

	groups []*group
	alone  []*group       // of one implementation
	lone   []absence      // benchmarks without figures in a group of their own
	names  []string       // of all benchmarks that ran
	fails  bool           // something outside of the groups fails
	units  map[string]int // better directions of custom units, tidied, as programs declare them
}

// find runs each benchmark once, and groups them by the key.
func (c *groupList) find(ctx context.Context) error {
	c.fails = len(c.InState(report.Failed)) > 0
	packages, sides, err := listing.FindAll(ctx, c.Builds, reach.Find(c.Builds), c.Selection)
	if err != nil {
		return err
	}
	for i, p := range packages {
		maps.Copy(c.units, sides[i][frame.New].Units)
		c.addPackage(p, sides[i][frame.New])
	}
	for _, same := range text.Groups(c.lone, func(a absence) string { return a.reason }) {
		c.Note("%s: %s", same[0].reason, frame.SomeOf(text.List(same, func(a absence) string { return a.value })))
	}
	c.dropAlone()
	return nil
}

// printedValue is a value as package testing prints it.
func printedValue(value string) string { return strings.ReplaceAll(value, " ", "_") }

// addPackage adds the benchmarks of a package to groups.
func (c *groupList) addPackage(p *listing.Package, f *listing.Found) {
	var benchmarks []*listing.Benchmark
	seen := make(map[listing.Variant]bool) // a pattern with alternatives runs some in several processes
	for _, k := range f.Order {
		if seen[k] {
			continue
		}
		seen[k] = true
		b := &listing.Benchmark{Pkg: p, Printed: k.Name, Nth: k.Nth, Procs: k.Procs, Name: p.ReportName(k.Name, k.Nth)}
		s := f.Ran[k]
		b.First, b.Parallel = [2]listing.Sample{s, s}, s.Parallel
		if c.IsExcluded(b.Name) {
			continue
		}
		c.names, benchmarks = append(c.names, k.Name), append(benchmarks, b)
		if value, rest, keyed, ok := c.key.split(k.Name); ok {
			name := c.nameOf(rest, k)
			g := c.groupOf(p, name)
			if g == nil {
				g = &group{pkg: p, name: name, limit: c.limitOf(p.ReportName(rest, k.Nth))}
				c.groups = append(c.groups, g)
			}
			g.entries = append(g.entries, &implementation{Benchmark: b, value: value, keyed: keyed})
		}
	}
	listing.FindSharedSetUps(benchmarks)
	c.joinLong(p)
	for _, name := range slices.Sorted(maps.Keys(f.Broken)) {
		c.addAbsent(p, name, "fails: "+f.Broken[name])
	}
	for _, name := range f.Skipped {
		c.addAbsent(p, name, "skips")
	}
	for _, function := range slices.Sorted(maps.Keys(f.Failed)) {
		isKnown := slices.ContainsFunc(slices.Collect(maps.Keys(f.Broken)), func(name string) bool {
			return listing.TopLevel(name) == function || f.Broken[name] == f.Failed[function].Error()
		})
		if name := p.ReportName(function, 0); !isKnown && !c.IsExcluded(name) {
			c.fails = true
			c.Note("%s fails, and may have further benchmarks: %v", name, f.Failed[function])
		}
	}
}

// joinLong moves implementations whose values have slashes, as rs/zerolog, from groups of their own to that of the names
// without these parts.
func (c *groupList) joinLong(p *listing.Package) {
	for _, g := range slices.Clone(c.groups) {
		if g.pkg != p || len(g.entries) > 1 {
			continue
		}
		e := g.entries[0]
		value, rest, keyed, ok := c.key.splitLong(e.Printed)
		to := c.groupOf(p, c.nameOf(rest, listing.Variant{Nth: e.Nth, Procs: e.Procs}))
		if !ok || to == nil {
			continue
		}
		e.value, e.keyed = value, keyed
		to.entries = append(to.entries, e)
		c.groups = slices.DeleteFunc(c.groups, func(other *group) bool { return other == g })
	}
}

// groupOf returns the group of a name, or nil.
func (c *groupList) groupOf(p *listing.Package, name string) *group {
	for _, g := range c.groups {
		if g.pkg == p && g.name == name {
			return g
		}
	}
	return nil
}

// nameOf is the name of the group of a benchmark.
func (c *groupList) nameOf(rest string, k listing.Variant) string {
	if rest += c.Suffix(k.Procs); k.Nth > 0 {
		rest += " (_test)"
	}
	return rest
}

// addAbsent adds an implementation without figures to the groups of its name.
func (c *groupList) addAbsent(p *listing.Package, name, why string) {
	value, rest, _, ok := c.key.split(name)
	if !ok || c.IsExcluded(p.ReportName(name, 0)) {
		return
	}
	isFound := false
	for _, g := range c.groups {
		_, own, _, _ := c.key.split(g.entries[0].Printed)
		if g.pkg == p && own == rest {
			g.entries = slices.DeleteFunc(g.entries, func(e *implementation) bool { return e.value == value })
			g.absent, isFound = append(g.absent, absence{value, why}), true
		}
		if len(g.entries) == 0 {
			isFound = false
		}
	}
	c.groups = slices.DeleteFunc(c.groups, func(g *group) bool { return len(g.entries) == 0 })
	if !isFound {
		c.fails = c.fails || strings.HasPrefix(why, "fails")
		c.lone = append(c.lone, absence{p.ReportName(name, 0), why})
	}
}

// dropAlone removes the groups of one implementation. In the others it finds what is missing: an
// implementation that another group has, which shares at least two with this one.
func (c *groupList) dropAlone() {
	c.groups = slices.DeleteFunc(c.groups, func(g *group) bool {
		if len(g.entries) < 2 {
			c.alone = append(c.alone, g)
		}
		return len(g.entries) < 2
	})
	for _, g := range c.groups {
		has := func(value string) bool {
			return slices.ContainsFunc(g.entries, func(e *implementation) bool { return e.value == value }) ||
				slices.ContainsFunc(g.absent, func(a absence) bool { return a.value == value })
		}
		for _, other := range c.groups {
			shared := 0
			for _, e := range other.entries {
				if has(e.value) {
					shared++
				}
			}
			for _, e := range other.entries {
				if shared >= 2 && !has(e.value) {
					g.absent = append(g.absent, absence{e.value, "missing"})
				}
			}
		}
		c.useOneClock(g)
	}
}

// useOneClock gives all implementations of a group the same processors.
func (c *groupList) useOneClock(g *group) {
	if !slices.ContainsFunc(g.entries, func(e *implementation) bool { return e.Parallel }) {
		return
	}
	for _, e := range g.entries {
		b := *e.Benchmark
		if b.Parallel = true; !c.SetsProcs {
			b.Procs = c.MostProcs
		}
		e.Benchmark = &b
	}
}

// values lists the values of the key in all groups, in order of their appearance.
func (c *groupList) values() (all []string) {
	for _, g := range c.groups {
		for _, e := range g.entries {
			if !slices.Contains(all, e.value) {
				all = append(all, e.value)
			}
		}
	}
	return all
}

// check returns an [*InputError] where there is nothing to compare, and for values of the user that no group has.
func (c *groupList) check(by By) error {
	if len(c.names) == 0 {
		return frame.InputErrorf("no benchmark of %q runs%s", c.Bench, withRemarks(c.Remarks))
	}
	if len(c.groups) == 0 {
		var values []string
		for _, g := range c.alone {
			values = append(values, g.entries[0].value)
		}
		switch values = frame.Union(values, nil); {
		case len(values) == 0:
			return frame.FieldErrorf("Key", "no benchmark has the key %s: %s", c.key, listKeys(c.names))
		case len(values) == 1:
			return frame.FieldErrorf("Key", "there is one implementation by %s: %s (want more benchmarks, or another key: %s)%s", c.key,
				values[0], listKeys(c.names), withRemarks(c.Remarks))
		}
		return frame.FieldErrorf("Key", "benchmarks that differ in %s (%s) differ in other parts as well (want another key: %s)%s", c.key,
			frame.SomeOf(values), listKeys(c.names), withRemarks(c.Remarks))
	}
	for _, of := range []struct{ field, value string }{{"Baseline", by.Baseline}, {"Fastest", by.Fastest}} {
		if value := of.value; value != "" && !slices.Contains(c.values(), value) {
			return frame.FieldErrorf(of.field, "no group has the implementation %q (want one of %s)", value,
				text.Some(c.values(), 20))
		}
	}
	if len(c.alone) > 0 {
		names := text.List(c.alone, func(g *group) string { return g.pkg.ReportName(g.name, 0) })
		c.Note("not compared, since there is one implementation: %s", frame.SomeOf(names))
	}
	return nil
}

// withRemarks adds remarks to an error: without a report, nothing else shows them.
func withRemarks(remarks []string) string {
	if len(remarks) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s", strings.Join(remarks, "; "))
}
