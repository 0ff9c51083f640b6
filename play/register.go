package play

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// registered are the kinds of players of other modules.
var registered struct {
	sync.RWMutex
	kinds []Kind
}

// Register adds a kind of players to [Kinds]. It returns an error for a name that is taken or
// not of small letters, digits and hyphens, for a missing Parse, and for missing patterns or
// patterns with another name.
func Register(k Kind) error {
	if err := k.check(); err != nil {
		return fmt.Errorf("register a player: %w", err)
	}
	registered.Lock()
	defer registered.Unlock()
	if slices.ContainsFunc(slices.Concat(builtIn(), registered.kinds), func(other Kind) bool { return other.Name == k.Name }) {
		return fmt.Errorf("register a player: name %q is already registered", k.Name)
	}
	registered.kinds = append(registered.kinds, k)
	return nil
}

// check returns an error if a kind is not complete.
func (k Kind) check() error {
	if k.Name == "" || strings.Trim(k.Name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("the name %q is invalid (want small letters, digits and hyphens)", k.Name)
	}
	if k.Parse == nil {
		return fmt.Errorf("%s: Parse is nil", k.Name)
	}
	if len(k.Patterns) == 0 {
		return fmt.Errorf("%s: Patterns is empty", k.Name)
	}
	other := func(p Pattern) bool {
		rest, ok := strings.CutPrefix(p.Text, k.Name)
		return !ok || rest != "" && !strings.ContainsAny(rest[:1], ":@")
	}
	if i := slices.IndexFunc(k.Patterns, other); i >= 0 {
		return fmt.Errorf("%s: pattern %q has another name", k.Name, k.Patterns[i].Text)
	}
	return nil
}
