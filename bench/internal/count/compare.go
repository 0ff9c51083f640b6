package count

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Change is the difference of a function between two sides, an operation.
type Change struct {
	Name               string
	Old, New           float64
	OldCalls, NewCalls float64
}

// More returns the additional instructions an operation, below 0 for fewer.
func (c Change) More() float64 { return c.New - c.Old }

// Compare returns the functions that differ between two sides, the largest additional work first.
//
// Closures count as their function, since the compiler numbers them anew. A function of one side
// that works as much as one of the other side in the same package is renamed. A function of one
// side whose caller changes by the opposite amount was inlined, or no longer is: it counts as its caller.
func Compare(before, after []Function) []Change {
	sides := [2]map[string]*Function{mergeClosures(before), mergeClosures(after)}
	pairRenamed(sides)
	foldInlined(sides)
	var changes []Change
	for name, f := range sides[1] {
		c := Change{Name: name, New: f.Self, NewCalls: f.Calls}
		if old := sides[0][name]; old != nil {
			c.Old, c.OldCalls = old.Self, old.Calls
		}
		changes = append(changes, c)
	}
	for name, f := range sides[0] {
		if sides[1][name] == nil {
			changes = append(changes, Change{Name: name, Old: f.Self, OldCalls: f.Calls})
		}
	}
	changes = slices.DeleteFunc(changes, func(c Change) bool { return math.Abs(c.More()) < leastDifference })
	slices.SortFunc(changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(b.More(), a.More()), strings.Compare(a.Name, b.Name))
	})
	return changes
}

// leastDifference is the smallest difference of a function worth a line, in instructions.
const leastDifference = 0.05

// closures are the compiler's suffixes: closures, wrappers, method values, type arguments.
var closures = regexp.MustCompile(`(\.func\d+|\.gowrap\d+|\.deferwrap\d+|\.\d+|-fm|-range\d+|\[[^\]]*\])+$`)

// mergeClosures returns the functions by name, with closures added to their function.
func mergeClosures(functions []Function) map[string]*Function {
	merged := make(map[string]*Function)
	for _, f := range functions {
		name := closures.ReplaceAllString(f.Name, "")
		caller := closures.ReplaceAllString(f.Caller, "")
		known := merged[name]
		if known == nil {
			merged[name] = &Function{name, caller, f.Self, f.Calls}
			continue
		}
		known.Self += f.Self
		if name == f.Name {
			known.Calls, known.Caller = f.Calls, caller
		}
	}
	return merged
}

// packageOf returns a function's import path.
func packageOf(name string) string {
	folder := strings.LastIndex(name, "/") + 1
	last, _, _ := strings.Cut(name[folder:], ".")
	return name[:folder] + last
}

// pairRenamed gives the renamed functions of the old side their new names.
func pairRenamed(sides [2]map[string]*Function) {
	const similar = 0.02
	for _, name := range onlyIn(sides[0], sides[1]) {
		f := sides[0][name]
		for _, other := range onlyIn(sides[1], sides[0]) {
			g := sides[1][other]
			if packageOf(name) == packageOf(other) && f.Self >= 1 &&
				math.Abs(g.Self-f.Self) <= similar*f.Self && math.Abs(g.Calls-f.Calls) <= similar*f.Calls {
				sides[0][other] = f
				delete(sides[0], name)
				break
			}
		}
	}
}

// foldInlined adds a function of one side to its caller if the caller takes over its instructions on the
// other side.
func foldInlined(sides [2]map[string]*Function) {
	const part = 0.3 // share of the instructions: those in calls and by optimizations differ
	for k := range sides {
		here, there := sides[k], sides[1-k]
		for _, name := range onlyIn(here, there) {
			f := here[name]
			caller, other := here[f.Caller], there[f.Caller]
			if caller != nil && other != nil && caller != f && other.Self-caller.Self >= part*f.Self {
				caller.Self += f.Self
				delete(here, name)
			}
		}
	}
}

// onlyIn returns the functions of one side that the other side lacks, in order.
func onlyIn(here, there map[string]*Function) (names []string) {
	for name := range here {
		if there[name] == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
