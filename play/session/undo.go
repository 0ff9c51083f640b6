package session

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// termination is the record key for the reason a game ended, if the result does not imply it.
const termination = "Termination"

// decision reports whether Undo goes back to a step: a choice of a side that a person plays now, or, if
// no person plays, any step.
func (s *Session) decision(step play.Turn) bool {
	watched := s.pools[0] != nil && s.pools[1] != nil
	return watched || !step.Passed() && s.pools[step.Side()] == nil
}

// CanUndo reports whether there is anything to undo.
func (s *Session) CanUndo() bool { return s.resigned() || slices.ContainsFunc(s.steps, s.decision) }

// resigned reports whether the game ended without its last move.
func (s *Session) resigned() bool {
	_, over := s.turn.Position.Winner()
	return s.result != record.Unfinished && !over
}

// Undo undoes the turns back to and including a person's last move, so that the person can
// choose again with the same roll. It undoes a resignation by itself. Between two players of
// the program it undoes one turn. It reports whether there was anything to undo.
func (s *Session) Undo() bool {
	if s.resigned() {
		delete(s.meta, termination)
		s.result = record.Unfinished
		s.epoch++
		return true
	}
	for to, step := range slices.Backward(s.steps) {
		if s.decision(step) {
			s.takeBack(to)
			return true
		}
	}
	return false
}

// takeBack undoes the turns from one on.
func (s *Session) takeBack(to int) {
	for len(s.steps) > to {
		last := s.steps[len(s.steps)-1]
		s.undone, s.steps = append(s.undone, last), s.steps[:len(s.steps)-1]
		s.result = record.Unfinished
		s.await(last.Position)
	}
}

// CanRedo reports whether there is anything to redo.
func (s *Session) CanRedo() bool { return len(s.undone) > 0 && !s.resigned() }

// Redo replays the turns the last Undo removed, and reports whether there were any.
func (s *Session) Redo() bool {
	if !s.CanRedo() {
		return false
	}
	for first := true; len(s.undone) > 0; first = false {
		last := len(s.undone) - 1
		step := s.undone[last]
		if !first && s.decision(step) {
			break
		}
		s.undone, s.steps = s.undone[:last], append(s.steps, step)
		s.await(step.Next)
	}
	return true
}

// Typed returns the index of the move a user typed among a turn's moves. It accepts a
// number from 1, a notation such as "A3-B1", "in-A3" or "A7-home" with or without its marks and
// the "-", the tile the piece reaches, or the tile it leaves, in either case. The tile reached
// takes precedence, because a board shows the number there. Empty input selects the only move,
// if there is just one.
func Typed(t *play.Turn, text string) (choice int, ok bool) {
	word := strings.ToLower(strings.Join(strings.Fields(text), ""))
	if word == "" && len(t.Moves) == 1 {
		return 0, true
	}
	if n, err := strconv.Atoi(word); err == nil {
		return n - 1, n >= 1 && n <= len(t.Moves)
	}
	word = strings.NewReplacer("-", "", "–", "", ">", "").Replace(strings.TrimRight(word, "x*"))
	for reading := range 3 {
		for i, m := range t.Moves {
			from, to := tileText(t, m.From, "in"), tileText(t, m.To, "home")
			if word != "" && word == [3]string{from + to, to, from}[reading] {
				return i, true
			}
		}
	}
	return 0, false
}

// tileText returns a square in lower case, or a word for a square outside the board.
func tileText(t *play.Turn, square uint8, outside string) string {
	if tile := t.Rules.Tile(t.Side(), int(square)); tile != "" {
		return strings.ToLower(tile)
	}
	return outside
}
