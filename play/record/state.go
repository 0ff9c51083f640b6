package record

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
)

// state is a position of a recorded game: at under the rule set rules, or on under Finkel's
// rules. The field rules is nil for Finkel's rules.
type state struct {
	rules *rules.Rules
	on    board.Position
	at    rules.Position
}

// start returns the start of the game.
func (g *Game) start() (s state, err error) {
	p, err := g.Begin()
	switch {
	case err != nil:
		return s, err
	case g.Rules == nil:
		s.on, err = p.Board()
		return s, err
	}
	s.at = p
	s.rules, err = g.Rules.WithPieces(g.Pieces)
	return s, err
}

func (s *state) turn() board.Side {
	if s.rules != nil {
		return s.at.Turn()
	}
	return s.on.Turn()
}

func (s *state) winner() (side board.Side, over bool) {
	if s.rules != nil {
		return s.at.Winner()
	}
	return s.on.Winner()
}

// moves appends the legal moves of a roll.
func (s *state) moves(dst []board.Move, roll int) []board.Move {
	if s.rules != nil {
		return s.rules.Moves(dst, s.at, roll)
	}
	return s.on.Moves(dst, roll)
}

// after returns the state after a legal move.
func (s state) after(m board.Move) state {
	if s.rules != nil {
		s.at = s.rules.Apply(s.at, m)
	} else {
		s.on = s.on.Apply(m)
	}
	return s
}

// passed returns the state after a pass.
func (s state) passed() state {
	if s.rules != nil {
		s.at = s.at.Pass()
	} else {
		s.on = s.on.Pass()
	}
	return s
}

// notation returns a legal move as people write it.
func (s *state) notation(m board.Move) string {
	if s.rules != nil {
		return s.rules.Notation(s.at.Turn(), m)
	}
	return moveText(m, s.on.Turn())
}

// maxRoll returns the longest roll.
func (s *state) maxRoll() int {
	if s.rules != nil {
		return s.rules.MaxRoll()
	}
	return board.MaxRoll
}

// tile returns the name of a square of a side's path.
func (s *state) tile(side board.Side, square int) string {
	if s.rules != nil {
		return s.rules.Tile(side, square)
	}
	return board.Tile(side, square)
}

// finish returns the square of pieces home.
func (s *state) finish() int {
	if s.rules != nil {
		return s.rules.Finish()
	}
	return board.Finish
}

// across returns the square of the other side's path on the tile of a shared square.
func (s *state) across(square int) int {
	if s.rules != nil {
		return s.rules.Across(square)
	}
	return square
}

func (s *state) isRosette(square int) bool {
	if s.rules != nil {
		return s.rules.IsRosette(square)
	}
	return board.IsRosette(square)
}

// String returns the position as text.
func (s state) String() string {
	if s.rules != nil {
		return s.rules.FormatPosition(s.at)
	}
	return s.on.String()
}

// step returns the step of a roll and a choice among its moves, -1 for a pass.
func (s state) step(number, roll int, moves []board.Move, choice int) Step {
	next := s.passed
	if choice >= 0 {
		next = func() state { return s.after(moves[choice]) }
	}
	to := next()
	return Step{
		Number: number, Position: s.on, Roll: roll, Moves: moves, Choice: choice, Next: to.on,
		Rules: s.rules, State: s.at, NextState: to.at,
	}
}

// state returns the state before the step.
func (s *Step) state() state { return state{s.Rules, s.Position, s.State} }

// next returns the state after the step.
func (s *Step) next() state { return state{s.Rules, s.Next, s.NextState} }

// Notation returns a legal move of the step as people write it.
func (s *Step) Notation(m board.Move) string {
	before := s.state()
	return before.notation(m)
}

// NextSide returns the side that moves next.
func (s *Step) NextSide() board.Side {
	after := s.next()
	return after.turn()
}

// Winner returns the winner after the step, if the game is over.
func (s *Step) Winner() (side board.Side, over bool) {
	after := s.next()
	return after.winner()
}

// Side returns the side that moved or passed.
func (s *Step) Side() board.Side {
	before := s.state()
	return before.turn()
}

// finkelName names Finkel's rules, those of package board.
const finkelName = "finkel"

// RulesText returns a rule set, nil for Finkel's, as records name it: by the name of a built-in
// one, otherwise by its definition in JSON.
func RulesText(r *rules.Rules) string {
	if r == nil {
		return finkelName
	}
	if b, err := rules.Lookup(r.Name()); err == nil && b.Equal(r) {
		return r.Name()
	}
	text, err := json.Marshal(r)
	if err != nil {
		return r.Name()
	}
	return string(text)
}

// ParseRules reads the text of RulesText. It returns nil for Finkel's rules.
func ParseRules(text string) (*rules.Rules, error) {
	if strings.HasPrefix(text, "{") {
		r, err := rules.Parse([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		return otherRules(r), nil
	}
	r, err := rules.Lookup(text)
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return otherRules(r), nil
}

// otherRules returns nil for Finkel's rules.
func otherRules(r *rules.Rules) *rules.Rules {
	if r.Equal(rules.Finkel()) {
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
	*rules.Rules
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
