package reach

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab/internal/code"
	"github.com/seed-09dcdc84/ur/bench/ab/internal/frame"
	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// Comparison compares a package's test program on both sides.
type Comparison struct {
	Sides   [2]*code.Programs
	Program string          // import path of the package
	opaque  map[string]bool // packages with other sources that differ, as in C
	embeds  map[string]bool // variables with embedded files that differ: the compiler does not print large ones
	known   map[[2]string]bool
	reached [2]map[string]*reached // symbols of each side that searches have found, by name
	walks   int                    // searches so far
	roots   []string               // symbols that differ and are reached before the benchmarks run

	startsProcess bool // the last search has met a call that starts a process

	linked map[string]bool // functions of the new side as [symbol.Declared] has them; nil before they are wanted
}

// reached is a symbol found by a search. It is read once, since many benchmarks reach the same symbols.
type reached struct {
	name    string
	walk    int  // the last search that saw it
	isRead  bool // the fields below are known
	differs bool // from the symbol of the other side
	refs    []*reached
}

// Compare compares what runs before all benchmarks of a program.
func Compare(sides [2]*code.Programs, path string, opaque, embeds map[string]bool) *Comparison {
	c := &Comparison{Sides: sides, Program: path, opaque: opaque, embeds: embeds, known: make(map[[2]string]bool),
		reached: [2]map[string]*reached{{}, {}}}
	var starts []string
	for _, p := range sides {
		for name := range p.Linked[c.Program] {
			if symbol.IsInitializer(name) {
				starts = append(starts, name)
			}
		}
		starts = append(starts, p.Foreign[c.Program]...)
		starts = append(starts, p.Foreign[""]...)
	}
	c.roots = c.differing(starts)
	return c
}

// find returns a symbol's definitions in a side's program. A function that neither
// side links does not count.
func (c *Comparison) find(side int, name string) []*code.Symbol {
	p := c.Sides[side]
	found, usual := p.Symbols[c.Program][name], p.Symbols[""][name]
	switch {
	case len(found) == 0:
		found = usual
	case len(usual) > 0:
		found = slices.SortedFunc(slices.Values(slices.Concat(found, usual)), code.Compare)
		found = slices.CompactFunc(found, func(a, b *code.Symbol) bool { return code.Compare(a, b) == 0 })
	}
	if len(found) > 0 && found[0].IsFunction && !c.isLinked(name) {
		return nil
	}
	return found
}

// isLinked reports whether a function is part of a side's program.
func (c *Comparison) isLinked(name string) bool {
	before, after := c.Sides[frame.Old].Linked[c.Program], c.Sides[frame.New].Linked[c.Program]
	return before == nil || after == nil || before[name] || after[name]
}

// Of compares the code reachable from a benchmark function of the package. Without a comparison,
// nothing is known.
func (c *Comparison) Of(function, root string) Change {
	if c == nil {
		return Change{Code: report.UnknownCode}
	}
	var starts []string
	to := Change{Code: report.SameCode}
	for _, name := range []string{symbol.Path(c.Program) + "." + function, symbol.Path(c.Program+"_test") + "." + function} {
		if c.find(frame.Old, name) != nil && c.find(frame.New, name) != nil {
			starts = append(starts, name)
		}
	}
	if to.Changed = c.differing(starts); c.startsProcess {
		to.Changed = frame.Union(to.Changed, c.differing(c.childStarts()))
	}
	to.Changed = frame.Union(c.roots, to.Changed)
	switch {
	case len(starts) == 0:
		to.Code, to.Changed = report.UnknownCode, nil
	case len(to.Changed) > 0:
		to.Code = report.ChangedCode
	}
	for _, name := range append(slices.Clone(to.Changed), starts...) {
		if place, ok := c.placeOf(name, root); ok && (len(to.Places) == 0 || slices.Contains(to.Changed, name)) {
			to.Places = append(to.Places, place)
		}
	}
	return to
}

// processStart matches the functions of the standard library that start a process.
var processStart = text.Regexp(`^(os/exec\.|os\.StartProcess$|syscall\.(StartProcess|ForkExec)$)`)

