package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
)

// Kind is a kind of players of a game: how they are named, and how a spec becomes a player P. In
// holds what a spec refers to, such as the rules and the files. All commands take players by it,
// complete their names, and explain them.
type Kind[P, In any] struct {
	// Name is the spec of a player, or the beginning of its spec up to a ":" or "@", as
	// in "brain" for "brain:FILE".
	Name string

	// Patterns describe all specs of the kind.
	Patterns []Pattern

	// Title returns the name of a player in words for menus: how it chooses, and how strong that is.
	// "" keeps a spec out of menus. Nil means specs are their titles.
	Title func(spec string) string

	// Files returns rest with every file name replaced by replace(name). Rest is the part of a
	// spec after the name, with the leading ":" or "@", or "". Nil means that no spec of the
	// kind names a file.
	Files func(rest string, replace func(name string) string) string

	// Parse returns the player of a spec, or [ErrSpec] if the spec matches no pattern.
	Parse func(in In, spec, rest string) (P, error)

	// Refuse returns an error where the kind has no players. Nil means it has some everywhere.
	Refuse func(in In, spec string) error
}

// ErrSpec is the error of a spec without a player. [Kinds.Parse] explains it.
var ErrSpec = errors.New("spec of no player")

// Pattern describes specs of players.
type Pattern struct {
	// Text is a spec, or a spec with FILE for a file name, "..." for more, and other words in
	// capitals explained by the help.
	Text  string
	Help  string   // in one sentence or two, without a full stop
	Names []string // specs to complete, when the text is not a spec
}

// Specs returns the completions of a pattern.
func (p Pattern) Specs() []string {
	if p.Names != nil || isPattern(p.Text) {
		return p.Names
	}
	return []string{p.Text}
}

// isPattern reports whether a text is not a spec itself.
func isPattern(text string) bool {
	return strings.Contains(text, "...") ||
		strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' })
}

// FilePrefix returns the text before FILE if the pattern ends with it.
func (p Pattern) FilePrefix() (prefix string, ok bool) {
	prefix, ok = strings.CutSuffix(p.Text, "FILE")
	return prefix, ok && !isPattern(prefix)
}

// Kinds are the kinds of players of a game, in the order of the help.
type Kinds[P, In any] []Kind[P, In]

// Patterns returns the patterns of all specs.
func (k Kinds[P, In]) Patterns() (all []Pattern) {
	for _, kind := range k {
		all = append(all, kind.Patterns...)
	}
	return all
}

// Specs returns the specs without parameters.
func (k Kinds[P, In]) Specs() (specs []string) {
	for _, pattern := range k.Patterns() {
		specs = append(specs, pattern.Specs()...)
	}
	return specs
}

// Help explains all players, two columns wide enough for a terminal.
func (k Kinds[P, In]) Help() string {
	const column, width = 18, 78
	var lines []string
	for _, pattern := range k.Patterns() {
		name, help := fmt.Sprintf("  %-*s", column-2, pattern.Text), text.Wrap(pattern.Help,
			strings.Repeat(" ", column), width)
		if len(name) > column {
			lines = append(lines, name, help)
		} else {
			lines = append(lines, name+help[column:])
		}
	}
	return strings.Join(lines, "\n")
}

// Of returns the kind of players of a spec, if any.
func (k Kinds[P, In]) Of(spec string) (kind Kind[P, In], ok bool) {
	for _, kind := range k {
		if rest, ok := strings.CutPrefix(spec, kind.Name); ok && (rest == "" || strings.ContainsAny(rest[:1], ":@")) {
			return kind, true
		}
	}
	return kind, false
}

// Parse returns the player of a spec, or an [*UnknownPlayerError].
func (k Kinds[P, In]) Parse(in In, spec string) (p P, err error) {
	kind, ok := k.Of(spec)
	err = ErrSpec
	if ok && kind.Refuse != nil {
		if err := kind.Refuse(in, spec); err != nil {
			return p, err
		}
	}
	if ok {
		p, err = kind.Parse(in, spec, strings.TrimPrefix(spec, kind.Name))
	}
	if err == ErrSpec {
		err = &UnknownPlayerError{spec, text.List(k.Patterns(), func(p Pattern) string { return p.Text })}
	}
	return p, err
}

// UnknownPlayerError reports a spec that matches no kind of players.
type UnknownPlayerError struct {
	Spec string
	Want []string // patterns of specs
}

func (e *UnknownPlayerError) Error() string {
	return fmt.Sprintf("unknown player %q (want one of %s)", e.Spec, strings.Join(e.Want, ", "))
}

// Files returns the file names in the spec of a player, in order.
func (k Kinds[P, In]) Files(spec string) (names []string) {
	k.mapFiles(spec, func(name string) string { names = append(names, name); return name })
	return names
}

// mapFiles returns a spec with every file name replaced.
func (k Kinds[P, In]) mapFiles(spec string, replace func(name string) string) string {
	kind, ok := k.Of(spec)
	if !ok || kind.Files == nil {
		return spec
	}
	return kind.Name + kind.Files(strings.TrimPrefix(spec, kind.Name), replace)
}

// ReplaceFiles returns a spec with every file name replaced by replace(name), so that players
// made of the same files have the same spec. The new names must not contain characters with a
// meaning in a spec, such as "," in the spec of a search.
func (k Kinds[P, In]) ReplaceFiles(spec string, replace func(name string) (string, error)) (string, error) {
	var names []string
	var failed error
	replaced := k.mapFiles(spec, func(name string) string {
		if failed == nil {
			name, failed = replace(name)
			names = append(names, name)
		}
		return name
	})
	if failed == nil && !slices.Equal(k.Files(replaced), names) {
		failed = fmt.Errorf("player %q: cannot name its files %q", spec, names)
	}
	return replaced, failed
}

// ParseOptions reads the KEY=VALUE,... behind the colon of a spec; want describes it. The function
// set sets a key or returns [ErrSpec] if there is no such key. Each key may be given once.
func ParseOptions(spec, rest, want string, set func(key, value string) error) error {
	list, ok := strings.CutPrefix(rest, ":")
	if !ok || list == "" {
		return fmt.Errorf("player %q: no options (%s)", spec, want)
	}
	given := map[string]bool{}
	for item := range strings.SplitSeq(list, ",") {
		key, value, ok := strings.Cut(item, "=")
		err := set(key, value)
		switch {
		case !ok || given[key] || err == ErrSpec:
			return fmt.Errorf("player %q: unknown or repeated option %q (%s)", spec, item, want)
		case err != nil:
			return fmt.Errorf("player %q: %s: %w", spec, key, err)
		}
		given[key] = true
	}
	return nil
}

// ReplaceOptions returns the [Kind.Files] of KEY=VALUE,...: the function replace returns the new
// value of a key, which may be the old one.
func ReplaceOptions(rest string, replace func(key, value string) string) string {
	list, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return rest
	}
	items := strings.Split(list, ",")
	for i, item := range items {
		if key, value, ok := strings.Cut(item, "="); ok {
			items[i] = key + "=" + replace(key, value)
		}
	}
	return ":" + strings.Join(items, ",")
}
