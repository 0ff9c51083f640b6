package play

import (
	"fmt"
	"slices"
	"strings"
)

// Kinds returns the kinds of players in the order of the help, those of [Register] last.
func Kinds() []Kind {
	registered.RLock()
	defer registered.RUnlock()
	return append(builtIn(), registered.kinds...)
}

// builtIn returns the kinds of this module. A new player is a file with its kind, and a line here.
func builtIn() []Kind {
	return []Kind{
		humanKind,
		brainKind,
		netKind,
		perfectKind,
		levelKind,
		greedyKind,
		treeKind,
		firstKind,
		randomKind,
		searchKind,
	}
}

// Kind is a kind of players: how they are named, and how a name becomes a player. All
// commands take players by it, complete their names, and explain them.
type Kind struct {
	// Name is the spec of a player, or the beginning of its spec up to a ":" or "@", as
	// in "brain" for "brain:FILE".
	Name string

	// Patterns describe all specs of the kind.
	Patterns []Pattern

	// Files returns rest with replace(name) instead of the name of every file in it. Rest is
	// the part of a spec after the name, with the ":" or "@" that begins it, or "". Nil
	// means that no spec of the kind names a file.
	Files func(rest string, replace func(name string) string) string

	// Parse returns the player of a spec. A file is read at the path that open returns for
	// its name, and only if Files finds it in rest.
	Parse func(spec, rest string, open Opener) (Player, error)
}

// Pattern describes specs of players.
type Pattern struct {
	// Text is a spec, or a spec with FILE for the name of a file, "..." for more, and other
	// words in capitals that the help explains.
	Text  string
	Help  string   // in one sentence or two, without a full stop
	Names []string // specs to complete, when the text is not a spec
}

// Specs returns the specs that a pattern completes.
func (p Pattern) Specs() []string {
	if p.Names != nil || isPattern(p.Text) {
		return p.Names
	}
	return []string{p.Text}
}

// isPattern reports whether a text is not a spec itself.
func isPattern(text string) bool {
	return strings.Contains(text, "...") || strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' })
}

// FilePrefix returns the text before the name of a file, of a pattern that ends with one.
func (p Pattern) FilePrefix() (prefix string, ok bool) {
	prefix, ok = strings.CutSuffix(p.Text, "FILE")
	return prefix, ok && !isPattern(prefix)
}

// PlayerNames returns the patterns of all specs.
func PlayerNames() []string {
	var names []string
	for _, kind := range Kinds() {
		for _, pattern := range kind.Patterns {
			names = append(names, pattern.Text)
		}
	}
	return names
}

// UnknownPlayerError says that no kind of players has a spec.
type UnknownPlayerError struct{ Spec string }

func (e *UnknownPlayerError) Error() string {
	return fmt.Sprintf("unknown player %q, want one of %s", e.Spec, strings.Join(PlayerNames(), ", "))
}

// ParsePlayer returns the player that a spec names: one of [PlayerNames], or else an
// [*UnknownPlayerError]. Files are read at once; what is wrong with their text is reported
// as "FILE:LINE: message". Square values, as those of "greedy:" and "tree", play as the
// [Brain] that makes the same choices.
func ParsePlayer(spec string) (Player, error) { return ParsePlayerFrom(spec, inPlace) }

// KindOf returns the kind of players to which a spec belongs, if any.
func KindOf(spec string) (kind Kind, ok bool) {
	name := spec
	if i := strings.IndexAny(spec, ":@"); i >= 0 {
		name = spec[:i]
	}
	kinds := Kinds()
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}

// single returns a Parse for a kind of a single player, which has nothing behind its name.
func single(p Player) func(spec, rest string, open Opener) (Player, error) {
	return func(spec, rest string, _ Opener) (Player, error) {
		if rest != "" {
			return nil, &UnknownPlayerError{spec}
		}
		return p, nil
	}
}
