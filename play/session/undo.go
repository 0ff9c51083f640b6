package session

import "github.com/seed-09dcdc84/ur/play/record"

// byPerson reports whether a step is a choice of whoever sits there now, a person.
func (s *Session) byPerson(step *Step) bool { return !step.Passed && s.chairs[step.Side()] == nil }

// watched reports whether no person sits at the board.
func (s *Session) watched() bool { return s.chairs[0] != nil && s.chairs[1] != nil }

// lastDecision returns the index of the last step that Undo takes back: the last move of a
// side where a person sits, or, where none does, the last step of all; -1 when there is
// nothing to take back.
func (s *Session) lastDecision() int {
	for i := len(s.steps) - 1; i >= 0; i-- {
		if s.watched() || s.byPerson(&s.steps[i]) {
			return i
		}
	}
	return -1
}

// CanUndo reports whether there is anything to take back.
func (s *Session) CanUndo() bool { return s.resigned() || s.lastDecision() >= 0 }

// resigned reports whether the game ended without its last move.
func (s *Session) resigned() bool {
	_, over := s.turn.Position.Winner()
	return s.result != record.Unfinished && !over
}

// Undo takes back what was played up to and with the last move of a person, so that it can
// be chosen again, with the roll that it had. A resignation is taken back by itself.
// Between two players of the program it takes back a turn. It reports whether there was
// anything.
func (s *Session) Undo() bool {
	if s.resigned() {
		s.result = record.Unfinished
		s.epoch++
		s.watch.start()
		return true
	}
	to := s.lastDecision()
	if to < 0 {
		return false
	}
	s.watch.stop(s.turn.Side())
	for i := len(s.steps) - 1; i >= to; i-- {
		s.undone = append(s.undone, s.steps[i])
	}
	p := s.steps[to].Position
	s.steps, s.result = s.steps[:to], record.Unfinished
	s.await(p)
	return true
}

// CanRedo reports whether anything was taken back that can come again.
func (s *Session) CanRedo() bool { return len(s.undone) > 0 && !s.resigned() }

// Redo plays again what the last Undo took back, and reports whether there was anything.
func (s *Session) Redo() bool {
	if !s.CanRedo() {
		return false
	}
	s.watch.stop(s.turn.Side())
	for first := true; len(s.undone) > 0; first = false {
		last := len(s.undone) - 1
		step := s.undone[last]
		if !first && (s.watched() || s.byPerson(&step)) {
			break
		}
		s.undone = s.undone[:last]
		step.Millis = s.watch.elapsed()
		s.steps = append(s.steps, step)
		s.await(step.Next)
	}
	return true
}
