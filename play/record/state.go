package record

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
)

// state is a position of a recorded game.
type state struct {
	rules *board.Rules // also Finkel's
	at    board.Position
}

// ruleSet returns the rule set of a game, nil for Finkel's.
func ruleSet(r *board.Rules) *board.Rules { return cmp.Or(r, board.Finkel()) }

// start returns the start of the game.
func (g *Game) start() (s state, err error) {
	if s.at, err = g.Begin(); err == nil {
		s.rules, err = ruleSet(g.Rules).WithPieces(g.Pieces)
	}
	return s, err
}

func (s *state) turn() board.Side { return s.at.Turn() }

func (s *state) winner() (side board.Side, over bool) { return s.at.Winner() }

// moves appends the legal moves of a roll.
func (s *state) moves(dst []board.Move, roll int) []board.Move { return s.rules.Moves(dst, s.at, roll) }

// after returns the state after a legal move.
func (s state) after(m board.Move) state { return state{s.rules, s.rules.Apply(s.at, m)} }

// passed returns the state after a pass.
func (s state) passed() state { return state{s.rules, s.at.Pass()} }

// notation returns a legal move as people write it.
func (s *state) notation(m board.Move) string { return s.rules.Notation(s.at.Turn(), m) }

// String returns the position as text.
func (s state) String() string { return s.rules.FormatPosition(s.at) }

// step returns the step of a roll and a choice among its moves, -1 for a pass.
func (s state) step(number, roll int, moves []board.Move, choice int) Step {
	next := s.at.Pass()
	if choice >= 0 {
		next = s.rules.Apply(s.at, moves[choice])
	}
	return Step{Number: number, Position: s.at, Roll: roll, Moves: moves, Choice: choice, Next: next, Rules: otherRules(s.rules)}
}

// Notation returns a legal move of the step as people write it.
func (s *Step) Notation(m board.Move) string { return ruleSet(s.Rules).Notation(s.Side(), m) }

// NextSide returns the side that moves next.
func (s *Step) NextSide() board.Side { return s.Next.Turn() }

// Winner returns the winner after the step, if the game is over.
func (s *Step) Winner() (side board.Side, over bool) { return s.Next.Winner() }

// Side returns the side that moved or passed.
func (s *Step) Side() board.Side { return s.Position.Turn() }

// finkelName names Finkel's rules, those of package board.
const finkelName = "finkel"

// RulesText returns a rule set, nil for Finkel's, as records name it: by the name of a built-in
// one, otherwise by its definition in JSON.
func RulesText(r *board.Rules) string {
	if r == nil {
		return finkelName
	}
	if b, err := board.Lookup(r.Name()); err == nil && b.Equal(r) {
		return r.Name()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r.Name()
	}
	return string(text)
}

// ParseRules reads the text of RulesText. It returns nil for Finkel's rules.
func ParseRules(text string) (*board.Rules, error) {
	if strings.HasPrefix(text, "{") {
		r, err := board.Parse([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		return otherRules(r), nil
	}
	r, err := board.Lookup(text)
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return otherRules(r), nil
}

// otherRules returns nil for Finkel's rules.
func otherRules(r *board.Rules) *board.Rules {
	if r.Equal(board.Finkel()) {
		return nil
	}
	return r
}

// CheckFinkel returns an error unless the game has Finkel's rules. Code that supports only
// these rules calls it first.
func (g *Game) CheckFinkel() error {
	if g.Rules != nil {
		return fmt.Errorf("game of rule set %q (want Finkel's rules)", g.Rules.Name())
	}
	return nil
}

// checkPieces checks the number of pieces of a game.
func (g *Game) checkPieces() error {
	if g.Rules == nil {
		return board.CheckPieces(g.Pieces)
	}
	_, err := g.Rules.WithPieces(g.Pieces)
	return err
}

// rulesField is the member rules of a line: the name of a rule set, or its definition.
type rulesField struct {
	*board.Rules
	given bool
}

// MarshalJSON writes the name of a built-in rule set, or the definition.
func (f rulesField) MarshalJSON() ([]byte, error) {
	if text := RulesText(f.Rules); strings.HasPrefix(text, "{") {
		return []byte(text), nil
	}
	return json.Marshal(RulesText(f.Rules))
}

// UnmarshalJSON reads either form.
func (f *rulesField) UnmarshalJSON(text []byte) (err error) {
	name := string(text)
	if !strings.HasPrefix(name, "{") {
		if err := json.Unmarshal(text, &name); err != nil {
			return err
		}
	}
	f.given = true
	f.Rules, err = ParseRules(name)
	return err
}
