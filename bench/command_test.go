package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// helper is the environment variable that turns the test program into a command to
// measure: it tells what to do.
const helper = "UR_BENCH_TEST_HELPER"

// beHelper does what the variable says, if it is set.
func beHelper() {
	text := os.Getenv(helper)
	switch {
	case text == "":
		return
	case text == "hang":
		time.Sleep(time.Hour)
	case text == "fail":
		fmt.Fprintln(os.Stderr, "first line\nno board")
		os.Exit(7)
	case text == "flood":
		fmt.Print(strings.Repeat("x", 1<<20+1))
	}
	fmt.Print(text)
	os.Exit(0)
}

// helperCommand returns a command that does it, or prints the text.
func helperCommand(t *testing.T, name, text string) experiment.Command {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(helper, text)
	return experiment.Command{Name: name, Args: []string{program}}
}

func TestCommandsAreMeasured(t *testing.T) {
	o := fakeOptions(t, "bits/scalar")
	o.Commands = []experiment.Command{helperCommand(t, "rust", "noise\nBenchmarkGame/x=1 100 40 us/game\nBenchmarkGame/x=1 100 0.00006 s/game\nBenchmarkValue 5 100000 ns/op\n")}
	var last int
	o.Progress = func(p experiment.Progress) { last = p.Done }
	run, err := measure(t.Context(), t, testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if last != 9*o.Count {
		t.Errorf("progress ended at %d, want %d", last, 9*o.Count)
	}
	results := run.results()
	for _, want := range []struct {
		level         Level
		median, ratio float64
	}{{Value, 100_000, 0.5}, {Game, 50, 0.25}} {
		row, ok := run.row("rust", want.level)
		if !ok || row.Median != want.median || row.Ratio != want.ratio || row.Samples != o.Count {
			t.Errorf("%s: row %+v (%v), want median %v, ratio %v", want.level, row, ok, want.median, want.ratio)
		}
	}
	if row, ok := run.row("rust", Turn); ok {
		t.Errorf("row %+v of a level that the command tells nothing of", row)
	}
	var text strings.Builder
	results.WriteText(&text)
	if !strings.Contains(text.String(), "rust             100000        -     50.0      -   20,000   x4.00 ±0.0%") {
		t.Errorf("the ladder has no row of the command:\n%s", text.String())
	}
}

func TestCommandsThatGiveNoFigures(t *testing.T) {
	tests := []struct {
		text string
		want string
	}{
		{"hang", "takes longer than 100ms"},
		{"fail", "exit status 7: no board"},
		{"flood", "prints more than 1048576 bytes"},
		{"hello", "prints no figures"},
		{"BenchmarkMatch 1 9 us/game\n", "prints figures at the level match, but measured is value, turn, game"},
	}
	for _, test := range tests {
		o := fakeOptions(t, "bits/scalar")
		o.Levels = []Level{Value, Turn, Game}
		c := helperCommand(t, "rust", test.text)
		c.Timeout = 10 * time.Second
		if test.text == "hang" {
			c.Timeout = 100 * time.Millisecond
		}
		o.Commands = []experiment.Command{c}
		run, err := measure(t.Context(), t, testWorkload(t), o)
		var wrong *experiment.CommandError
		if run != nil || !errors.As(err, &wrong) || wrong.Name != "rust" || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: run %v, error %v; want %q", test.text, run, err, test.want)
		}
	}
}

// Ctrl-C ends a command that is running, and the run keeps its rounds.
func TestCommandIsInterrupted(t *testing.T) {
	o := fakeOptions(t)
	o.Commands = []experiment.Command{helperCommand(t, "rust", "hang")}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	run, err := measure(ctx, t, testWorkload(t), o)
	if !errors.Is(err, context.Canceled) || run == nil || !run.Interrupted || run.Rounds != 0 {
		t.Errorf("run %+v, error %v; want one without rounds, context.Canceled", run, err)
	}
}

