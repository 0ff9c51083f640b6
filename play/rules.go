package play

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// RulesPlayer is a [Player] of games under other rule sets than Finkel's. All players play
// Finkel's.
type RulesPlayer interface {
	Player

	// Plays returns an error unless the player plays games under a rule set.
	Plays(*board.Rules) error
}

// finkelOnlyError reports a player without a form for other rules.
type finkelOnlyError struct{ spec, rules string }

func (e *finkelOnlyError) Error() string {
	var others []string
	for _, k := range Kinds() {
		if !k.FinkelOnly && k.Name != humanKind.Name {
			others = append(others, k.Name)
		}
	}
	return fmt.Sprintf("player %q plays Finkel's rules only, not %q (want one of %s)", e.spec, e.rules, strings.Join(others, ", "))
}

// sameRules returns an error if the rule set of a player is not the one of its games.
func sameRules(spec string, own, r *board.Rules) error {
	if !own.Equal(r) {
		return fmt.Errorf("player %q: for the rule set %q (want %q)", spec, own.Name(), r.Name())
	}
	return nil
}

// checkRules returns an error unless a player plays games under a rule set.
func checkRules(p Player, r *board.Rules) error {
	if q, ok := p.(RulesPlayer); ok {
		return q.Plays(r)
	}
	if !r.IsFinkel() {
		return &finkelOnlyError{p.Name(), r.Name()}
	}
	return nil
}
