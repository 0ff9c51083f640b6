package train

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// registered are the ways to learn of other modules.
var registered struct {
	sync.RWMutex
	methods []Method
}

// Register adds a way to learn to [Methods]. It returns an error for a name that is taken or
// not of small letters, digits and hyphens. New must return a pointer to a struct with a field
// Seed of type uint64.
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
