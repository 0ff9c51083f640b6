package valuenet

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
)

// Inputs of a net of a rule set follow from it as [Squares] follow from Finkel's rules: the
// squares of the path of the side to move, those of the other side, and one input for each
// number of its own pieces in hand and home and of the other's in hand and home.

// maxRulesInputs is the maximum number of inputs: a set of them is one word.
const maxRulesInputs = 64

// layout is where the inputs of a rule set begin.
type layout struct{ squares, pieces int }

// layoutOf returns the layout of a rule set, nil for Finkel's.
func layoutOf(r *rules.Rules) layout {
	if r == nil {
		return layout{board.Finish - 1, board.MaxPieces}
	}
	return layout{r.Squares(), r.Pieces()}
}

// counts returns the first input of a group of counts: 0 own hand, 1 own home, 2 the other's
// hand, 3 the other's home.
func (l layout) counts(group int) int { return 2*l.squares + group*(l.pieces+1) }

// inputs returns the number of inputs.
func (l layout) inputs() int { return l.counts(4) }

// RulesSet returns the inputs of a position of a rule set as a set: input i at bit i. A position
// under Finkel's rules has the inputs of [SquareSet]. The position has at most the pieces of the
// rule set.
func RulesSet(r *rules.Rules, p rules.Position) uint64 {
	l := layout{r.Squares(), r.Pieces()}
	me, you := p.Turn(), p.Turn().Other()
	own, other := p.Squares(me)>>1, p.Squares(you)>>1
	return uint64(own) | uint64(other)<<l.squares |
		1<<(l.counts(0)+p.Hand(me)) | 1<<(l.counts(1)+p.Home(me)) |
		1<<(l.counts(2)+p.Hand(you)) | 1<<(l.counts(3)+p.Home(you))
}

// checkRules returns an error unless a shape can be one of its rule set.
func (s Shape) checkRules() error {
	switch {
	case s.Rules == nil:
		return nil
	case s.Features != Squares:
		return fmt.Errorf("shape: features %q under the rule set %q (want %q)", s.Features, s.Rules.Name(), Squares)
	case s.Inputs() > maxRulesInputs:
		return fmt.Errorf("shape: %d inputs of the rule set %q with %d pieces (want at most %d)", s.Inputs(), s.Rules.Name(), s.Rules.Pieces(), maxRulesInputs)
	}
	return nil
}

// Inputs returns the number of inputs.
func (s Shape) Inputs() int {
	if s.Rules == nil {
		return s.Features.Inputs()
	}
	return layoutOf(s.Rules).inputs()
}

// active returns the largest number of nonzero inputs at once.
func (s Shape) active() int { return 2*layoutOf(s.Rules).pieces + 4 }

// rulesText returns a rule set as files name it: by the name of a built-in one with its usual
// number of pieces, otherwise by its definition in JSON. Finkel's is "".
func (s Shape) rulesText() string {
	if s.Rules == nil {
		return ""
	}
	b, err := rules.Lookup(s.Rules.Name())
	if err == nil && b.Equal(s.Rules) && b.Pieces() == s.Rules.Pieces() {
		return b.Name()
	}
	text, err := json.Marshal(s.Rules)
	if err != nil {
		return s.Rules.Name()
	}
	return string(text)
}

// parseRules reads the text of rulesText.
func parseRules(text string) (*rules.Rules, error) {
	switch {
	case text == "":
		return nil, nil
	case strings.HasPrefix(text, "{"):
		return rules.Parse([]byte(text))
	}
	r, err := rules.Lookup(text)
	if err == nil && r.Equal(rules.Finkel()) {
		return nil, nil
	}
	return r, err
}

// RulesError reports a net of another rule set than the game's.
type RulesError struct{ Net, Game string }

// Error implements error.
func (e *RulesError) Error() string {
	if e.Net == e.Game {
		return fmt.Sprintf("net of other rules with the name %q (want these rules under a name of their own)", e.Net)
	}
	return fmt.Sprintf("net of the rule set %q (want one of %q)", e.Net, e.Game)
}

// CheckRules returns a [*RulesError] unless the net is one of a rule set, nil for Finkel's, and
// an error if its games have fewer pieces.
func (s Shape) CheckRules(r *rules.Rules) error {
	name := func(r *rules.Rules) string {
		if r == nil {
			return rules.Finkel().Name()
		}
		return r.Name()
	}
	if r != nil && r.Equal(rules.Finkel()) {
		r = nil
	}
	switch {
	case r == nil && s.Rules == nil:
		return nil
	case r == nil || s.Rules == nil || !s.Rules.Equal(r):
		return &RulesError{name(s.Rules), name(r)}
	case s.Rules.Pieces() < r.Pieces():
		return fmt.Errorf("net of games of %d pieces (want %d)", s.Rules.Pieces(), r.Pieces())
	}
	return nil
}

// randomSet returns the inputs of a random position.
func (s Shape) randomSet(rng *rand.Rand) uint64 {
	if s.Rules == nil {
		return SquareSet(board.RandomPosition(rng, 1+rng.IntN(board.MaxPieces)))
	}
	return RulesSet(s.Rules, s.Rules.Random(rng))
}

// logitOfSet is [Net.Logit] of a position by its inputs.
func (n *Net) logitOfSet(set uint64) float32 {
	var buf [maxRulesInputs]Input
	list := buf[:0]
	for i := range uint8(maxRulesInputs) {
		if set>>i&1 != 0 {
			list = append(list, Input{i, 1})
		}
	}
	return n.logitOf(list)
}