// A command that fails in the middle of a run must not cost the rounds before.
func TestCommandThatFailsLaterKeepsTheRounds(t *testing.T) {
	o := fakeOptions(t, "bits/scalar")
	o.Commands = []experiment.Command{helperCommand(t, "rust", "BenchmarkGame 1 5 us/game\n")}
	o.Progress = func(p experiment.Progress) {
		if p.Phase == experiment.Measuring && p.Done == 2*9 {
			t.Setenv(helper, "fail")
		}
	}
	run, err := measure(t.Context(), t, testWorkload(t), o)
	var wrong *experiment.CommandError
	if !errors.As(err, &wrong) || run == nil || run.Rounds != 2 || !run.Interrupted {
		t.Errorf("run %+v, error %v; want two rounds and that of the command", run, err)
	}
}

func TestParseFigures(t *testing.T) {
	match := func(fields string) string {
		return `{"schema":"ur.match/1","players":["brain:classic","brain:classic"],"ns_per_game":4000,"ns_per_turn":22.5` + fields + `}`
	}
	tests := []struct {
		text string
		want map[Level]float64
		err  string
	}{
		{match(""), map[Level]float64{Game: 4, Turn: 22.5}, ""},
		{match(`,"players":["brain","greedy"],"threads":1`), map[Level]float64{Match: 4, Turn: 22.5}, ""},
		{match(`,"ns_per_turn":0`), map[Level]float64{Game: 4}, ""},
		{match(`,"threads":2`), nil, "plays on 2 threads"},
		{match(`,"ns_per_game":0`), nil, "ns_per_game 0"},
		{match(`,"ns_per_turn":-1`), nil, "ns_per_turn -1"},
		{match("") + match(""), nil, "more than one JSON object"},
		{`{"schema":"ur.bench/1"}`, nil, `schema "ur.bench/1", want ur.match/1`},
		{`{"schema":`, nil, "no JSON object"},
		{"", nil, "prints no figures"},
		{"BenchmarkGame 1 5 ms/game\nBenchmarkGame 1 6 ms/game\nBenchmarkGame 1 9 ms/game\n", map[Level]float64{Game: 6000}, ""},
		{"BenchmarkGame-4 1 5 us/game 200 games/s\nBenchmarkTurn 1 7 ns/turn\n", map[Level]float64{Game: 5, Turn: 7}, ""},
		{"BenchmarkMatch 1 5 us/game\n", map[Level]float64{Match: 5}, ""},
		{"BenchmarkTurn 1 5 ns/op\n", map[Level]float64{Turn: 5}, ""},
		{"BenchmarkOther 1 5 ns/op\n", nil, "prints no figures"},
		{"BenchmarkA 1 5 us/game\nBenchmarkB 1 5 us/game\n", nil, "two benchmarks at the level game, A and B"},
		{"BenchmarkGame 1 0 us/game\n", nil, "want a time above 0"},
		{"BenchmarkGame 1 x us/game\n", nil, "cannot be read"},
	}
	for _, test := range tests {
		f, err := parseFigures([]byte(test.text))
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v, error %v; want %q", test.text, f.times, err, test.err)
			}
			continue
		}
		got := make(map[Level]float64)
		for at, time := range f.times {
			if at.engine != "" {
				t.Errorf("%s: a figure of the engine %s", test.text, at.engine)
			}
			got[at.level] = time
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %v, error %v; want %v", test.text, f.times, err, test.want)
		}
	}
}

