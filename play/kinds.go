package play

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/match"
)

// Kinds returns the kinds of players in the help's order, those from [Register] last.
func Kinds() match.Kinds[Player, ParseContext] {
	registered.RLock()
	defer registered.RUnlock()
	return append(builtIn(), registered.kinds...)
}

// builtIn returns this module's kinds. A new player is a file with its kind, and a line here.
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
		mctsKind(),
		programKind,
	}
}

// Kind is a kind of players. [Register] adds kinds of other modules.
type Kind = match.Kind[Player, ParseContext]

// Pattern describes players' specs.
type Pattern = match.Pattern

// ParseContext holds the rules and files that a spec refers to.
type ParseContext struct {
	Rules *board.Rules
	Open  Opener // of the files that [match.Kind.Files] finds in the spec

	trusted bool // the user typed the spec to start this process
}

// UnknownPlayerError reports a spec that matches no kind.
type UnknownPlayerError = match.UnknownPlayerError

// ParsePlayer returns the player named by a spec of one of [Kinds], or an
// [*UnknownPlayerError]. It reads files at once and reports syntax errors in them as
// "FILE:LINE: message". Square values, as those of "greedy:" and "tree", play as the [Brain]
// that makes the same choices.
func ParsePlayer(spec string) (Player, error) { return ParsePlayerFor(board.Finkel(), spec) }

// ParsePlayerFor is [ParsePlayer] for games under a rule set, not only Finkel's.
func ParsePlayerFor(r *board.Rules, spec string) (Player, error) {
	return ParsePlayerFrom(r, spec, inPlace)
}

// KindOf returns the kind for a spec, if any.
func KindOf(spec string) (kind Kind, ok bool) { return Kinds().Of(spec) }

// TitleOf returns a spec's [match.Kind.Title].
func TitleOf(spec string) string {
	if kind, ok := KindOf(spec); ok && kind.Title != nil {
		return kind.Title(spec)
	}
	return spec
}

// titled returns a kind's Title from its specs' titles.
func titled(titles map[string]string) func(spec string) string {
	return func(spec string) string { return titles[spec] }
}

// single returns the Parse for a kind with a single player, whose spec is just its name.
func single(p Player) func(in ParseContext, spec, rest string) (Player, error) {
	return func(_ ParseContext, _, rest string) (Player, error) {
		if rest != "" {
			return Player{}, match.ErrSpec
		}
		return p, nil
	}
}

// registered are the kinds that other modules add.
var registered struct {
	sync.RWMutex
	kinds []Kind
}

// Register adds a kind to [Kinds]. It returns an error for a name that is taken or
// not in small letters, digits and hyphens, for a missing Parse, and for missing patterns or
// patterns with another name.
func Register(k Kind) error {
	if err := checkKind(k); err != nil {
		return fmt.Errorf("register a player: %w", err)
	}
	registered.Lock()
	defer registered.Unlock()
	if slices.ContainsFunc(slices.Concat(builtIn(), registered.kinds),
		func(other Kind) bool { return other.Name == k.Name }) {
		return fmt.Errorf("register a player: name %q is already registered", k.Name)
	}
	registered.kinds = append(registered.kinds, k)
	return nil
}

// checkKind returns an error if a kind is not complete.
func checkKind(k Kind) error {
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

// Opener returns the path of a file named in a player's spec.
type Opener func(name string) (path string, err error)

// ParsePlayerFrom is [ParsePlayerFor] with the spec's files at the paths returned by open.
// It opens only files of the spec.
func ParsePlayerFrom(r *board.Rules, spec string, open Opener) (Player, error) {
	return parsePlayer(r, spec, open, false)
}

// parsePlayer also accepts a player that runs a program if the spec is trusted.
func parsePlayer(r *board.Rules, spec string, open Opener, trusted bool) (Player, error) {
	kinds := Kinds()
	files := kinds.Files(spec)
	return kinds.Parse(ParseContext{Rules: r, trusted: trusted, Open: func(name string) (string, error) {
		if !slices.Contains(files, name) {
			return "", fmt.Errorf("player %q: %q is not a file of the spec", spec, name)
		}
		return open(name)
	}}, spec)
}

// inPlace opens a file by its name. It rejects pipes and devices: reading them could block for
// ever, and their content cannot be read again for the [Player.Identity].
func inPlace(name string) (path string, err error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file (want a file)", name)
	}
	return name, nil
}

// fileBehindColon is the [match.Kind.Files] for specs that may end with ":" and a file name accepted
// by isFile.
func fileBehindColon(isFile func(name string) bool) func(rest string, replace func(name string) string) string {
	return func(rest string, replace func(name string) string) string {
		if name, ok := strings.CutPrefix(rest, ":"); ok && name != "" && isFile(name) {
			return ":" + replace(name)
		}
		return rest
	}
}

// openColon returns the path of the file named after a spec's colon, "" for a spec that is just
// its kind's name. The text want is in the error for a colon without a name.
func openColon(spec, rest, want string, open Opener) (path string, err error) {
	file, named := strings.CutPrefix(rest, ":")
	switch {
	case rest == "":
		return "", nil
	case !named:
		return "", match.ErrSpec
	case file == "":
		return "", fmt.Errorf("player %q names no file (want %s)", spec, want)
	}
	return open(file)
}

// readTextFile reads a text file. It reports a syntax error as "FILE:LINE: message".
func readTextFile(name string, read func(io.Reader) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	err = read(file)
	if syntax, ok := errors.AsType[*ur.BrainSyntaxError](err); ok {
		return fmt.Errorf("%s:%d: %s", name, syntax.Line, syntax.Msg)
	}
	return err
}
