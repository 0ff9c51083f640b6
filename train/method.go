// Package train trains players. An [EvolveConfig] learns a brain's weights by matches between perturbed brains, a
// [TreeConfig] values for squares by a tree of greedy players, and a [FitConfig] a brain's weights from the exact
// solution. A [DistillConfig] and a [TDConfig] train a value network. [Methods] lists all methods.
//
// All methods share one frame. A [Learner] learns in steps, and a [Run] takes these steps until
// the budget in games or time is spent. The run measures the growing strength in a learning
// [Curve], and saves a [Checkpoint] from time to time, so a killed run continues with the same
// result. The result is written with its [Provenance], so it can be reproduced.
//
// A seed determines a result: the engine, the number of threads, the clock, and interruptions do not matter.
package train

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur/play"
)

// Method is a way to learn.
type Method struct {
	Name string // small letters, digits and hyphens

	// Unit is the unit of progress, as in "moves"; empty means games.
	Unit string

	// Growth is the factor by which progress grows between two measurements; 0 means 1.15.
	Growth float64

	// Default limits for a run whose configuration has none; 0 means no limit.
	Games int64
	Time  time.Duration

	Binary bool // the result is not text

	// New returns a configuration with its defaults.
	New func() Config

	// Draw draws the structure grown by such a learner, by the file extension, as in
	// ".svg"; nil if there is nothing to draw.
	Draw map[string]func(Learner, io.Writer) error
}

// Counted returns the unit of progress in the method's runs, as in "games".
func (m Method) Counted() string { return cmp.Or(m.Unit, "games") }

// Config is a pointer to a settings struct, whose tags describe them: see [Field]. Learner
// fills in defaults, and reports an invalid field by a [*config.Error].
type Config interface {
	Learner(ctx context.Context) (Learner, error)
}

// Learner is a learning method with its progress. It is not safe for concurrent use, but may
// play on several goroutines.
type Learner interface {
	// Step learns from some more games and returns their number, at least 1, or [Finished]. After
	// an error, such as that of ctx, the learner is unchanged.
	Step(ctx context.Context) (games int64, err error)

	// Measure plays against rivals to measure the learner's strength. It must not change the
	// effect of Step. Before holds the previous scores, if any: a rival beaten then stays so.
	// Regret is in points a decision, nil where it cannot be measured.
	Measure(ctx context.Context, before []Score) (scores []Score, regret *float64, err error)

	// State returns everything changed by steps, for encoding/json. SetState takes over a state
	// from a learner with equal settings: a value of the same type, in which no integer in a struct
	// is negative, and lists in structs are as long as in State unless tagged length:"any". If it
	// is invalid otherwise, the learner is unchanged, and the error names the fault.
	State() any
	SetState(state any) error

	// Result returns the learned player, a [*valuenet.Net] or an [encoding.TextMarshaler], and
	// comment lines about a text, or "".
	Result() (player any, comment string)
}

// Finished is the error from a step that would have no effect: the reason.
type Finished string

// Error implements error.
func (f Finished) Error() string { return string(f) }

// builtIn returns this module's ways to learn. A new one is a file with its learner and its
// configuration, and an entry here.
func builtIn() []Method {
	brain := BrainConfig{Rival: classicRival()}
	drawTree := func(l Learner, w io.Writer) error { return l.(*treeLearner).WriteSVG(w) }
	return []Method{
		{Name: "evolve", Time: time.Minute, New: func() Config { return withDefaults(&EvolveConfig{BrainConfig: brain}) }},
		{Name: "tree", Games: 10_000, Draw: map[string]func(Learner, io.Writer) error{".svg": drawTree},
			New: func() Config { return withDefaults(&TreeConfig{Rival: play.Greedy}) }},
		{Name: "fit", New: func() Config { return withDefaults(&FitConfig{BrainConfig: brain}) }},
		{Name: "td", Unit: "moves", Binary: true, Growth: netMeasureGrowth,
			New: func() Config { return withDefaults(&TDConfig{NetConfig: NetConfig{Hidden: tdHidden}}) }},
		{Name: "distill", Unit: "positions", Binary: true, Growth: netMeasureGrowth,
			New: func() Config { return withDefaults(&DistillConfig{NetConfig: NetConfig{Hidden: distillHidden}}) }},
	}
}

// registered are the ways to learn added by other modules.
var registered struct {
	sync.RWMutex
	methods []Method
}

// Methods returns the ways to learn, those from [Register] last.
func Methods() []Method {
	registered.RLock()
	defer registered.RUnlock()
	return append(builtIn(), registered.methods...)
}

// Register adds a way to learn to [Methods]. It returns an error for a name that is invalid or
// taken. New must return a pointer to a struct with a field Seed of type uint64.
func Register(m Method) error {
	if m.Name == "" || strings.Trim(m.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("register a method: the name %q is invalid (want small letters, digits and hyphens)", m.Name)
	}
	if m.New == nil || !hasSeed(m.New()) {
		return fmt.Errorf("register a method: %s: New must return a pointer to a struct with Seed uint64", m.Name)
	}
	registered.Lock()
	defer registered.Unlock()
	if slices.ContainsFunc(slices.Concat(builtIn(), registered.methods), func(other Method) bool { return other.Name == m.Name }) {
		return fmt.Errorf("register a method: name %q is already registered", m.Name)
	}
	registered.methods = append(registered.methods, m)
	return nil
}

// hasSeed reports whether a configuration has a seed.
func hasSeed(c Config) bool {
	t := reflect.TypeOf(c)
	if t == nil || t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return false
	}
	f, ok := t.Elem().FieldByName("Seed")
	return ok && f.Type == reflect.TypeFor[uint64]() && !reflect.ValueOf(c).IsNil()
}
