package session

import (
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
)

// termination is the record key for the reason a game ended, if the result does not imply it.
const termination = "Termination"

// byPerson reports whether a step belongs to a side a person plays now and was a choice.
func (s *Session) byPerson(step *play.Turn) bool {
	return !step.Passed() && s.pools[step.Side()] == nil
}

// watched reports whether no person sits at the board.
func (s *Session) watched() bool { return s.pools[0] != nil && s.pools[1] != nil }

// lastDecision returns the index of the last step that Undo removes: the last choice of a
// person, or, if no person plays, the last step of all; -1 if there is nothing to undo.
func (s *Session) lastDecision() int {
	for i := len(s.steps) - 1; i >= 0; i-- {
		if s.watched() || s.byPerson(&s.steps[i]) {
			return i
		}
	}
	return -1
}

// CanUndo reports whether there is anything to undo.
func (s *Session) CanUndo() bool { return s.resigned() || s.lastDecision() >= 0 }

// resigned reports whether the game ended without its last move.
func (s *Session) resigned() bool {
	_, over := s.turn.Position.Winner()
	return s.result != record.Unfinished && !over
}

// Undo undoes the turns back to and including the last move of a person, so that the person can
// choose again with the same roll. It undoes a resignation by itself. Between two players of
// the program it undoes one turn. It reports whether there was anything to undo.
func (s *Session) Undo() bool {
	if s.resigned() {
		delete(s.meta, termination)
		s.result = record.Unfinished
		s.epoch++
		return true
	}
	to := s.lastDecision()
	if to < 0 {
		return false
	}
	s.takeBack(to)
	return true
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
		if !first && (s.watched() || s.byPerson(&step)) {
			break
		}
		s.undone = s.undone[:last]
		s.steps = append(s.steps, step)
		s.await(step.Next)
	}
	return true
}
