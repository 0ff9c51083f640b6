package reversi

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Clock is the time of one side for a whole game. The zero clock is none.
type Clock struct {
	Left      time.Duration // for all moves to come
	Increment time.Duration // added after every move
}

// ParseClock reads a clock as players write it: 5m+0, 1m30s+2s, or 5m. An increment without a
// unit is in seconds.
func ParseClock(text string) (Clock, error) {
	initial, increment, added := strings.Cut(text, "+")
	left, err := time.ParseDuration(initial)
	if err != nil || left <= 0 {
		return Clock{}, badClock(text)
	}
	c := Clock{Left: left}
	if !added {
		return c, nil
	}
	if seconds, err := strconv.ParseFloat(increment, 64); err == nil && 0 <= seconds && seconds < 1e6 {
		c.Increment = time.Duration(seconds * float64(time.Second))
		return c, nil
	}
	if c.Increment, err = time.ParseDuration(increment); err != nil || c.Increment < 0 {
		return Clock{}, badClock(text)
	}
	return c, nil
}

func badClock(text string) error {
	return fmt.Errorf("invalid clock %q (want a time and an increment, such as 5m+0 or 1m+2s)", text)
}

// String returns the clock as ParseClock reads it.
func (c Clock) String() string { return c.Left.String() + "+" + c.Increment.String() }

// After returns the clock after a move that took a time. A clock that has run out keeps a
// millisecond, so the game goes on. A zero clock stays zero.
func (c Clock) After(spent time.Duration) Clock {
	if c.Left > 0 {
		c.Left = max(c.Left-spent, time.Millisecond) + c.Increment
	}
	return c
}

// share returns the time for a move with a number of empty squares: the moves that decide a game
// are in its middle, and the last ones are solved at once. It is 0 for a zero clock.
func (c Clock) share(empties int) time.Duration {
	if c.Left <= 0 {
		return 0
	}
	moves := max(1, (empties-8)/2)
	share := c.Left/time.Duration(moves+1) + c.Increment
	return max(time.Millisecond, min(share, c.Left/2))
}

// move returns the time limit of one move: that of the move or the clock's share, whichever
// is less; 0 for none.
func (l Limits) move(empties int) time.Duration {
	share := l.Clock.share(empties)
	if share == 0 || l.Time != 0 && l.Time < share {
		return l.Time
	}
	return share
}
