// Package train trains players. An [EvolveConfig] learns a brain's weights by matches
// between perturbed brains, a [TreeConfig] values for squares by a tree of greedy players, and
// a [FitConfig] a brain's weights from the exact solution. A [DistillConfig] and a [TDConfig]
// train a value network. [Methods] lists all methods.
//
// All methods share one frame. A [Learner] learns in steps, and a [Run] takes these steps until
// the budget in games or time is spent. The run measures the growing strength in a learning
// [Curve], and saves a [Checkpoint] from time to time, so a killed run continues with the same
// result. The result is written with its [Provenance], so it can be reproduced.
//
// A seed determines a result: the engine, the number of threads, the clock, and interruptions
// do not matter.
package train

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
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

// A Field is a configuration's field, described by its tags:
//
//	flag:"rate"      the flag's name; a field without one has none
//	help:"..."       its description
//	default:"0.01"   replaces a zero value
//	range:"(0,10]"   the numbers allowed; "[1,)" has no upper end
//	values:"a,b"     the texts allowed
//	json:"rate"      its name among a result's settings; without one, it does not affect them
type Field struct {
	Name, Flag, Help string
	Values           []string // nil for any text
	Pointer          any      // the field's address

	// Check returns a [*config.Error] if the field's value is not allowed. Zero is allowed here
	// only where it does not stand for a default.
	Check func() error
}

// Fields returns a configuration's fields that have flags.
func Fields(c Config) (list []Field) {
	for f, v := range fieldsOf(c) {
		if flag := f.Tag.Get("flag"); flag != "" {
			check := func() error { return checkField("", f, v) }
			list = append(list, Field{f.Name, flag, f.Tag.Get("help"), valuesOf(f), v.Addr().Interface(), check})
		}
	}
	return list
}

// fieldsOf calls yield with a configuration's exported fields, those in embedded structs
// included.
func fieldsOf(c any) func(yield func(reflect.StructField, reflect.Value) bool) {
	v := reflect.ValueOf(c).Elem()
	return func(yield func(reflect.StructField, reflect.Value) bool) {
		for _, f := range reflect.VisibleFields(v.Type()) {
			if f.IsExported() && !f.Anonymous && !yield(f, v.FieldByIndex(f.Index)) {
				return
			}
		}
	}
}

func valuesOf(f reflect.StructField) []string {
	if text := f.Tag.Get("values"); text != "" {
		return strings.Split(text, ",")
	}
	return nil
}

// withDefaults sets a configuration's zero fields to their defaults and returns it.
func withDefaults[C Config](c C) C {
	for f, v := range fieldsOf(c) {
		setDefault(f, v)
	}
	return c
}

// setDefault sets a zero field to its default, if it has one.
func setDefault(f reflect.StructField, v reflect.Value) {
	text := f.Tag.Get("default")
	if text == "" || !v.IsZero() {
		return
	}
	if _, err := fmt.Sscan(text, v.Addr().Interface()); err != nil {
		panic(fmt.Sprintf("train: default of field %s: %v", f.Name, err))
	}
}

// completeConfig sets a configuration's zero fields, where zero is no value, to their defaults,
// and checks all fields. An error is a [*config.Error] that names the configuration.
func completeConfig(name string, c Config) error {
	for f, v := range fieldsOf(c) {
		unset := v.IsZero()
		if unset && checkField(name, f, v) != nil {
			setDefault(f, v)
		}
		if unset && v.IsZero() { // no limit, or another default
			continue
		}
		if err := checkField(name, f, v); err != nil {
			return err
		}
	}
	return nil
}

// checkField returns a [*config.Error] for a value outside its field's range or values.
func checkField(name string, f reflect.StructField, v reflect.Value) error {
	if values := valuesOf(f); values != nil {
		if slices.Contains(values, v.String()) {
			return nil
		}
		return config.Fault(name, f.Name, "must be %s, got %q", strings.Join(values, " or "), v)
	}
	text := f.Tag.Get("range")
	if text == "" {
		return nil
	}
	var x float64
	switch {
	case v.CanFloat():
		x = v.Float()
	case v.CanInt():
		x = float64(v.Int())
	}
	low, high, above := parseInterval(f.Name, text)
	if (x > low || !above && x == low) && x <= high {
		return nil
	}
	want := formatBound(low) + " to " + formatBound(high)
	switch unbounded := math.IsInf(high, 1); {
	case unbounded && above:
		want = "above " + formatBound(low)
	case unbounded:
		want = "at least " + formatBound(low)
	case above:
		want = "above " + formatBound(low) + " and at most " + formatBound(high)
	}
	return config.Fault(name, f.Name, "must be %s, got %v", want, v)
}

// formatBound writes a bound.
func formatBound(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// parseInterval reads a field's range, as in "(0,1]" or "[1,)".
func parseInterval(field, text string) (low, high float64, above bool) {
	from, to, ok := strings.Cut(strings.Trim(text, "[()]"), ",")
	low, err := strconv.ParseFloat(from, 64)
	if high = math.Inf(1); to != "" && err == nil {
		high, err = strconv.ParseFloat(to, 64)
	}
	if !ok || err != nil {
		panic(fmt.Sprintf("train: range %q of field %s", text, field))
	}
	return low, high, text[0] == '('
}

// settingsOf returns the inputs that determine a result, except for its run's length: an
// object with a complete configuration's fields that have a name in JSON. Brains and tables
// are named by hashes over their numbers. Two learners by a method with equal settings learn the
// same.
func settingsOf(c Config) (json.RawMessage, error) {
	var pieces int
	var out bytes.Buffer
	for f, v := range fieldsOf(c) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Name == "Pieces" {
			pieces = int(v.Int())
		}
		value, err := settingOf(v.Interface(), pieces)
		if err != nil {
			return nil, fmt.Errorf("setting %s: %w", name, err)
		}
		if name == "" || name == "-" || value == "" {
			continue
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("setting %s: %w", name, err)
		}
		fmt.Fprintf(&out, ",%q:%s", name, text)
	}
	return json.RawMessage("{" + strings.TrimPrefix(out.String(), ",") + "}"), nil
}

// settingOf returns a value as settings have it, "" for none. A table is named by its pieces and
// rules.
func settingOf(value any, pieces int) (any, error) {
	switch value := value.(type) {
	case *ur.Brain:
		if value == nil {
			return "", nil
		}
		return value.Hash(), nil
	case play.Brain:
		return value.Spec + " " + value.Weights.Hash(), nil
	case play.Player:
		identity, err := play.Identity(context.Background(), value, pieces)
		return value.Spec + identity, err
	case *solve.Table:
		return value.Fingerprint(pieces), nil
	case *board.Rules:
		if value.IsFinkel() {
			return "", nil
		}
		return value.Name(), nil
	}
	return value, nil
}
