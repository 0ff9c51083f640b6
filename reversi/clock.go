package reversi

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
)

// Clock is one side's time for a whole game. The zero clock is none.
type Clock struct {
	Left      time.Duration // time for all moves to come
	Increment time.Duration // added after every move
}

// ParseClock reads a clock as players write it: 5m+0, 1m30s+2s, or 5m. An increment without a
// unit is in seconds.
func ParseClock(text string) (Clock, error) {
	initial, increment, added := strings.Cut(text, "+")
	left, err := time.ParseDuration(initial)
	c := Clock{Left: left}
	switch seconds, plain := strconv.ParseFloat(increment, 64); {
	case err != nil || !added:
	case plain == nil && 0 <= seconds && seconds < 1e6:
		c.Increment = time.Duration(seconds * float64(time.Second))
	default:
		c.Increment, err = time.ParseDuration(increment)
	}
	if err != nil || c.Left <= 0 || c.Increment < 0 {
		return Clock{}, fmt.Errorf("invalid clock %q (want a time and an increment, such as 5m+0 or 1m+2s)", text)
	}
	return c, nil
}

// String returns the clock as ParseClock reads it.
func (c Clock) String() string { return c.Left.String() + "+" + c.Increment.String() }

// After returns the clock after a move that took a time. A clock that has run out keeps a
// millisecond, so the game continues. A zero clock stays zero.
func (c Clock) After(spent time.Duration) Clock {
	if c.Left > 0 {
		c.Left = max(c.Left-spent, time.Millisecond) + c.Increment
	}
	return c
}

// share returns the time for a move with as many empty squares: the moves that decide a game
// are in its middle, and the last ones are solved at once. It is 0 for a zero clock.
func (c Clock) share(empties int) time.Duration {
	if c.Left <= 0 {
		return 0
	}
	share := c.Left/time.Duration(max(2, empties/2-3)) + c.Increment
	return max(time.Millisecond, min(share, c.Left/2))
}

// timekeeper decides when a move's search on a clock ends: early if deeper searches keep
// finding the same move, late if they find another.
type timekeeper struct {
	share  time.Duration // the clock's share; 0 without a clock
	begin  time.Time
	best   board.Square // move of the last finished depth
	stable int          // finished depths in a row with that move
}

// most is how many shares an undecided move may take.
const most = 3

// start begins a move. It returns the time limit: the move's, the player's own or
// the clock, whichever is least; 0 for none.
func (k *timekeeper) start(l Limits, own time.Duration, empties int) time.Duration {
	*k = timekeeper{share: l.Clock.share(empties), begin: time.Now(), best: board.None}
	return shortest(own, l.Time, max(min(most*k.share, l.Clock.Left/2), min(k.share, time.Millisecond)))
}

// shortest returns the least limit above 0; 0 for none.
func shortest(limits ...time.Duration) (least time.Duration) {
	for _, limit := range limits {
		if limit > 0 && (least == 0 || limit < least) {
			least = limit
		}
	}
	return least
}

// goOn is called after every iteration of a search, and reports whether another one may begin. The
// next one takes several times as long as all before it, so it does not begin where most of the
// share is spent.
func (k *timekeeper) goOn(r engine.Result) bool {
	k.stable++
	if r.Best != k.best {
		k.best, k.stable = r.Best, 0
	}
	return k.share == 0 || time.Since(k.begin) <= k.enough()
}

// enough returns the latest time to begin another iteration: half of the share once two in a row have kept the move, a
// quarter once four have.
func (k *timekeeper) enough() time.Duration { return k.share >> min(2, k.stable/2) }
