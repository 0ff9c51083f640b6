package play

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
)

// RulesPlayer is a [Player] of games under other rule sets than Finkel's. All players play
// Finkel's.
type RulesPlayer interface {
	Player

	// Plays returns an error unless the player plays games under a rule set.
	Plays(*rules.Rules) error
}

// OtherRules returns r, or nil if it is nil or Finkel's rule set. Games, turns, matches and
// records have no rule set for Finkel's rules: package board plays these faster.
func OtherRules(r *rules.Rules) *rules.Rules {
	if r == nil || r.Equal(rules.Finkel()) {
		return nil
	}
	return r
}

// RulesName returns the name of a rule set as [OtherRules] returns it.
func RulesName(r *rules.Rules) string {
	if r == nil {
		return rules.Finkel().Name()
	}
	return r.Name()
}

// ParsePlayerFor is [ParsePlayer] for games under a rule set, nil for Finkel's.
func ParsePlayerFor(r *rules.Rules, spec string) (Player, error) {
	return parsePlayer(OtherRules(r), spec, inPlace)
}

// parseFor parses the rest of a spec for a rule set, nil for Finkel's.
func (k Kind) parseFor(r *rules.Rules, spec, rest string, open Opener) (Player, error) {
	switch {
	case r == nil || k.ParseRules == nil && k.Name == humanKind.Name:
		return k.Parse(spec, rest, open)
	case k.ParseRules == nil:
		return nil, finkelOnly(spec, r)
	}
	return k.ParseRules(r, spec, rest, open)
}

// finkelOnly returns the error for a player without a form for other rules.
func finkelOnly(spec string, r *rules.Rules) error { return &finkelOnlyError{spec, r.Name()} }

type finkelOnlyError struct{ spec, rules string }

func (e *finkelOnlyError) Error() string {
	var others []string
	for _, k := range Kinds() {
		if k.ParseRules != nil {
			others = append(others, k.Name)
		}
	}
	return fmt.Sprintf("player %q plays Finkel's rules only, not %q (want one of %s)", e.spec, e.rules, strings.Join(others, ", "))
}

// checkRules returns an error unless a player plays games under a rule set.
func checkRules(p Player, r *rules.Rules) error {
	if q, ok := p.(RulesPlayer); ok {
		r = cmp.Or(r, rules.Finkel())
		return q.Plays(r)
	}
	if r != nil {
		return finkelOnly(p.Name(), r)
	}
	return nil
}

// anyRules is a ParseRules of a kind whose players play every rule set.
func anyRules(parse func(spec, rest string, open Opener) (Player, error)) func(*rules.Rules, string, string, Opener) (Player, error) {
	return func(_ *rules.Rules, spec, rest string, open Opener) (Player, error) { return parse(spec, rest, open) }
}

// Set returns the rule set, also Finkel's.
func (t *Turn) Set() *rules.Rules {
	if t.Rules != nil {
		return t.Rules
	}
	return rules.Finkel()
}

// At returns the position before the move.
func (t *Turn) At() rules.Position {
	if t.Rules != nil {
		return t.State
	}
	return rules.FromBoard(t.Position)
}

// Side returns the side to move.
func (t *Turn) Side() board.Side {
	if t.Rules != nil {
		return t.State.Turn()
	}
	return t.Position.Turn()
}

// winner returns the winner of the game after a finished turn, if it is over.
func (t *Turn) winner() (side board.Side, over bool) {
	if t.Rules != nil {
		return t.NextState.Winner()
	}
	return t.Next.Winner()
}

// Notation returns a legal move as people write it.
func (t *Turn) Notation(m board.Move) string {
	if t.Rules != nil {
		return t.Rules.Notation(t.Side(), m)
	}
	return m.Notation(t.Side())
}

// onRosette reports whether a legal move ends on a rosette.
func (t *Turn) onRosette(m board.Move) bool {
	if t.Rules != nil {
		return t.Rules.IsRosette(int(m.To))
	}
	return board.IsRosette(int(m.To))
}

// begin sets the turn to the start of a game.
func (t *Turn) begin(pieces int) {
	if t.Rules != nil {
		t.State = t.Rules.Start()
		return
	}
	t.Position = board.StartPosition(pieces)
}

// legal lists the legal moves of the roll.
func (t *Turn) legal(dst []board.Move) {
	if t.Rules != nil {
		t.Moves = t.Rules.Moves(dst, t.State, t.Roll)
		return
	}
	t.Moves = t.Position.Moves(dst, t.Roll)
}

// finish makes the chosen move, or passes.
func (t *Turn) finish() {
	switch {
	case t.Rules != nil && t.Choice < 0:
		t.NextState = t.State.Pass()
	case t.Rules != nil:
		t.NextState = t.Rules.Apply(t.State, t.Move())
	case t.Choice < 0:
		t.Next = t.Position.Pass()
	default:
		t.Next = t.Position.Apply(t.Move())
	}
}

// advance makes the next position the position to move from.
func (t *Turn) advance() { t.Position, t.State = t.Next, t.NextState }
