package count

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/internal/symbol"
	"github.com/seed-09dcdc84/ur/bench/report"
)

// Compare returns the functions that differ between two sides, the largest additional work first.
//
// Closures count as their function, since the compiler numbers them anew. A function of one side
// that works as much as one of the other side in the same package is renamed. A function of one
// side whose caller changes by the opposite amount was inlined, or no longer is: it counts as its caller.
func Compare(before, after []Function) (changes []report.Function) {
	sides := [2]map[string]*Function{mergeClosures(before), mergeClosures(after)}
	pairRenamed(sides)
	foldInlined(sides)
	for _, name := range slices.AppendSeq(onlyIn(sides[0], sides[1]), maps.Keys(sides[1])) {
		old, f := cmp.Or(sides[0][name], &Function{}), cmp.Or(sides[1][name], &Function{})
		if more := f.Self - old.Self; math.Abs(more) >= leastDifference {
			changes = append(changes, report.Function{Name: name, More: more, Calls: [2]float64{old.Calls, f.Calls}})
		}
	}
	slices.SortFunc(changes, func(a, b report.Function) int {
		return cmp.Or(cmp.Compare(b.More, a.More), strings.Compare(a.Name, b.Name))
	})
	return changes
}

// leastDifference is the smallest difference of a function worth a line, in instructions.
const leastDifference = 0.05

// mergeClosures returns the functions by name, with closures added to their function.
func mergeClosures(functions []Function) map[string]*Function {
	merged := make(map[string]*Function)
	for _, f := range functions {
		name := symbol.Enclosing(f.Name)
		caller := symbol.Enclosing(f.Caller)
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

// pairRenamed gives the renamed functions of the old side their new names.
func pairRenamed(sides [2]map[string]*Function) {
	const similar = 0.02
	for _, name := range onlyIn(sides[0], sides[1]) {
		f := sides[0][name]
		for _, other := range onlyIn(sides[1], sides[0]) {
			g := sides[1][other]
			if symbol.Package(name) == symbol.Package(other) && f.Self >= 1 &&
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
