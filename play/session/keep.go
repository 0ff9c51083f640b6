package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
)

// Record returns the game so far. It stores the players under their names in [Setup], so [Load]
// can seat them again. It leaves out undone turns; see [Session.Kept].
func (s *Session) Record() *record.Game {
	g := &record.Game{Rules: s.setup.Rules, Players: s.setup.Players, Pieces: s.setup.Pieces, Start: s.setup.Start, Result: s.result}
	if s.dice != nil {
		dice := *s.dice
		g.Dice = &dice
	}
	for _, step := range s.steps {
		t := record.Turn{Roll: int8(step.Roll), From: record.Pass}
		if !step.Passed {
			t.From = int8(step.Move.From)
		}
		g.Turns = append(g.Turns, t)
	}
	if len(s.meta) > 0 {
		g.Meta = maps.Clone(s.meta)
	}
	return g
}

// Kept returns the game so far like Record, together with the undone turns, so that a loaded
// game can redo them, and whether hints are shown.
func (s *Session) Kept() *record.Game {
	g := s.Record()
	if len(s.undone) == 0 && !s.setup.Hints {
		return g
	}
	if g.Meta == nil {
		g.Meta = map[string]string{}
	}
	if s.setup.Hints {
		g.Meta[hints] = "on"
	}
	if len(s.undone) == 0 {
		return g
	}
	var words []string
	for _, step := range slices.Backward(s.undone) {
		from := int8(record.Pass)
		if !step.Passed {
			from = int8(step.Move.From)
		}
		words = append(words, fmt.Sprintf("%d:%d", step.Roll, from))
	}
	g.Meta[undone] = strings.Join(words, " ")
	return g
}

// undone is the record key for the undone turns: for each, the roll and the square of the moved
// piece.
const undone = "Undone"

// takenBack is a turn under the key undone.
type takenBack struct{ roll, from int8 }

// readUndone parses the list written by Kept for a game of the given rules. It returns the valid
// part before the first fault.
func readUndone(text string, r *board.Rules) (turns []takenBack) {
	for word := range strings.FieldsSeq(text) {
		var t takenBack
		if n, err := fmt.Sscanf(word, "%d:%d", &t.roll, &t.from); n != 2 || err != nil || t.roll < 0 || int(t.roll) > r.MaxRoll() {
			break
		}
		turns = append(turns, t)
	}
	return turns
}

// takeBack adds turns as undone ones, as far as they follow from the game by the rules and the
// dice.
func (s *Session) takeBack(turns []takenBack) {
	p := s.at
	for i, t := range turns {
		step := Step{Number: len(s.steps) + i, Rules: s.rules, Position: p, Roll: int(t.roll), Passed: t.from == record.Pass}
		moves := s.rules.Moves(nil, p, step.Roll)
		at := slices.IndexFunc(moves, func(m board.Move) bool { return int(m.From) == int(t.from) })
		if _, over := p.Winner(); over || s.roll(step.Number) != step.Roll || step.Passed != (len(moves) == 0) || !step.Passed && at < 0 {
			break
		}
		if step.Next = p.Pass(); !step.Passed {
			step.Move = moves[at]
			step.Next = s.rules.Apply(p, step.Move)
		}
		s.undone = append(s.undone, step)
		p = step.Next
	}
	slices.Reverse(s.undone)
}

// hints is the record key that is set while the interface shows hints.
const hints = "Hints"

// Load resumes a recorded game, finished or not. It takes rules, pieces, start and dice from the
// record, and the players too unless setup names others. If the record does not know its dice,
// its rolls stay and later rolls come from the seed and game of setup.
func Load(ctx context.Context, g *record.Game, setup Setup) (*Session, error) {
	setup.Rules, setup.Pieces, setup.Start = g.Rules, g.Pieces, g.Start
	for side, name := range g.Players {
		if setup.Players[side] == "" {
			setup.Players[side] = name
		}
	}
	if g.Dice != nil {
		setup.Seed, setup.Game = g.Dice.Seed, g.Dice.Game
	}
	setup.Hints = setup.Hints || g.Meta[hints] != ""
	s, err := New(ctx, setup)
	if err != nil {
		return nil, err
	}
	back := readUndone(g.Meta[undone], s.rules)
	if g.Dice == nil {
		s.dice = nil
		for _, t := range g.Turns {
			s.fallen = append(s.fallen, t.Roll)
		}
		for _, t := range back {
			s.fallen = append(s.fallen, t.roll)
		}
	}
	maps.Copy(s.meta, g.Meta)
	delete(s.meta, hints)
	delete(s.meta, undone)
	if err := s.replay(g); err != nil {
		return nil, err
	}
	s.takeBack(back)
	return s, nil
}

// replay plays the turns of a record.
func (s *Session) replay(g *record.Game) error {
	last := s.at
	_, err := g.Replay(func(step *record.Step) {
		played := Step{Number: step.Number, Rules: s.rules, Position: last, Roll: step.Roll, Next: last.Pass(), Passed: step.Choice < 0}
		if !played.Passed {
			played.Move = step.Move()
			played.Next = s.rules.Apply(last, played.Move)
		}
		s.steps = append(s.steps, played)
		last = played.Next
	})
	if err != nil {
		return err
	}
	s.await(last)
	s.result = g.Result
	return nil
}
