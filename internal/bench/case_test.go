package bench

import (
	"errors"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

func TestEveryEngineDoesTheWork(t *testing.T) {
	if err := engine.CheckRequired(); err != nil {
		t.Fatal(err)
	}
	w := testWorkload(t)
	for _, e := range engine.Available() {
		for _, level := range Levels() {
			c, err := NewCase(w, e, level)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Check(); err != nil {
				t.Error(err)
			}
			if _, err := c.Pass(); err != nil {
				t.Errorf("%s: %v", c.Name(), err)
			}
			if allocations := testing.AllocsPerRun(1, func() { _, _ = c.Pass() }); allocations != 0 {
				t.Errorf("%s allocates %v times in a pass", c.Name(), allocations)
			}
		}
	}
}

func TestWorkloadIsTheSameEveryTime(t *testing.T) {
	w := testWorkload(t)
	again, err := NewWorkload(w.Size)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range Levels() {
		if w.Signature(level) != again.Signature(level) {
			t.Errorf("%s: signatures %s and %s of the same work", level, w.Signature(level), again.Signature(level))
		}
	}
	other, err := NewWorkload(Size{Positions: 64, TurnGames: 3, Games: 6, FirstGames: 2})
	if err != nil {
		t.Fatal(err)
	}
	for level, same := range map[Level]bool{Value: true, Turn: false, Game: false, Match: false} {
		if (w.Signature(level) == other.Signature(level)) != same {
			t.Errorf("%s: signatures %s and %s of one game more", level, w.Signature(level), other.Signature(level))
		}
	}
	turns := w.works[Turn].(*turnWork)
	if n := len(turns.rolls); n < 3*60 || turns.candidates < n || turns.candidates > 7*n {
		t.Errorf("%d candidates in %d turns of 3 games", turns.candidates, n)
	}
}

func TestWorkloadRefusesSizes(t *testing.T) {
	for _, size := range []Size{{}, {1, 1, 1, 0}, {-1, 1, 1, 1}, {1 << 20, 1, 1, 1}, {1, 1, 1, 2}} {
		if _, err := NewWorkload(size); err == nil {
			t.Errorf("size %+v is accepted", size)
		}
	}
}

// wrongEngine is the oracle with one wrong answer at every level.
type wrongEngine struct{ ur.Engine }

func (wrongEngine) Name() string { return "array16/wrong" }

func (e wrongEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return wrongGame{g}, err
}

type wrongGame struct{ ur.Game }

func (g wrongGame) Values(dst []int32, by board.Side) {
	g.Game.Values(dst, by)
	dst[len(dst)-1]++
}

func (g wrongGame) Play(roll int) (board.Move, bool) {
	move, moved := g.Game.Play(roll)
	move.Capture = !move.Capture
	return move, moved
}

func (g wrongGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	t, err := g.Game.Games(winners, s)
	t.Captures++
	return t, err
}

func TestWrongAnswersAreFound(t *testing.T) {
	w := testWorkload(t)
	for _, level := range Levels() {
		c, err := NewCase(w, wrongEngine{engine.Oracle()}, level)
		if err != nil {
			t.Fatal(err)
		}
		var mismatch *MismatchError
		if err := c.Check(); !errors.As(err, &mismatch) || mismatch.Level != level || mismatch.Engine != "array16/wrong" {
			t.Errorf("%s level: %v, want a MismatchError", level, err)
		}
	}
}
