package play

import (
	"fmt"
	"slices"
	"strings"
)

// Kinds are the kinds of players, in the order in which people are told of them. A new
// player is a file with its kind, and a line here.
func Kinds() []Kind {
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
	// Name is the spec of a player, or what its spec begins with up to a ":" or "@", as
	// in "brain" for "brain:FILE".
	Name string

	// Forms are all specs of the kind.
	Forms []Form

	// Parse returns the player of a spec. Rest is what stands behind the name, with the
	// ":" or "@" that begins it, or "".
	Parse func(spec, rest string) (Player, error)
}

// Form is a form of specs.
type Form struct {
	// Pattern is a spec, or what one looks like: FILE stands for the name of any file,
	// and "..." and other words in capitals for what the help tells.
	Pattern string
	Help    string   // in one sentence or two, without a full stop
	Names   []string // specs of the form, to be completed, when the pattern is none
}

// Specs returns the specs of a form that can be completed.
func (f Form) Specs() []string {
	if f.Names != nil || f.isPattern() {
		return f.Names
	}
	return []string{f.Pattern}
}

// isPattern reports whether the pattern is no spec itself.
func (f Form) isPattern() bool {
	return strings.Contains(f.Pattern, "...") || strings.ContainsFunc(f.Pattern, func(r rune) bool { return 'A' <= r && r <= 'Z' })
}

// FilePrefix returns what stands before the name of a file, in a form that has one.
func (f Form) FilePrefix() (prefix string, ok bool) { return strings.CutSuffix(f.Pattern, "FILE") }

// PlayerNames returns the forms of all specs.
func PlayerNames() []string {
	var names []string
	for _, kind := range Kinds() {
		for _, form := range kind.Forms {
			names = append(names, form.Pattern)
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
func ParsePlayer(spec string) (Player, error) {
	kind, ok := KindOf(spec)
	if !ok {
		return nil, &UnknownPlayerError{spec}
	}
	return kind.Parse(spec, strings.TrimPrefix(spec, kind.Name))
}

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
func single(p Player) func(spec, rest string) (Player, error) {
	return func(spec, rest string) (Player, error) {
		if rest != "" {
			return nil, &UnknownPlayerError{spec}
		}
		return p, nil
	}
}
