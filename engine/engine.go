// Package engine lists all engines and checks that they agree.
//
// [All] lists them from the plainest to the fastest, [Lookup] finds one by its name board/eval,
// and [Fastest] picks the one to play many games with. Another module's engine joins the
// list by [Register]. A [Verifier] compares any engine with the oracle, bit for bit.
package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine/internal/array"
	"github.com/seed-09dcdc84/ur/engine/internal/incremental"
	"github.com/seed-09dcdc84/ur/engine/internal/lanes"
	"github.com/seed-09dcdc84/ur/engine/internal/squares"
	"github.com/seed-09dcdc84/ur/engine/internal/table"
	"github.com/seed-09dcdc84/ur/internal/cpu"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// OracleName names the engine that all others must equal.
const OracleName = "array16/scalar"

// ladder lists the built-in engines of this build, from the plainest on. A new one is a line here.
// Those in assembly are nil in a build without it.
var ladder = slices.DeleteFunc([]ur.Engine{
	ur.Array16Scalar,
	ur.Array16Zeroskip,
	array.Array8Scalar,
	array.RowsScalar,
	array.Sparse,
	array.BitsScalar,
	table.Engine,
	incremental.Engine,
	lanes.Go,
	orElsewhere(incremental.NEON, "bits/incremental-neon", ur.NEON),
	orElsewhere(incremental.AVX2, "bits/incremental-avx2", ur.AVX2),
	orElsewhere(array.Array8AVX2, "array8/avx2", ur.AVX2),
	orElsewhere(ur.Array16NEON, "array16/neon", ur.NEON),
	orElsewhere(ur.Array16AVX2, "array16/avx2", ur.AVX2),
	array.SIMD,
	array.Archsimd,
	orElsewhere(array.AVX512, "array16/avx512", ur.AVX512F),
	orElsewhere(lanes.NEON, "lanes/neon", ur.NEON),
	orElsewhere(squares.NEON, "squares/neon", ur.NEON),
	orElsewhere(squares.AVX2, "squares/avx2", ur.AVX2),
	orElsewhere(lanes.AVX512, "lanes/avx512", ur.AVX512F),
}, func(e ur.Engine) bool { return e == nil })

// elsewhere is an engine for another architecture. It is listed everywhere, and cannot run here.
type elsewhere struct {
	name string
	need ur.Feature
}

func (e elsewhere) Name() string                  { return e.name }
func (e elsewhere) Needs() []ur.Feature           { return []ur.Feature{e.need} }
func (e elsewhere) New(ur.Setup) (ur.Game, error) { return nil, ur.Available(e) }

// orElsewhere returns an engine. One that is nil because this CPU lacks a feature becomes an
// entry in the list; one that is nil because of the build does not.
func orElsewhere(e ur.Engine, name string, need ur.Feature) ur.Engine {
	if e == nil && !cpu.Has(need) {
		return elsewhere{name, need}
	}
	return e
}

// list is the ladder, and behind it other modules' engines.
var list = struct {
	sync.RWMutex
	all []ur.Engine
}{all: slices.Clone(ladder)}

// Register adds an engine to the list. It returns an error if the name does not have the form
// board/eval or is already registered: two engines with one name would make figures ambiguous.
func Register(e ur.Engine) error {
	if e == nil {
		return errors.New("register an engine: nil (want an engine)")
	}
	name := e.Name()
	if err := checkName(name); err != nil {
		return fmt.Errorf("register an engine: %w", err)
	}
	list.Lock()
	defer list.Unlock()
	if slices.ContainsFunc(list.all, named(name)) {
		return fmt.Errorf("register an engine: name %q is already registered", name)
	}
	list.all = append(list.all, e)
	return nil
}

// checkName returns an error if an engine's name is invalid. Benchmarks are named after it, so
// it has one slash and no separator from benchmark keys.
func checkName(name string) error {
	board, eval, _ := strings.Cut(name, "/")
	if board == "" || eval == "" || strings.ContainsAny(eval, "/") {
		return fmt.Errorf("name %q: invalid (want board/eval)", name)
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' || strings.ContainsRune("=,:\"", r) }); i >= 0 {
		return fmt.Errorf("name %q: invalid character %q at byte %d (want printable ASCII without spaces, quotes, '=', ',' and ':')", name, name[i], i)
	}
	return nil
}

func named(name string) func(ur.Engine) bool {
	return func(e ur.Engine) bool { return e.Name() == name }
}

// All returns all engines, whether or not this CPU can run them (see [ur.Available]): the built-in
// ones in ladder order, then the others as they were registered.
func All() []ur.Engine {
	list.RLock()
	defer list.RUnlock()
	return slices.Clone(list.all)
}

// Available returns the engines this CPU can run, in the same order as [All].
func Available() []ur.Engine {
	return slices.DeleteFunc(All(), func(e ur.Engine) bool { return ur.Available(e) != nil })
}

// Lookup returns the engine with the given name. For an unknown name, the error lists all names.
func Lookup(name string) (ur.Engine, error) {
	all := All()
	if i := slices.IndexFunc(all, named(name)); i >= 0 {
		return all[i], nil
	}
	names := text.List(all, ur.Engine.Name)
	return nil, fmt.Errorf("unknown engine %q (want one of %s)", name, strings.Join(names, ", "))
}

// Oracle returns the engine that every other is compared with. It runs everywhere.
func Oracle() ur.Engine { return ur.Array16Scalar }

// Fastest returns the built-in engine with the fastest whole games, by the records under
// results, among those this CPU can run.
func Fastest() ur.Engine {
	for _, name := range fastest {
		i := slices.IndexFunc(ladder, named(name))
		if i >= 0 && ur.Available(ladder[i]) == nil {
			return ladder[i]
		}
	}
	return Oracle()
}

// CheckRequired returns an error if UR_REQUIRE names a CPU feature tier and an engine in
// that tier is missing or cannot run here. Test suites call it so a missing tier fails instead
// of being skipped.
func CheckRequired() error { return cpu.CheckRequired(All()) }
