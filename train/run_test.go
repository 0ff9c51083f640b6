package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) { sandbox.Main(m) }

// counter is a learner that adds up numbers which follow from its seed: enough to
// see whether a run takes the right steps.
type counter struct {
	seed, sum, steps int64
	fail             error
}

// counting is the configuration of a counter.
type counting struct {
	Seed int64 `json:"seed"`
}

func (c *counting) Learner(context.Context) (Learner, error) { return &counter{seed: c.Seed}, nil }

// runOf returns a run of a counter.
func runOf(c *counter, games int64) *Run {
	return &Run{Method: Method{Name: "count"}, Config: &counting{c.seed}, Learner: c, Games: games}
}

func (c *counter) Step(ctx context.Context) (int64, error) {
	if err := errors.Join(ctx.Err(), c.fail); err != nil {
		return 0, err
	}
	if c.steps == 100 {
		return 0, Finished("it counted to 100")
	}
	c.steps++
	c.sum = c.sum*31 + c.seed + c.steps
	return 10, nil
}

func (c *counter) Measure(context.Context, []Score) ([]Score, *float64, error) {
	return []Score{{Rival: "zero", Games: 100, Wins: min(100, c.steps), Beaten: c.steps >= 60}}, nil, nil
}

func (c *counter) State() any { return [2]int64{c.sum, c.steps} }

func (c *counter) SetState(state any) error {
	s := state.([2]int64)
	c.sum, c.steps = s[0], s[1]
	return nil
}

func (c *counter) Result() (player any, comment string) { return big.NewInt(c.sum), "" }

// reading returns a clock that goes on by a second whenever it is read.
func reading() func() time.Time {
	now := time.Unix(0, 0)
	return func() time.Time { now = now.Add(time.Second); return now }
}

// stripTime removes from a curve what a clock said.
func stripTime(c Curve) Curve {
	c = append(Curve(nil), c...)
	for i := range c {
		c[i].Seconds = 0
	}
	return c
}

// TestResumeEqualsUninterrupted stops runs after every number of steps, throws away
// all but the last checkpoint that was saved, and lets another run go on from it.
func TestResumeEqualsUninterrupted(t *testing.T) {
	whole := &counter{seed: 7}
	clocked := runOf(whole, 500)
	clocked.Now = reading()
	want, err := clocked.Do(t.Context())
	if err != nil || want.Games != 500 || want.Reason != "all games were played" {
		t.Fatalf("the run ended with %d games, reason %q: %v", want.Games, want.Reason, err)
	}
	for steps := range 50 {
		ctx, stop := context.WithCancel(t.Context())
		var file bytes.Buffer
		saves := 0
		killed := runOf(&counter{seed: 7}, 500)
		killed.Now, killed.SaveEvery = reading(), 20*time.Second
		killed.Save = func(c *Checkpoint) error {
			if ctx.Err() == nil { // a killed process saves nothing more
				file.Reset()
				saves++
				return WriteCheckpoint(&file, c)
			}
			return nil
		}
		killed.Report = func(s Status) {
			if s.Games >= int64(10*steps) {
				stop()
			}
		}
		if _, err := killed.Do(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("a run that was told to stop returned %v", err)
		}
		if steps == 49 && saves < 3 {
			t.Fatalf("only %d checkpoints were saved on the way", saves)
		}
		c := testkit.Must(ReadCheckpoint(&file))(t)
		second := &counter{seed: 7}
		resumed := runOf(second, 500)
		resumed.Now = reading()
		testkit.NoError(t, resumed.Resume(c))
		got := testkit.Must(resumed.Do(t.Context()))(t)
		if *second != *whole {
			t.Errorf("stopped after %d steps: learned %v, want %v", steps, *second, *whole)
		}
		if g, w := fmt.Sprint(stripTime(got.Curve)), fmt.Sprint(stripTime(want.Curve)); g != w {
			t.Errorf("stopped after %d steps: curve %s, want %s", steps, g, w)
		}
	}
}

func TestRunStops(t *testing.T) {
	for _, test := range []struct {
		run    Run
		reason string
		steps  int64
	}{
		{Run{Games: 95}, "all games were played", 10},
		{Run{}, "it counted to 100", 100},
	} {
		c := new(counter)
		test.run.Learner = c
		got, err := test.run.Do(t.Context())
		if err != nil || got.Reason != test.reason {
			t.Errorf("stopped for %q and %v, want %q", got.Reason, err, test.reason)
		}
		if c.steps != test.steps || got.Games != 10*c.steps {
			t.Errorf("%s: %d steps of %d games, want %d", got.Reason, c.steps, got.Games, test.steps)
		}
		if last, _ := got.Curve.Last(); last.Games != got.Games {
			t.Errorf("%s: the curve ends at %d games of %d", got.Reason, last.Games, got.Games)
		}
	}
}

// TestTimeLimit lets a second go by with every reading of the clock.
func TestTimeLimit(t *testing.T) {
	run := runOf(new(counter), 0)
	run.Time, run.Now = time.Minute, reading()
	var last Status
	run.Report = func(s Status) { last = s }
	got, err := run.Do(t.Context())
	if err != nil || got.Reason != "the time is over" {
		t.Fatalf("stopped for %q: %v", got.Reason, err)
	}
	if got.Elapsed < time.Minute || got.Elapsed > 90*time.Second {
		t.Errorf("took %s of a minute", got.Elapsed)
	}
	if last.Part < 0.9 {
		t.Errorf("part %g of the time is over in the end", last.Part)
	}
}

// TestErrorOfAStep wants the error of a step, or of a checkpoint, told.
func TestErrorOfAStep(t *testing.T) {
	broken := errors.New("no more dice")
	for _, run := range []*Run{runOf(&counter{fail: broken}, 0), runOf(new(counter), 0)} {
		if run.Learner.(*counter).fail == nil {
			run.Save = func(*Checkpoint) error { return broken }
		}
		if _, err := run.Do(t.Context()); !errors.Is(err, broken) {
			t.Errorf("error is %v", err)
		}
	}
}
