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
	"fmt"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
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
