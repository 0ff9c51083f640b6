package play

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
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
		searchKind(),
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

	// Files returns rest with every file name replaced by replace(name). Rest is the part of a
	// spec after the name, with the leading ":" or "@", or "". Nil means that no spec of the
	// kind names a file.
	Files func(rest string, replace func(name string) string) string

	// Parse returns the player of a spec. It reads a file at the path open returns for its
	// name, and only if Files finds it in rest.
	Parse func(spec, rest string, open Opener) (Player, error)

	// ParseRules is Parse for games under another rule set than Finkel's. Nil means that players
	// of the kind play Finkel's rules only.
	ParseRules func(r *board.Rules, spec, rest string, open Opener) (Player, error)
}

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
	return strings.Contains(text, "...") || strings.ContainsFunc(text, func(r rune) bool { return 'A' <= r && r <= 'Z' })
}

// FilePrefix returns the text before FILE if the pattern ends with it.
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

// UnknownPlayerError reports a spec that matches no kind of players.
type UnknownPlayerError struct{ Spec string }

func (e *UnknownPlayerError) Error() string {
	return fmt.Sprintf("unknown player %q (want one of %s)", e.Spec, strings.Join(PlayerNames(), ", "))
}

// ParsePlayer returns the player named by a spec, one of [PlayerNames], or an
// [*UnknownPlayerError]. It reads files at once and reports syntax errors in them as
// "FILE:LINE: message". Square values, as those of "greedy:" and "tree", play as the [Brain]
// that makes the same choices.
func ParsePlayer(spec string) (Player, error) { return parsePlayer(nil, spec, inPlace) }

// KindOf returns the kind of players of a spec, if any.
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

// single returns the Parse of a kind with a single player, whose spec is just its name.
func single(p Player) func(spec, rest string, open Opener) (Player, error) {
	return func(spec, rest string, _ Opener) (Player, error) {
		if rest != "" {
			return nil, &UnknownPlayerError{spec}
		}
		return p, nil
	}
}
