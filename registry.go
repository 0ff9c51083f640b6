package ur

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// OracleName names the engine that defines what every other must compute.
const OracleName = "array16/scalar"

// registry holds the engines in the order in which they should be listed: the
// built-in ones as the ladder climbs, then those registered by users.
var registry struct {
	sync.RWMutex
	engines []Engine
}

// ladder is the order of the built-in engines, from the plainest on.
var ladder = []string{
	OracleName,
	"array16/zeroskip",
	"array8/scalar",
	"rows/scalar",
	"bits/scalar",
	"bits/table",
	"bits/incremental",
	"lanes/go",
	"bits/incremental-avx2",
	"array8/avx2",
	"array16/avx2",
	"array16/archsimd",
	"array16/avx512",
	"squares/avx2",
	"lanes/avx512",
}

// fastest are the built-in engines that play whole games fastest, best first, as
// measured by "ur bench run" and recorded under results.
var fastest = []string{
	"lanes/avx512",
	"squares/avx2",
	"lanes/go",
	"bits/incremental",
	"bits/table",
	"array16/avx2",
	"bits/scalar",
}

// Register adds an engine, usually from an init function. It panics when the name
// is not of the form board/eval or is taken: two engines of one name would make
// every figure ambiguous.
func Register(e Engine) {
	name := e.Name()
	board, eval, ok := strings.Cut(name, "/")
	if !ok || board == "" || eval == "" || strings.ContainsAny(name, " \t\n=,") {
		panic(fmt.Sprintf("ur: engine name %q is not of the form board/eval", name))
	}
	registry.Lock()
	defer registry.Unlock()
	for _, other := range registry.engines {
		if other.Name() == name {
			panic(fmt.Sprintf("ur: engine %q is registered twice", name))
		}
	}
	registry.engines = append(registry.engines, e)
}

// Engines returns all registered engines, whether or not this CPU can run them
// (see [Available]): the built-in ones in the order of the ladder, then the others
// as they were registered.
func Engines() []Engine {
	registry.RLock()
	engines := slices.Clone(registry.engines)
	registry.RUnlock()
	rank := func(e Engine) int {
		if i := slices.Index(ladder, e.Name()); i >= 0 {
			return i
		}
		return len(ladder)
	}
	slices.SortStableFunc(engines, func(a, b Engine) int { return rank(a) - rank(b) })
	return engines
}

// AvailableEngines returns the engines that can run here, in the order of
// [Engines].
func AvailableEngines() []Engine {
	return slices.DeleteFunc(Engines(), func(e Engine) bool { return Available(e) != nil })
}

// Lookup returns the engine of the given name, or an error that lists the names
// there are.
func Lookup(name string) (Engine, error) {
	var names []string
	for _, e := range Engines() {
		if e.Name() == name {
			return e, nil
		}
		names = append(names, e.Name())
	}
	return nil, fmt.Errorf("unknown engine %q, want one of %s", name, strings.Join(names, ", "))
}

// Fastest returns the built-in engine that plays whole games fastest among those
// that can run here.
func Fastest() Engine {
	for _, name := range fastest {
		if e, err := Lookup(name); err == nil && Available(e) == nil {
			return e
		}
	}
	return Oracle()
}

// Oracle returns the engine that every other is compared with. It runs everywhere.
func Oracle() Engine {
	e, err := Lookup(OracleName)
	if err != nil {
		panic(err) // its init registers it in every build
	}
	return e
}

// SplitName returns the two parts of an engine's name: the board representation
// and the evaluator.
func SplitName(e Engine) (board, eval string) {
	board, eval, _ = strings.Cut(e.Name(), "/")
	return board, eval
}
