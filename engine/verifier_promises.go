package engine

import (
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// verifyLimit is a series with each game's length, to check turn limits.
type verifyLimit struct {
	setup  ur.Setup
	series ur.Series
	tally  ur.Tally
	turns  []int // turns by game, from the oracle
}

// addLimit lets the oracle play the games one by one. They are more than any engine plays
// at once.
func (v *Verifier) addLimit() error {
	l := &v.limit
	l.setup = ur.Setup{Light: v.brain("classic"), Dark: v.brain("small random"), Pieces: 2}
	l.series = ur.Series{Seed: v.options.Seed, First: 5, Step: 7, N: verifyWinners}
	g, err := Oracle().New(l.setup)
	if err != nil {
		return err
	}
	for i := range l.series.N {
		t, err := g.Games(nil, l.series.Part(i, 1))
		if err != nil {
			return err
		}
		l.turns = append(l.turns, int(t.Turns))
		l.tally.Add(t)
	}
	return nil
}

// verify plays the series with a limit just long enough for its longest game, and with one turn
// less.
func (l *verifyLimit) verify(e ur.Engine) error {
	longest, setup := slices.Max(l.turns), l.setup
	setup.TurnLimit = longest
	g, err := e.New(setup)
	if err != nil {
		return err
	}
	if got, err := g.Games(nil, l.series); err != nil || got != l.tally {
		return fmt.Errorf("turn limit of %d, exceeded by no game: tally %+v (%v), oracle %+v", longest, got, err, l.tally)
	}
	setup.TurnLimit = longest - 1
	if g, err = e.New(setup); err != nil {
		return err
	}
	_, err = g.Games(nil, l.series)
	limit, ok := errors.AsType[*ur.TurnLimitError](err)
	if !ok {
		return fmt.Errorf("a game of %d turns under a limit of %d: error %v (want a TurnLimitError)", longest, longest-1, err)
	}
	for i, turns := range l.turns {
		if turns == longest && l.series.Number(i) == limit.Game && limit.Seed == l.series.Seed && limit.Limit == longest-1 {
			return nil
		}
	}
	return fmt.Errorf("the error names game %d of seed %d, which does not exceed the limit of %d turns: %w", limit.Game, limit.Seed, limit.Limit, err)
}

// verifyBatches asks for the values of fewer positions than are loaded, and of other numbers
// than kernels take at once: no more may be written than was asked for.
func (v *Verifier) verifyBatches(e ur.Engine) error {
	const untouched = -0x5eed5eed
	b := v.brains[0]
	g, err := e.New(ur.Setup{Light: b.brain, Dark: b.brain})
	if err != nil {
		return err
	}
	g.Load(v.positions)
	for n := range min(67, len(v.positions)) {
		room := make([]int32, n+2)
		room[0], room[n+1] = untouched, untouched
		g.Values(room[1:n+1], board.Light)
		if room[0] != untouched || room[n+1] != untouched {
			return fmt.Errorf("method Values of %d positions writes beyond them", n)
		}
		for i, got := range room[1 : n+1] {
			if got != b.values[i] {
				return fmt.Errorf("value %d of the first %d positions is %d, oracle %d", i, n, got, b.values[i])
			}
		}
	}
	return nil
}

// verifyMemory checks the size that a game reports, and that repeating a call takes no more
// memory.
func (v *Verifier) verifyMemory(e ur.Engine) error {
	b := v.brains[0]
	g, err := e.New(ur.Setup{Light: b.brain, Dark: b.brain})
	if err != nil {
		return err
	}
	if bytes := g.Bytes(); bytes <= 0 {
		return fmt.Errorf("method Bytes returns %d (want the memory of the brains at least)", bytes)
	}
	p := v.positions[0]
	g.Load(v.positions)
	values := make([]int32, len(v.positions))
	futures := make([]ur.Future, 0, board.FinkelMoves)
	series := ur.Series{Seed: 1, N: 3}
	winners := make([]board.Side, series.N)
	for _, call := range []struct {
		name string
		do   func()
	}{
		{"Values", func() { g.Values(values, board.Dark) }},
		{"Set", func() { g.Set(p) }},
		{"Futures", func() { futures = g.Futures(futures[:0], 2) }},
		{"Play", func() { g.Play(2) }},
		{"Games", func() { _, err = g.Games(nil, series) }},
		{"Games with winners", func() { _, err = g.Games(winners, series) }},
	} {
		call.do()
		if err != nil {
			return err
		}
		if allocates(call.do) {
			return fmt.Errorf("%s allocates when it is called again", call.name)
		}
	}
	return nil
}

// allocates reports whether a call allocates. Other goroutines may allocate meanwhile, so one
// call without allocation out of many is enough.
func allocates(call func()) bool {
	var before, after runtime.MemStats
	for range 20 {
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		if after.Mallocs == before.Mallocs {
			return false
		}
	}
	return true
}
