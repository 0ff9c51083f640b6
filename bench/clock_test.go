package bench

import (
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// sleepyEngine is the oracle after a nap: work takes the processor no longer.
type sleepyEngine struct{ ur.Engine }

const nap = 30 * time.Millisecond

func (sleepyEngine) Name() string { return "array16/sleepy" }

func (e sleepyEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return sleepyGame{g}, err
}

type sleepyGame struct{ ur.Game }

func (g sleepyGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	time.Sleep(nap)
	return g.Game.Games(winners, s)
}

// A nap is on the wall, and what another program would take of the core is like one.
func TestClocks(t *testing.T) {
	c, err := NewCase(testWorkload(t), sleepyEngine{engine.Oracle()}, Game)
	if err != nil {
		t.Fatal(err)
	}
	wall, err := WallClock.pass(c, 2)
	if err != nil || wall < 2*nap {
		t.Errorf("two naps take %v on the wall, error %v; want %v at least", wall, err, 2*nap)
	}
	if DefaultClock() != CPUClock {
		if _, err := ParseClock("cpu"); err == nil {
			t.Error("a clock that there is not can be chosen")
		}
		t.Skip("this system has no exact clock of processor time")
	}
	start := time.Now()
	cpu, err := CPUClock.pass(c, 2)
	if wall := time.Since(start); err != nil || cpu <= 0 || cpu > wall-2*nap+nap/2 {
		t.Errorf("the processor worked for %v of %v, error %v; the naps are %v", cpu, wall, err, 2*nap)
	}
	o := fakeOptions(t)
	o.Levels, o.Engines, o.Clock, o.BenchTime = []Level{Game}, []ur.Engine{sleepyEngine{engine.Oracle()}}, nil, time.Microsecond
	run, err := Measure(t.Context(), testWorkload(t), o)
	if err != nil || run.Others < 0.5 || run.Options.TimedBy != CPUClock {
		t.Errorf("others took %v of the time by the clock %s, error %v; want most", run.Others, run.Options.TimedBy, err)
	}
	o.Commands = []Command{helperCommand(t, "rust", "BenchmarkGame 1 5 us/game\n")}
	if run, err = Measure(t.Context(), testWorkload(t), o); err != nil || run.Options.TimedBy != WallClock {
		t.Errorf("beside a command the clock is %s, error %v; want that of the wall", run.Options.TimedBy, err)
	}
}

func TestParseClock(t *testing.T) {
	if clock, err := ParseClock("wall"); err != nil || clock != WallClock {
		t.Errorf("clock %q, error %v", clock, err)
	}
	if _, err := ParseClock("sun"); err == nil {
		t.Error("the sun is a clock")
	}
}