// childStarts returns the functions where the test program may begin if a benchmark starts it again: its tests and TestMain.
func (c *Comparison) childStarts() (starts []string) {
	for side := range c.Sides {
		for name := range c.Sides[side].Linked[c.Program] {
			if strings.HasPrefix(name, symbol.Path(c.Program)+".Test") || strings.HasPrefix(name, symbol.Path(c.Program+"_test")+".Test") {
				starts = append(starts, name)
			}
		}
	}
	return frame.Union(starts, nil)
}

// placeOf returns the place of a function of the new side in a folder.
func (c *Comparison) placeOf(name, root string) (report.Place, bool) {
	for _, s := range c.find(frame.New, name) {
		file, number, _ := strings.Cut(s.Place, ":")
		line, err := strconv.Atoi(number)
		if local, inside := strings.CutPrefix(file, root+string(filepath.Separator)); err == nil && inside {
			return report.Place{Function: name, File: filepath.ToSlash(local), Line: line}, true
		}
	}
	return report.Place{}, false
}

// differing returns the symbols that differ among those reachable on either side, without those that the first search
// has seen.
func (c *Comparison) differing(starts []string) []string {
	const first = 1
	c.walks++
	c.startsProcess = false
	changed := make(map[string]bool)
	for side := range c.Sides {
		var rest []*reached
		for _, name := range starts {
			rest = append(rest, c.symbol(side, name))
		}
		for len(rest) > 0 {
			s := rest[len(rest)-1]
			rest = rest[:len(rest)-1]
			c.startsProcess = c.startsProcess || processStart().MatchString(s.name)
			if s.name == "" || s.walk == first || s.walk == c.walks {
				continue
			}
			s.walk = c.walks
			if !s.isRead {
				s.isRead, s.differs = true, c.differs(s.name)
				for _, definition := range c.find(side, s.name) {
					for _, ref := range definition.Refs {
						s.refs = append(s.refs, c.symbol(side, ref))
					}
				}
			}
			if s.differs {
				changed[s.name] = true
			}
			rest = append(rest, s.refs...)
		}
	}
	return slices.Sorted(maps.Keys(changed))
}

// symbol returns what searches know about a symbol of a side.
func (c *Comparison) symbol(side int, name string) *reached {
	s := c.reached[side][name]
	if s == nil {
		s = &reached{name: name}
		c.reached[side][name] = s
	}
	return s
}

// differs reports whether a symbol is not the same on both sides. Those of other packages are,
// since these packages are; those the compiler numbers are compared where they are used.
func (c *Comparison) differs(name string) bool {
	variable, _, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "..")
	if c.opaque[symbol.Package(name)] || c.embeds[name[:strings.LastIndexByte(name, '/')+1]+variable] && c.isData(name) {
		return true
	}
	return !symbol.IsNumbered(name) && !c.same(name, name)
}

// isData reports whether a symbol has initial values on a side.
func (c *Comparison) isData(name string) bool {
	return slices.ContainsFunc(slices.Concat(c.find(frame.Old, name), c.find(frame.New, name)),
		func(s *code.Symbol) bool { return s.IsData })
}

// same reports whether a symbol of the old side and one of the new side have the same
// definitions.
func (c *Comparison) same(before, after string) bool {
	key := [2]string{before, after}
	if same, ok := c.known[key]; ok {
		return same
	}
	c.known[key] = true // until it is known: data may point to itself
	x, y := c.find(frame.Old, before), c.find(frame.New, after)
	same := len(x) == len(y)
	for i := 0; same && i < len(x); i++ {
		same = x[i].Digest == y[i].Digest && len(x[i].Refs) == len(y[i].Refs)
		for k := 0; same && k < len(x[i].Refs); k++ {
			a, b := x[i].Refs[k], y[i].Refs[k]
			if symbol.IsNumbered(a) && symbol.IsNumbered(b) {
				same = c.same(a, b)
			} else {
				same = a == b
			}
		}
	}
	c.known[key] = same
	return same
}
