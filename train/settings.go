package train

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// A Field is a configuration's field, described by its tags:
//
//	flag:"rate"      the flag's name; a field without one has none
//	help:"..."       its description
//	default:"0.01"   replaces a zero value
//	range:"(0,10]"   the numbers allowed; "[1,)" has no upper end
//	values:"a,b"     the texts allowed
//	json:"rate"      its name among a result's settings; without one, it does not affect them
type Field struct {
	Name, Flag string
	Tag        reflect.StructTag
	Pointer    any // the field's address

	// Check returns a [*config.Error] if the field's value is not allowed. Zero is allowed here
	// only where it does not stand for a default.
	Check func() error
}

// Fields returns a configuration's fields that have flags.
func Fields(c Config) (list []Field) {
	for f, v := range fieldsOf(c) {
		if flag := f.Tag.Get("flag"); flag != "" {
			check := func() error { return checkField("", f, v) }
			list = append(list, Field{f.Name, flag, f.Tag, v.Addr().Interface(), check})
		}
	}
	return list
}

// fieldsOf calls yield with a configuration's exported fields, those in embedded structs included.
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
	if values := f.Tag.Get("values"); values != "" {
		if slices.Contains(strings.Split(values, ","), v.String()) {
			return nil
		}
		return config.Fault(name, f.Name, "must be %s, got %q", strings.ReplaceAll(values, ",", " or "), v)
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

// settingsOf returns the inputs that determine a result, except for its run's length: an object with a complete
// configuration's fields that have a name in JSON. Brains and tables are named by hashes over their numbers. Two
// learners by a method with equal settings learn the same.
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

// settingOf returns a value as settings have it, "" for none. A table is named by its pieces and rules.
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
