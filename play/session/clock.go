package session

import (
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
)

// stopwatch measures how long the sides think. It runs from when it is first asked, so
// that a game that was kept for tomorrow is not a day longer.
type stopwatch struct {
	now   func() time.Time // nil: there is none
	begun time.Time        // of the turn that waits; zero while it stands still
	used  [2]time.Duration // by turns that are over
}

// start lets the watch run, if it stands still.
func (w *stopwatch) start() {
	if w.now != nil && w.begun.IsZero() {
		w.begun = w.now()
	}
}

// running is how long the turn that waits takes already.
func (w *stopwatch) running() time.Duration {
	if w.begun.IsZero() {
		return 0
	}
	return max(0, w.now().Sub(w.begun))
}

// stop ends a turn of a side, begins the next, and returns the milliseconds of the game.
func (w *stopwatch) stop(side board.Side) int64 {
	w.used[side] += w.running()
	if w.now != nil {
		w.begun = w.now()
	}
	return w.elapsed()
}

// elapsed is the milliseconds of the turns that are over.
func (w *stopwatch) elapsed() int64 { return (w.used[0] + w.used[1]).Milliseconds() }

// Used returns how long each side has thought, the turn that waits included. The first
// call starts the clock.
func (s *Session) Used() [2]time.Duration {
	used := s.watch.used
	if s.result == record.Unfinished {
		s.watch.start()
		used[s.turn.Side()] += s.watch.running()
	}
	return used
}

// ClockTexts returns what a clock shows for each side, as in 1:05: how long it has thought, or
// with a limit how long it has left.
func (s *Session) ClockTexts() (texts [2]string) {
	for side, used := range s.Used() {
		if limit := s.setup.Limit; limit > 0 {
			used = max(0, limit-used+time.Second-1) // full until a second has passed
		}
		seconds := int(used / time.Second)
		texts[side] = fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	}
	return texts
}

// termination is the key of a record under which stands why a game ended, where the result
// does not say it.
const termination = "Termination"

// timeForfeit is the termination of a game that was lost by the clock.
const timeForfeit = "time forfeit"

// CheckTime ends the game when the side to move has thought longer than the limit: its
// result is a resignation, and the record says why. It reports whether it did.
func (s *Session) CheckTime() bool {
	side := s.turn.Side()
	if s.setup.Limit <= 0 || s.result != record.Unfinished || s.Used()[side] < s.setup.Limit {
		return false
	}
	s.meta[termination] = timeForfeit
	return s.Resign(side) == nil
}

// OutOfTime reports whether the game was lost by the clock. The record of a game without a clock
// cannot end so, whatever its termination.
func (s *Session) OutOfTime() bool {
	return s.setup.Limit > 0 && s.resigned() && s.meta[termination] == timeForfeit
}
