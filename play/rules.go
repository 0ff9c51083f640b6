package play

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

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

// onlyRules returns the [Player.Rules] of a player for games of one rule set.
func onlyRules(spec string, own *board.Rules) func(*board.Rules) error {
	return func(r *board.Rules) error {
		if !own.Equal(r) {
			return fmt.Errorf("player %q: for the rule set %q (want %q)", spec, own.Name(), r.Name())
		}
		return nil
	}
}
