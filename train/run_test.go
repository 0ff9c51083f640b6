package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

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
	want := testkit.Must(clocked.Do(t.Context()))(t)
	testkit.MustEqual(t, want.Games, 500, "games of the run")
	testkit.MustEqual(t, want.Reason, "all games were played", "the run ended since")
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
		testkit.WantErrorIs(t, testkit.ErrorOf(killed.Do(ctx)), context.Canceled,
			"a run that was told to stop returned")
		testkit.FatalIf(t, steps == 49 && saves < 3, "only %d checkpoints on the way", saves)
		c := testkit.Must(ReadCheckpoint(&file))(t)
		second := &counter{seed: 7}
		resumed := runOf(second, 500)
		resumed.Now = reading()
		testkit.NoError(t, resumed.Resume(c))
		got := testkit.Must(resumed.Do(t.Context()))(t)
		testkit.Equal(t, *second, *whole, "stopped after %d steps: learned", steps)
		testkit.Equal(t, fmt.Sprint(stripTime(got.Curve)), fmt.Sprint(stripTime(want.Curve)),
			"stopped after %d steps: curve", steps)
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
		got := testkit.Must(test.run.Do(t.Context()))(t)
		testkit.Equal(t, got.Reason, test.reason, "stopped since")
		last, _ := got.Curve.Last()
		testkit.Equal(t, [...]int64{c.steps, got.Games, last.Games},
			[...]int64{test.steps, 10 * test.steps, 10 * test.steps}, "%s: steps, games, end of the curve", got.Reason)
	}
}

// TestTimeLimit lets a second go by with every reading of the clock.
func TestTimeLimit(t *testing.T) {
	run := runOf(new(counter), 0)
	run.Time, run.Now = time.Minute, reading()
	var last Status
	run.Report = func(s Status) { last = s }
	got := testkit.Must(run.Do(t.Context()))(t)
	testkit.MustEqual(t, got.Reason, "the time is over", "stopped since")
	testkit.ErrorIf(t, got.Elapsed < time.Minute || got.Elapsed > 90*time.Second || last.Part < 0.9,
		"took %s of a minute, and part %g of the time is over in the end", got.Elapsed, last.Part)
}

// TestErrorOfAStep wants the error of a step, or of a checkpoint, told.
func TestErrorOfAStep(t *testing.T) {
	broken := errors.New("no more dice")
	for _, run := range []*Run{runOf(&counter{fail: broken}, 0), runOf(new(counter), 0)} {
		if run.Learner.(*counter).fail == nil {
			run.Save = func(*Checkpoint) error { return broken }
		}
		testkit.WantErrorIs(t, testkit.ErrorOf(run.Do(t.Context())), broken, "run.Do")
	}
}

// someCheckpoint returns the file of a checkpoint.
func someCheckpoint(t testing.TB) []byte {
	var file bytes.Buffer
	run := runOf(&counter{seed: 3}, 200)
	run.Save = func(c *Checkpoint) error { file.Reset(); return WriteCheckpoint(&file, c) }
	testkit.Must(run.Do(t.Context()))(t)
	return file.Bytes()
}

// TestDamagedCheckpoint cuts a file off at every byte and changes every byte.
func TestDamagedCheckpoint(t *testing.T) {
	whole := someCheckpoint(t)
	testkit.Must(ReadCheckpoint(bytes.NewReader(whole)))(t)
	for i := range whole {
		testkit.WantError(t, testkit.ErrorOf(ReadCheckpoint(bytes.NewReader(whole[:i]))), "",
			"the first %d bytes of %d are read as a checkpoint", i, len(whole))
		changed := bytes.Clone(whole)
		changed[i] ^= 4
		testkit.WantError(t, testkit.ErrorOf(ReadCheckpoint(bytes.NewReader(changed))), "",
			"a checkpoint with byte %d changed is read", i)
	}
}

func TestResumeRefuses(t *testing.T) {
	c := testkit.Must(ReadCheckpoint(bytes.NewReader(someCheckpoint(t))))(t)
	testkit.WantError(t, runOf(&counter{seed: 4}, 0).Resume(c), `{"seed":3}`, "of other settings")
	c.Method = "fit"
	testkit.WantError(t, runOf(&counter{seed: 3}, 0).Resume(c), `"fit"`, "of another method")
}

