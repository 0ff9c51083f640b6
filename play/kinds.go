package play

import (
	"fmt"
	"slices"
	"strings"
	"sync"

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
		programKind,
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

	// Title returns the name of a player in words for menus: how it chooses, and how strong that is.
	// "" keeps a spec out of menus. Nil means specs are their titles.
	Title func(spec string) string

	// Files returns rest with every file name replaced by replace(name). Rest is the part of a
	// spec after the name, with the leading ":" or "@", or "". Nil means that no spec of the
	// kind names a file.
	Files func(rest string, replace func(name string) string) string

	// Parse returns the player of a spec for games under a rule set. It reads
	// a file at the path open returns for its name, and only if Files finds it in rest.
	Parse func(r *board.Rules, spec, rest string, open Opener) (Player, error)

	FinkelOnly  bool // Parse is not called for other rule sets
	RunsProgram bool // only [ParseTrustedPlayer] calls Parse
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
func ParsePlayer(spec string) (Player, error) { return ParsePlayerFor(board.Finkel(), spec) }

// ParsePlayerFor is [ParsePlayer] for games under a rule set, not only Finkel's.
func ParsePlayerFor(r *board.Rules, spec string) (Player, error) {
	return ParsePlayerFrom(r, spec, inPlace)
}

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

// TitleOf returns the [Kind.Title] of a spec.
func TitleOf(spec string) string {
	if kind, ok := KindOf(spec); ok && kind.Title != nil {
		return kind.Title(spec)
	}
	return spec
}

// titled returns the Title of a kind from the titles of its specs.
func titled(titles map[string]string) func(spec string) string {
	return func(spec string) string { return titles[spec] }
}

// single returns the Parse of a kind with a single player, whose spec is just its name.
func single(p Player) func(r *board.Rules, spec, rest string, open Opener) (Player, error) {
	return func(_ *board.Rules, spec, rest string, _ Opener) (Player, error) {
		if rest != "" {
			return Player{}, &UnknownPlayerError{spec}
		}
		return p, nil
	}
}

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
