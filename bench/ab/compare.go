package ab

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/report"
)

// comparison compares a package's test program on both sides.
type comparison struct {
	sides   [2]*programs
	program string          // import path of the package
	opaque  map[string]bool // packages with other sources that differ, as in C
	embeds  map[string]bool // variables with embedded files that differ: the compiler does not print large ones
	known   map[[2]string]bool
	changed map[string]bool    // compared symbols: whether they differ
	before  [2]map[string]bool // reached before the benchmarks run
	roots   []string           // roots that differ
	linked  map[string]bool    // functions of the new side as [declaredName] has them; nil before they are wanted
}

// newComparison compares what runs before all benchmarks of a program.
func newComparison(sides [2]*programs, path string, opaque, embeds map[string]bool) *comparison {
	c := &comparison{sides: sides, program: path, opaque: opaque, embeds: embeds, known: make(map[[2]string]bool),
		changed: make(map[string]bool)}
	var starts []string
	for _, p := range sides {
		for name := range p.linked[c.program] {
			if initializer().MatchString(name) {
				starts = append(starts, name)
			}
		}
		starts = append(starts, p.foreign[c.program]...)
		starts = append(starts, p.foreign[""]...)
	}
	c.before = [2]map[string]bool{{}, {}}
	c.roots = c.differing(starts, &c.before)
	return c
}

// find returns a symbol's definitions in a side's program. A function that neither
// side links does not count.
func (c *comparison) find(side int, name string) []*symbol {
	p := c.sides[side]
	found, usual := p.symbols[c.program][name], p.symbols[""][name]
	switch {
	case len(found) == 0:
		found = usual
	case len(usual) > 0:
		found = slices.Concat(found, usual)
	}
	if len(found) > 0 && found[0].function && !c.isLinked(name) {
		return nil
	}
	return found
}

// isLinked reports whether a function is part of a side's program.
func (c *comparison) isLinked(name string) bool {
	before, after := c.sides[oldSide].linked[c.program], c.sides[newSide].linked[c.program]
	return before == nil || after == nil || before[name] || after[name]
}

// linkedFunctions returns the functions with code of their own in the program of the new side.
func (c *comparison) linkedFunctions() map[string]bool {
	if c.linked == nil {
		c.linked = make(map[string]bool)
		for name := range c.sides[newSide].linked[c.program] {
			c.linked[declaredName(name)] = true
		}
	}
	return c.linked
}

// reachOf compares the code reachable from a benchmark function of the package. Without a comparison,
// nothing is known.
func (c *comparison) reachOf(function, root string) reach {
	if c == nil {
		return reach{code: report.UnknownCode}
	}
	var starts []string
	to := reach{code: report.SameCode}
	for _, name := range []string{linkName(c.program) + "." + function, linkName(c.program+"_test") + "." + function} {
		if c.find(oldSide, name) != nil && c.find(newSide, name) != nil {
			starts = append(starts, name)
		}
	}
	seen := [2]map[string]bool{{}, {}}
	to.changed = union(c.roots, c.differing(starts, &seen))
	switch {
	case len(starts) == 0:
		to.code, to.changed = report.UnknownCode, nil
	case len(to.changed) > 0:
		to.code = report.ChangedCode
	}
	for _, name := range append(slices.Clone(to.changed), starts...) {
		if place, ok := c.placeOf(name, root); ok && (len(to.places) == 0 || slices.Contains(to.changed, name)) {
			to.places = append(to.places, place)
		}
	}
	return to
}

// placeOf returns the place of a function of the new side in a folder.
func (c *comparison) placeOf(name, root string) (report.Place, bool) {
	for _, s := range c.find(newSide, name) {
		file, number, _ := strings.Cut(s.place, ":")
		line, err := strconv.Atoi(number)
		if local, inside := strings.CutPrefix(file, root+string(filepath.Separator)); err == nil && inside {
			return report.Place{Function: name, File: filepath.ToSlash(local), Line: line}, true
		}
	}
	return report.Place{}, false
}

// differing returns the symbols that differ among those reachable on either side, and marks those
// that it sees.
func (c *comparison) differing(starts []string, seen *[2]map[string]bool) []string {
	changed := make(map[string]bool)
	for side := range c.sides {
		rest := slices.Clone(starts)
		for len(rest) > 0 {
			name := rest[len(rest)-1]
			rest = rest[:len(rest)-1]
			if name == "" || seen[side][name] || c.before[side][name] {
				continue
			}
			seen[side][name] = true
			if c.differs(name) {
				changed[name] = true
			}
			for _, s := range c.find(side, name) {
				rest = append(rest, s.refs...)
			}
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// differs reports whether a symbol is not the same on both sides. Those of other packages are,
// since these packages are; those the compiler numbers are compared where they are used.
func (c *comparison) differs(name string) bool {
	variable, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "..")
	if c.opaque[packageOf(name)] || c.embeds[name[:strings.LastIndexByte(name, '/')+1]+variable] && c.isData(name) {
		return true
	}
	if isNumbered(name) {
		return false
	}
	changed, ok := c.changed[name]
	if !ok {
		changed = !c.same(name, name)
		c.changed[name] = changed
	}
	return changed
}

// isData reports whether a symbol has initial values on a side.
func (c *comparison) isData(name string) bool {
	return slices.ContainsFunc(slices.Concat(c.find(oldSide, name), c.find(newSide, name)),
		func(s *symbol) bool { return s.data })
}

// same reports whether a symbol of the old side and one of the new side have the same
// definitions.
func (c *comparison) same(before, after string) bool {
	key := [2]string{before, after}
	if same, ok := c.known[key]; ok {
		return same
	}
	c.known[key] = true // until it is known: data may point to itself
	x, y := c.find(oldSide, before), c.find(newSide, after)
	same := len(x) == len(y)
	for i := 0; same && i < len(x); i++ {
		same = x[i].digest == y[i].digest && len(x[i].refs) == len(y[i].refs)
		for k := 0; same && k < len(x[i].refs); k++ {
			a, b := x[i].refs[k], y[i].refs[k]
			if isNumbered(a) && isNumbered(b) {
				same = c.same(a, b)
			} else {
				same = a == b
			}
		}
	}
	c.known[key] = same
	return same
}