// FuzzReadCheckpoint reads any file, behind a first line that is right as well, and
// wants what is accepted to survive being written and read.
func FuzzReadCheckpoint(f *testing.F) {
	whole := someCheckpoint(f)
	f.Add(whole)
	f.Add([]byte(testkit.Must(safefile.UnmarshalLine(whole))(f)))
	f.Add([]byte(`{"schema":"ur.checkpoint/2"}`))
	f.Add([]byte(`{"schema":"ur.checkpoint/2","games":5,"curve":[{"games":9}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		ReadCheckpoint(bytes.NewReader(file))
		line, err := safefile.MarshalLine(json.RawMessage(file))
		testkit.SkipOn(t, err)
		c, err := ReadCheckpoint(bytes.NewReader(line))
		testkit.SkipOn(t, err)
		var again bytes.Buffer
		testkit.NoError(t, WriteCheckpoint(&again, c))
		back := testkit.Must(ReadCheckpoint(&again))(t)
		testkit.Equal(t, back.Games, c.Games, "games read back")
		testkit.Equal(t, back.Curve, c.Curve, "curve read back")
		runOf(new(counter), 0).Resume(c)
	})
}

// endless is a reader without an end that counts what is read.
type endless int

func (r *endless) Read(p []byte) (int, error) {
	*r += endless(len(p))
	return len(p), nil
}

// A foreign file is refused by its first line, however long it is.
func TestForeignCheckpoint(t *testing.T) {
	for _, first := range []string{"", "\n", "ur.checkpoint/1 20 aa\n",
		`{"crc":"01234567","data":{"schema":"ur.checkpoint/3",`} {
		var read endless
		_, err := ReadCheckpoint(io.MultiReader(strings.NewReader(first), &read))
		testkit.ErrorIf(t, err == nil || read > 1<<16, "%q: %d bytes are read, error %v", first, read, err)
	}
}

// someCurve has two rivals, the name of one of which must be escaped.
func someCurve() Curve {
	return Curve{
		{Games: 0, Seconds: 0.25, Scores: []Score{{Rival: "random", Games: 100, Wins: 20},
			{Rival: "brain:<a>&b", Games: 100}}},
		{Games: 2500, Seconds: 1.5, Scores: []Score{{Rival: "random", Games: 100, Wins: 90},
			{Rival: "brain:<a>&b", Games: 100, Wins: 50}}},
	}
}

func TestCurveCSV(t *testing.T) {
	const want = `games,seconds,rival,match_games,rate,low,high
0,0.250,random,100,0.20000,0.13337,0.28883
0,0.250,brain:<a>&b,100,0.00000,0.00000,0.03699
2500,1.500,random,100,0.90000,0.82563,0.94477
2500,1.500,brain:<a>&b,100,0.50000,0.40383,0.59617
`
	testkit.Equal(t, testkit.Written(t, someCurve().WriteCSV), want, "the curve")
}

// TestCurveSVG wants a line and dots for each rival.
func TestCurveSVG(t *testing.T) {
	for name, curve := range map[string]Curve{"none": nil, "one point": someCurve()[:1], "two": someCurve()} {
		text := testkit.Written(t, func(w io.Writer) error { return curve.WriteSVG(w, "a <title> & more") })
		rivals := curve.countRivals()
		for part, n := range map[string]int{"<polyline": rivals, "<circle": rivals * len(curve), "NaN": 0, "Inf": 0} {
			testkit.Equal(t, strings.Count(text, part), n, "%s: %s for %d rivals in\n%s", name, part, rivals, text)
		}
	}
	svg := testkit.Written(t, func(w io.Writer) error { return someCurve().WriteSVG(w, "") })
	testkit.WantText(t, svg, ">90.0 % random<", ">50.0 % brain:&lt;a&gt;&amp;b<",
		"<title>90.0 % random: 90.0 % (82.6 to 94.5) against random</title>")
}

func TestStatus(t *testing.T) {
	status := Status{Unit: "games", Games: 2500, Elapsed: 1500 * time.Millisecond, Curve: someCurve()[:2]}
	status.Curve[1].Scores[0].Beaten = true
	const want = "1.5s  2500 games  1,666 games/s  90.0 % (82.6 to 94.5) against random, beaten" +
		"  50.0 % (40.4 to 59.6) against brain:<a>&b"
	testkit.Equal(t, status.String(), want, "the status")
}

// TestProvenance wants a brain behind its provenance to be read, whatever a player is
// called.
func TestProvenance(t *testing.T) {
	p := Provenance{Command: "ur train evolve --start brain:a\n1 2 3", Seed: 7, Games: 2500, Commit: "abc",
		Scores: someCurve()[1].Scores}
	const want = `// Learned by: ur train evolve --start brain:a 1 2 3
// Games: 2500 of seed 7
// Commit: abc
// Score: 90.0 % (82.6 to 94.5) against random, 95 % interval, 100 games
// Score: 50.0 % (40.4 to 59.6) against brain:<a>&b, 95 % interval, 100 games
`
	testkit.Equal(t, p.comments(), want, "wrote")
	text, _ := ur.ClassicBrain().MarshalText()
	b, _, err := ur.ReadBrain(strings.NewReader(want + string(text)))
	testkit.NoError(t, err)
	testkit.Equal(t, b, ur.ClassicBrain(), "the brain that is read")
}