// The games of a command that says which it played are compared with our own: games
// 0 to 4, or games 0, 0, 1, 1, 2.
func TestCommandsGamesAreChecked(t *testing.T) {
	game, err := engine.Oracle().New(ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		numbers []uint64
		more    int64 // turns
		want    string
	}{
		{[]uint64{0, 1, 2, 3, 4}, 0, ""},
		{[]uint64{0, 0, 1, 1, 2}, 0, ""},
		{[]uint64{0, 1, 2, 3, 4}, 1, "plays other games than the engines"},
		{[]uint64{0, 0, 0, 1, 1}, 0, "plays other games than the engines"},
	} {
		var tally ur.Tally
		for _, number := range test.numbers {
			one, err := game.Games(nil, ur.Series{Seed: 3, First: number, N: 1})
			if err != nil {
				t.Fatal(err)
			}
			tally.Add(one)
		}
		text := fmt.Sprintf(`{"schema":"ur.match/1","players":["brain:classic","brain:classic"],"ns_per_game":1,"pieces":7,"seed":3,"games":5,"light_wins":%d,"turns":%d}`,
			tally.Wins[board.Light], tally.Turns+test.more)
		f, err := parseFigures([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if note := f.check(); test.want == "" && note != "" || !strings.Contains(note, test.want) {
			t.Errorf("games %v, %d turns more: note %q, want %q", test.numbers, test.more, note, test.want)
		}
	}
}

// What "ur bench run --format benchfmt" prints has several engines at a level: they are
// told apart. The run of such a file can be resumed.
func TestCommandsThatPrintSeveralEngines(t *testing.T) {
	const printed = "pkg: x\nsignature: 1\nBenchmarkGame/board=array16/eval=scalar-4 1 %d us/game 25000 games/s\n" +
		"BenchmarkGame/board=bits/eval=scalar-4 1 %d us/game\nBenchmarkTurn/board=bits/eval=scalar-4 1 %d ns/turn 7 ns/candidate\n"
	o := fakeOptions(t, "bits/scalar")
	old := helperCommand(t, "old/x", "unused")
	new := old
	new.Name = "new"
	program := old.Args[0]
	old.Args = []string{"env", helper + "=" + fmt.Sprintf(printed, 100, 50, 10), program}
	new.Args = []string{"env", helper + "=" + fmt.Sprintf(printed, 100, 40, 11), program}
	if err := old.Find(); err != nil {
		t.Skip(err)
	}
	o.Commands = []experiment.Command{old, new}
	run, err := measure(t.Context(), t, testWorkload(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if row, ok := run.row("new.bits/scalar", Game); !ok || row.Median != 40 {
		t.Errorf("row %+v (%v), want 40", row, ok)
	}
	if row, ok := run.row("old.x.array16/scalar", Game); !ok || row.Median != 100 {
		t.Errorf("row %+v (%v), want 100", row, ok)
	}
	again := Selection{Commands: o.Commands}
	if err := again.Resume(enginesSuite(), &experiment.Saved{Names: []string{"Game/board=new.bits/eval=scalar", "Game/board=old.x.bits/eval=scalar"}}); err != nil {
		t.Error(err)
	}
	again.Commands = again.Commands[:1]
	if err := again.Resume(enginesSuite(), &experiment.Saved{Names: []string{"Game/board=new.bits/eval=scalar"}}); err == nil {
		t.Error("goes on without the command new")
	}
}

func TestPrintedEnginesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"BenchmarkGame/board=a/eval=b-4 1 5 us/game\nBenchmarkGame/x=y-4 1 5 us/game\n":             "two benchmarks at the level game, Game/board=a/eval=b-4 and Game/x=y-4",
		"BenchmarkGame/board=a/eval=b-4 1 5 us/game\nBenchmarkGame/board=a/eval=b-8 1 5 us/game\n":  "a/b on different numbers of threads",
		"BenchmarkValue/board=a/eval=b-4 1 5 us/game\nBenchmarkGame/board=a/eval=b-4 1 5 us/game\n": "two benchmarks at the level game",
	} {
		if _, err := parseFigures([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

func FuzzParseFigures(f *testing.F) {
	f.Add("BenchmarkGame-4 1 5 us/game 200 games/s\n")
	f.Add(`{"schema":"ur.match/1","players":["brain:classic","brain:classic"],"ns_per_game":4000,"ns_per_turn":22.5,"threads":1}`)
	f.Add("Unit us/game better=lower\nBenchmarkTurn 1 5e-300 ns/op\n")
	f.Fuzz(func(t *testing.T, text string) {
		figures, err := parseFigures([]byte(text))
		if err == nil && len(figures.times) == 0 {
			t.Error("no error and no figures")
		}
		for at, time := range figures.times {
			if !experiment.IsTime(time) {
				t.Errorf("time %v at the level %s", time, at.level)
			}
		}
	})
}
