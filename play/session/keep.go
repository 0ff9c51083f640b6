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
	g := &record.Game{Rules: s.setup.Rules, Players: s.setup.Players, Pieces: s.setup.Pieces,
		Start: s.setup.Start, Result: s.result}
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

// readUndone parses the list written by Snapshot, up to the first fault.
func readUndone(text string, r *board.Rules) (turns []record.Turn) {
	for word := range strings.FieldsSeq(text) {
		var t record.Turn
		if n, err := fmt.Sscanf(word, "%d:%d", &t.Roll, &t.From); n != 2 || err != nil || t.Roll < 0 ||
			int(t.Roll) > r.MaxRoll() {
			break
		}
		turns = append(turns, t)
	}
	return turns
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
		fallen := slices.Concat(g.Turns, back)
		s.dice, s.rolls = nil, func(turn int) int {
			if turn < len(fallen) {
				return int(fallen[turn].Roll)
			}
			return s.throwDice(turn)
		}
	}
	maps.Copy(s.meta, g.Meta)
	delete(s.meta, hints)
	delete(s.meta, undone)
	game := *g // copy with its result, which a link of the page lacks
	last, err := game.Replay(func(step *record.Step) {
		if winner, over := step.Next.Winner(); over && game.Result == record.Unfinished {
			game.Result = record.LightWins + record.Result(winner)
		}
		played := *step
		played.Seed, played.Game, played.Moves, played.Millis = s.setup.Seed, s.setup.Game, slices.Clone(step.Moves), 0
		s.steps = append(s.steps, played)
	})
	if err != nil {
		return nil, err
	}
	s.await(last)
	for _, t := range back { // as far as they follow by the rules and the dice
		choice := slices.IndexFunc(s.turn.Moves, func(m board.Move) bool { return int8(m.From) == t.From })
		_, over := s.turn.Position.Winner()
		if over || s.turn.Roll != int(t.Roll) || choice < 0 && (t.From != record.Pass || len(s.turn.Moves) > 0) {
			break
		}
		s.finish(choice)
	}
	s.takeBack(len(g.Turns))
	s.result = game.Result
	return s, nil
}
