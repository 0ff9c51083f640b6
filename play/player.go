// Package play provides players of every kind, single games between two players, and matches over
// many games.
//
// # Players
//
// A [Player] is a strategy for choosing moves. [ParsePlayer] parses the names used on the command
// line: "brain", "greedy:linear", "random". A player holds no game state and may be shared;
// for each goroutine it takes an [Instance], which answers one [Turn] after another. Your own
// player is such a value and can play against all others. [Kinds] lists all kinds:
// brains, nets, square values, search, [Perfect] play by the exact solution, and levels, which err
// like a person. [NewEvaluator] returns the values for positions and moves by a player that has
// them.
//
// # Games and matches
//
// [Game] plays one game on the shared dice and calls an observer after every turn. [Match]
// plays games in pairs on many goroutines: both games in a pair have the same dice, and the
// players change sides. [Score] counts the results, and its [rating.Pairs] estimate the players'
// strength; a [rating.SPRT] ends a match as soon as the stronger player is established. More
// than two players play a tournament. A log resumes after an interruption.
//
// [Regret] measures the regret in a player's decisions, and a match may measure its [Luck]. Package
// record reads and writes games, and package analysis grades them.
//
// Dice and random players are pure functions of the seed and the game's and the turn's number, so
// the result of a match or a tournament is the same on any number of goroutines and on any
// machine.
package play

import (
	"context"
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
	"github.com/seed-09dcdc84/ur/play/record"
)

// Player is a way to choose moves. Players are safe for concurrent use; the instances they take are
// not. [ParsePlayer] and the method Player on [Brain], [Net] and [Search] return one. Your own
// player needs Spec and New.
type Player struct {
	// Spec names the player for [ParsePlayer], as in "random" or "brain:FILE".
	Spec string

	// New returns an instance for one goroutine. Players that evaluate positions do so on the given
	// engine, which must be available here; others ignore it.
	New func(ur.Engine) (Instance, error)

	// Rules returns an error unless the player plays games under a rule set. Nil means Finkel's only.
	Rules func(*board.Rules) error

	// Identity returns hashes over the weights and tables used with a number of pieces. They
	// distinguish players with the same spec. It may prepare a table. Nil means the spec describes
	// the player completely.
	Identity func(ctx context.Context, pieces int) (string, error)

	// Prepare prepares games with a number of pieces, which may fail or take a while. Nil means
	// the player is always ready.
	Prepare func(ctx context.Context, pieces int) error

	// Leaf returns the leaf evaluator for searches in games under a rule set with its number of
	// pieces. Nil means the player does not value positions.
	Leaf func(ctx context.Context, r *board.Rules) (Leaf, error)

	// Source holds the player's weights or settings: a [Brain], [Net], [Perfect], [Search] or
	// [*Program], nil for others.
	Source any
}

// Instance is a player at the board, on either side or on both. An instance serves one
// goroutine, for one game after another.
type Instance interface {
	// Choose returns the index in t.Moves for the move to make. There is at least
	// one; a turn without a legal move passes unasked. An error ends the game. The
	// turn belongs to the caller and is only valid until Choose returns.
	Choose(ctx context.Context, t *Turn) (int, error)
}

// Turn is one roll: the question to the player to move and, once it is finished, the outcome.
type Turn = record.Step

// Prepare prepares the players that need it for games with a number of pieces.
func Prepare(ctx context.Context, pieces int, players ...Player) error {
	for _, p := range players {
		if p.Prepare != nil {
			if err := p.Prepare(ctx, pieces); err != nil {
				return err
			}
		}
	}
	return nil
}

// Identity returns the [Player.Identity], "" for a player without one.
func Identity(ctx context.Context, p Player, pieces int) (string, error) {
	if p.Identity == nil {
		return "", nil
	}
	return p.Identity(ctx, pieces)
}

// checkRules returns an error unless a player plays games under a rule set.
func (p Player) checkRules(r *board.Rules) error {
	switch {
	case p.Rules != nil:
		return p.Rules(r)
	case !r.IsFinkel():
		return &finkelOnlyError{p.Spec, r}
	}
	return nil
}

// anyRules is the [Player.Rules] for players under all rule sets.
func anyRules(*board.Rules) error { return nil }

// Pool is an [Instance] of a player for any number of goroutines. It keeps the player's idle
// instances; each serves one goroutine at a time.
type Pool struct {
	Player
	engine ur.Engine
	idle   sync.Pool
}

// NewPool returns a pool with instances on an engine.
func NewPool(p Player, e ur.Engine) *Pool { return &Pool{Player: p, engine: e} }

// Choose lets an idle instance choose, or a new one.
func (p *Pool) Choose(ctx context.Context, t *Turn) (choice int, err error) {
	err = p.use(func(i Instance) error {
		choice, err = i.Choose(ctx, t)
		return err
	})
	return choice, err
}

// use calls a function with an idle instance, or a new one. A failed instance is not used again.
func (p *Pool) use(call func(Instance) error) (err error) {
	instance, ok := p.idle.Get().(Instance)
	if !ok {
		if instance, err = p.New(p.engine); err != nil {
			return err
		}
	}
	if err = call(instance); err == nil {
		p.idle.Put(instance)
	}
	return err
}

// finkelOnly is the Refuse of kinds without a form for other rules.
func finkelOnly(in ParseContext, spec string) error {
	if !in.Rules.IsFinkel() {
		return &finkelOnlyError{spec, in.Rules}
	}
	return nil
}

// finkelOnlyError reports a player without a form for other rules.
type finkelOnlyError struct {
	spec  string
	rules *board.Rules
}

func (e *finkelOnlyError) Error() string {
	var others []string
	for _, k := range Kinds() {
		if k.Name != humanKind.Name &&
			(k.Refuse == nil || k.Refuse(ParseContext{Rules: e.rules, trusted: true}, "") == nil) {
			others = append(others, k.Name)
		}
	}
	return fmt.Sprintf("player %q plays Finkel's rules only, not %q (want one of %s)", e.spec,
		e.rules.Name(), strings.Join(others, ", "))
}

// onlyRules returns a player's [Player.Rules] for games under one rule set.
func onlyRules(spec string, own *board.Rules) func(*board.Rules) error {
	return func(r *board.Rules) error {
		if !own.Equal(r) {
			return fmt.Errorf("player %q: for the rule set %q (want %q)", spec, own.Name(), r.Name())
		}
		return nil
	}
}

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
		programKind,
	}
}

// Kind is a kind of players. [Register] adds those of other modules.
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
