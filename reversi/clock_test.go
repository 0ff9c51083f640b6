package reversi

import (
	"context"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

func TestParseClock(t *testing.T) {
	for text, want := range map[string]Clock{
		"5m+0": {Left: 5 * time.Minute}, "5m": {Left: 5 * time.Minute}, "1m30s+2": {90 * time.Second, 2 * time.Second},
		"10s+0.5": {10 * time.Second, 500 * time.Millisecond}, "1s+20ms": {time.Second, 20 * time.Millisecond},
	} {
		if c, err := ParseClock(text); err != nil || c != want {
			t.Errorf("%s: %v, %v", text, c, err)
		}
		if c, err := ParseClock(want.String()); err != nil || c != want {
			t.Errorf("%s: %v, %v", want, c, err)
		}
	}
	for _, text := range []string{"", "5", "0", "0s+1", "-5m+0", "5m+", "5m+-1", "5m+x", "5m+1+1", "5m+1e300", "5m+NaN"} {
		if c, err := ParseClock(text); err == nil {
			t.Errorf("%q is the clock %v", text, c)
		}
	}
}

// A share is never more than half of the rest, and the rest of a clock is never nothing.
func TestClockShare(t *testing.T) {
	for _, left := range []time.Duration{time.Millisecond, time.Second, time.Hour} {
		for empties := range 61 {
			c := Clock{Left: left, Increment: time.Second}
			if s := c.share(empties); s < time.Millisecond || s > max(time.Millisecond, left/2) {
				t.Errorf("%v with %d empty: %v", c, empties, s)
			}
		}
	}
	if s := (Clock{}).share(30); s != 0 {
		t.Errorf("no clock shares %v", s)
	}
	if c := (Clock{Left: time.Second, Increment: time.Minute}).After(time.Hour); c.Left != time.Minute+time.Millisecond {
		t.Errorf("a clock that ran out has %v", c.Left)
	}
	l := Limits{Time: time.Millisecond, Clock: Clock{Left: time.Hour}}
	if got := l.move(30); got != time.Millisecond {
		t.Errorf("the limit of a move is %v", got)
	}
}

// clocked notes its clocks, and takes a time for every move.
type clocked struct {
	greedy
	clocks []Clock
	games  int
}

func (c *clocked) NewGame(uint64) { c.games++ }

func (c *clocked) Choose(ctx context.Context, p board.Position, l Limits) (Choice, error) {
	c.clocks = append(c.clocks, l.Clock)
	time.Sleep(time.Millisecond)
	return c.greedy.Choose(ctx, p, l)
}

// The clocks of a match go down, begin again with every game, and overruns are moves behind
// their end.
func TestClocksOfAMatch(t *testing.T) {
	player := new(clocked)
	m := Match{Players: [2]string{"clocked", "random"}, Pairs: 1, Seed: 1, Limits: Limits{Clock: Clock{Left: 10 * time.Millisecond}}}
	m.New = func(name string) (Player, error) {
		if name == "clocked" {
			return player, nil
		}
		return ParsePlayer(name, Env{})
	}
	s := played(t, m)
	full := 0
	for i, c := range player.clocks {
		switch {
		case c.Left == 10*time.Millisecond:
			full++
		case c.Left > player.clocks[i-1].Left:
			t.Errorf("move %d: the clock goes up to %v", i, c.Left)
		}
	}
	if full != 2 {
		t.Errorf("%d games begin with a full clock, want 2", full)
	}
	if s.Overruns[0] < 2 || s.Overruns[1] > 0 {
		t.Errorf("%v moves over the time", s.Overruns)
	}
}
