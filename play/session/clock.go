package session

import (
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
)

// stopwatch measures each side's thinking time. It starts at the first query, so the time while
// a game is saved does not count.
type stopwatch struct {
	now   func() time.Time // nil: there is none
	begun time.Time        // start of the current turn; zero while the clock is stopped
	used  [2]time.Duration // time of finished turns
}

// start lets the watch run, if it stands still.
func (w *stopwatch) start() {
	if w.now != nil && w.begun.IsZero() {
		w.begun = w.now()
	}
}

// running returns the time of the current turn so far.
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

// elapsed returns the milliseconds of the finished turns.
func (w *stopwatch) elapsed() int64 { return (w.used[0] + w.used[1]).Milliseconds() }

// Used returns each side's thinking time, including the current turn. The first call starts the
// clock.
func (s *Session) Used() [2]time.Duration {
	used := s.watch.used
	if s.result == record.Unfinished {
		s.watch.start()
		used[s.turn.Side()] += s.watch.running()
	}
	return used
}

// ClockTexts returns the clock display of each side, as in 1:05: the time used, or the time
// left if there is a limit.
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

// termination is the record key for the reason a game ended, if the result does not imply it.
const termination = "Termination"

// timeForfeit is the termination of a game lost on time.
const timeForfeit = "time forfeit"

// CheckTime ends the game if the side to move has exceeded the limit: the result is a
// resignation, and the record holds the reason. It reports whether it ended the game.
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
