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
// can name them again. It leaves out undone turns; see [Session.Snapshot].
func (s *Session) Record() *record.Game {
	g := &record.Game{Rules: s.setup.Rules, Players: s.setup.Players, Pieces: s.setup.Pieces, Start: s.setup.Start, Result: s.result}
	if s.dice != nil {
		dice := *s.dice
		g.Dice = &dice
	}
	for _, step := range s.steps {
		g.Turns = append(g.Turns, step.Turn())
	}
	if len(s.meta) > 0 {
		g.Meta = maps.Clone(s.meta)
	}
	return g
}

// Snapshot returns the game so far like Record, together with the undone turns, so that a loaded
// game can redo them, and whether hints are shown.
func (s *Session) Snapshot() *record.Game {
	g := s.Record()
	if g.Meta == nil {
		g.Meta = map[string]string{}
	}
	if s.setup.Hints {
		g.Meta[hints] = "on"
	}
	var words []string
	for _, step := range slices.Backward(s.undone) {
		t := step.Turn()
		words = append(words, fmt.Sprintf("%d:%d", t.Roll, t.From))
	}
	if words != nil {
		g.Meta[undone] = strings.Join(words, " ")
	}
	return g
}

// undone is the record key for the undone turns: for each, the roll and the square of the moved
// piece.
const undone = "Undone"

// readUndone parses the list written by Snapshot for a game of the given rules. It returns the valid
// part before the first fault.
func readUndone(text string, r *board.Rules) (turns []record.Turn) {
	for word := range strings.FieldsSeq(text) {
		var t record.Turn
		if n, err := fmt.Sscanf(word, "%d:%d", &t.Roll, &t.From); n != 2 || err != nil || t.Roll < 0 || int(t.Roll) > r.MaxRoll() {
			break
		}
		turns = append(turns, t)
	}
	return turns
}

// takeBack adds turns as undone ones, as far as they follow from the game by the rules and the
// dice.
func (s *Session) takeBack(turns []record.Turn) {
	step := s.turn
	for _, t := range turns {
		choice := slices.IndexFunc(step.Moves, func(m board.Move) bool { return int8(m.From) == t.From })
		passed := t.From == record.Pass
		if _, over := step.Position.Winner(); over || step.Roll != int(t.Roll) || passed != (len(step.Moves) == 0) || !passed && choice < 0 {
			break
		}
		step.Play(choice)
		s.undone = append(s.undone, step)
		step = s.turnAt(step.Number+1, step.Next)
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
	back := readUndone(g.Meta[undone], s.setup.Rules)
	if g.Dice == nil {
		s.dice = nil
		for _, t := range slices.Concat(g.Turns, back) {
			s.fallen = append(s.fallen, t.Roll)
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
	last, err := g.Replay(func(step *record.Step) {
		played := *step
		played.Seed, played.Game, played.Moves, played.Millis = s.setup.Seed, s.setup.Game, slices.Clone(step.Moves), 0
		s.steps = append(s.steps, played)
	})
	if err != nil {
		return err
	}
	s.await(last)
	s.result = g.Result
	return nil
}
