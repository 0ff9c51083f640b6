package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	urcli "github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/fleetcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
)

// runUr runs a command line in this process.
func runUr(ctx context.Context, args ...string) (stdout, stderr string, code int) {
	var out, messages bytes.Buffer
	program := urcli.Program()
	code = program.Report(&messages, program.Run(ctx, args, strings.NewReader(""), &out, &messages))
	return out.String(), messages.String(), code
}

// mustRun returns what a command line without a mistake prints.
func mustRun(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, code := runUr(t.Context(), args...)
	if code != 0 {
		t.Fatalf("ur %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// An evaluation answers what it has read before it waits for more, and can be
// interrupted while it waits.
func TestEvalAnswersBeforeItWaits(t *testing.T) {
	stdin, typist := io.Pipe()
	reader, stdout := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- urcli.Program().Run(ctx, []string{"eval", "brain"}, stdin, stdout, io.Discard) }()

	request := testkit.Must(json.Marshal(map[string]any{"board": board.StartPosition(7).Numbers(), "roll": 2}))(t)
	testkit.Must(typist.Write(append(request, '\n')))(t)
	var answer struct {
		Moves []struct{ Value int32 }
	}
	if err := json.NewDecoder(reader).Decode(&answer); err != nil || len(answer.Moves) != 1 {
		t.Errorf("answer %+v, error %v", answer, err)
	}
	cancel()
	testkit.Equal(t, cli.ExitCode(<-done), cli.Interrupted, "exit code")
}

// Parts that cannot take their place are bad usage of every command.
func TestRefusedParts(t *testing.T) {
	kind, learner := play.Kinds()[0], train.Methods()[0]
	program := urcli.Program(engine.Oracle(), nil, kind, learner)
	var stderr bytes.Buffer
	err := program.Run(t.Context(), []string{"engines"}, nil, io.Discard, &stderr)
	testkit.Equal(t, program.Report(&stderr, err), cli.BadUsage, "exit code of %v", err)
	wants := []string{"register <nil>: unknown type"}
	for _, name := range []string{"array16/scalar", kind.Name, learner.Name} {
		wants = append(wants, fmt.Sprintf("name %q is already registered", name))
	}
	testkit.WantText(t, stderr.String(), wants...)
	mustRun(t, "engines")
}

func TestEvalRefusesLongLines(t *testing.T) {
	long := strings.Repeat(" ", cli.MaxLine+1)
	var stdout bytes.Buffer
	err := urcli.Program().Run(t.Context(), []string{"eval", "brain"}, strings.NewReader(long+"\n\n"+long),
		&stdout, io.Discard)
	testkit.Equal(t, cli.ExitCode(err), cli.BadUsage, "exit code of %v", err)
	want := `{"line":1,"error":"the line is longer than 1048576 bytes"}
{"line":3,"error":"the line is longer than 1048576 bytes"}
`
	testkit.Equal(t, stdout.String(), want, "output")
}

// A reader of stdout that has gone away is told nothing, and the exit code is 1.
func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{
		{"play", "--light", "first", "--dark", "first", "--seed", "1"},
		{"play", "--seed", "1"},
		{"match", "first", "random", "--games", "2"},
		{"engines"},
		{"show", "brain"},
		{"version"},
		{"help"},
	} {
		reader, stdout, err := os.Pipe()
		testkit.NoError(t, err)
		reader.Close()
		var stderr bytes.Buffer
		err = urcli.Program().Run(t.Context(), args, strings.NewReader("1\n1\n1\n"), stdout, &stderr)
		stdout.Close()
		if code := urcli.Program().Report(&stderr, err); code != cli.Failure || !errors.Is(err, syscall.EPIPE) ||
			stderr.Len() > 0 {
			t.Errorf("ur %s: exit code %d, error %v, stderr %q", strings.Join(args, " "), code, err, stderr.String())
		}
	}
}

// Helps are read on a terminal of 80 columns. Only an example may be wider: what is to be
// copied cannot be broken.
func TestHelpFitsATerminal(t *testing.T) { checkHelp(t, nil) }

// listed is a command in the list of those below one.
var listed = regexp.MustCompile(`(?m)^  ([a-z]+)  +[A-Z]`)

// checkHelp checks the help of a command, and of those below it.
func checkHelp(t *testing.T, command []string) {
	t.Helper()
	help := mustRun(t, append(slices.Clone(command), "--help")...)
	for line := range strings.SplitSeq(help, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 && !strings.HasPrefix(line, "  echo '{") {
			t.Errorf("ur %s --help has a line of %d columns: %s", strings.Join(command, " "), n, line)
		}
	}
	names := listed.FindAllStringSubmatch(help, -1)
	if len(command) == 0 && len(names) < 10 {
		t.Errorf("ur lists %d commands", len(names))
	}
	for _, name := range names {
		checkHelp(t, append(slices.Clone(command), name[1]))
	}
}

// A test carries no commit, and the checkout that it is run in is none of its business.
func TestVersionTakesNoCommitOfTheWorkingFolder(t *testing.T) {
	if out := mustRun(t, "version"); strings.Contains(out, "\ncommit ") {
		t.Errorf("of a program that was built without a commit:\n%s", out)
	}
}

// The players are listed in one place, and none is missing there.
func TestHelpListsAllPlayers(t *testing.T) {
	list := mustRun(t, "help", "players")
	for _, pattern := range play.Kinds().Patterns() {
		name := pattern.Text
		if !strings.Contains(list, "\n  "+name+" ") && !strings.Contains(list, "\n  "+name+"\n") {
			t.Errorf("ur help players lacks the player %q", name)
		}
	}
	for _, command := range []string{"", "play", "match", "regret"} {
		text := mustRun(t, append(strings.Fields(command), "--help")...)
		if !strings.Contains(text, `"ur help players"`) || strings.Contains(text, "net@PLIES") {
			t.Errorf("ur %s --help does not refer to the one list of players", command)
		}
	}
	for line := range strings.Lines(play.Kinds().Help()) {
		if len(line) > 80 {
			t.Errorf("wider than a terminal: %s", line)
		}
	}
}

// A player that is misspelled is guessed, the human at the keyboard too.
func TestUnknownPlayer(t *testing.T) {
	for _, args := range []string{"match brian random", "play --light humann", "regret brain:clasic --pieces 2",
		"match brain rendom"} {
		_, said, code := runUr(t.Context(), strings.Fields(args)...)
		if code == 0 || !strings.Contains(said, "Did you mean") && !strings.Contains(said, "no such file") {
			t.Errorf("ur %s: exit code %d, %q, want a guess", args, code, said)
		}
		if strings.Contains(said, "unknown player") && !strings.Contains(said, "want one of human, brain, ") {
			t.Errorf("ur %s: %q, want the list of players", args, said)
		}
	}
}

// last is a player as another module has it: it always makes the last legal move.
type last struct{}

func (last) Choose(_ context.Context, t *play.Turn) (int, error) { return len(t.Moves) - 1, nil }

// sleeping is the configuration of a way to learn of another module.
type sleeping struct {
	Seed      uint64      `flag:"seed"`
	DeepSleep int         `flag:"deep-sleep" help:"how deep"`
	Against   play.Player `flag:"against"`
	Ignored   []int
}

var errAsleep = errors.New("asleep")

func (s *sleeping) Learner(context.Context) (train.Learner, error) {
	if s.DeepSleep != 7 || s.Seed != 5 || s.Against.Spec != "fixture" {
		return nil, errors.New("not as the flags set it")
	}
	return nil, errAsleep
}

// inProcess marks the process of TestPartsOfOtherModules that registers: the lists are of the
// whole process.
const inProcess = "UR_TEST_PARTS"

// A player and a way to learn of another module are known to all commands.
func TestPartsOfOtherModules(t *testing.T) {
	if os.Getenv(inProcess) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPartsOfOtherModules$")
		cmd.Env = append(os.Environ(), inProcess+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
		return
	}
	program := urcli.Program(
		play.Kind{
			Name: "fixture", Patterns: []play.Pattern{{Text: "fixture", Help: "always the last legal move"}},
			Parse: func(play.ParseContext, string, string) (play.Player, error) {
				return play.Player{Spec: "fixture", New: func(ur.Engine) (play.Instance, error) { return last{}, nil }},
					nil
			},
		},
		train.Method{Name: "sleep", New: func() train.Config { return new(sleeping) }},
	)
	run := func(args string) (string, error) {
		var out bytes.Buffer
		err := program.Run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, io.Discard)
		return out.String(), err
	}
	for args, want := range map[string]string{
		"match fixture first --games 2 --json": `"players":["fixture","first"]`,
		"help players":                         "always the last legal move",
		"train sleep --help":                   "--deep-sleep int",
	} {
		testkit.WantText(t, testkit.Must(run(args))(t), want)
	}
	_, err := run("train sleep --seed 5 --deep-sleep 7 --against fixture -o " + t.TempDir() + "/learned")
	testkit.WantErrorIs(t, err, errAsleep, "the learner")
}

func TestSelectEngines(t *testing.T) {
	names := func(patterns ...string) string {
		engines, skipped, err := pick.SelectEngines(patterns)
		if err != nil {
			return err.Error()
		}
		var names []string
		for _, e := range engines {
			names = append(names, e.Name())
		}
		for _, s := range skipped {
			names = append(names, "-"+s.Engine)
		}
		return strings.Join(names, " ")
	}
	t.Setenv("UR_DISABLE", "avx512,avx2")
	for _, test := range []struct{ patterns, want string }{
		{"rows/scalar,bits/scalar", "rows/scalar bits/scalar"},
		{"array*/scalar", "array16/scalar array8/scalar"},
		{"rows*", "rows/scalar"},
		{"zero*", "array16/zeroskip"},
		{"*/z*,bits/[st]*", "array16/zeroskip bits/scalar bits/table"},
		{"*/abacus", `--engine: no engine matches "*/abacus" (want one of array16/scalar, `},
	} {
		if got := names(strings.Split(test.patterns, ",")...); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s selects %q, want %q", test.patterns, got, test.want)
		}
	}
	if _, err := engine.Lookup("array16/avx2"); err != nil {
		return // built without it
	}
	testkit.WantText(t, names("array16*"), "-array16/avx2")
	if got, want := names("*avx2"), `--engine: no engine matching "*avx2" runs on this CPU: `; !strings.HasPrefix(got,
		want) {
		t.Errorf("*avx2 selects %q, want %q", got, want)
	}
}

// falseEngine miscounts the turns of its games.
type falseEngine struct{ ur.Engine }

func (falseEngine) Name() string { return "false/scalar" }

func (e falseEngine) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return falseGame{g}, err
}

type falseGame struct{ ur.Game }

func (g falseGame) Games(winners []board.Side, s ur.Series) (ur.Tally, error) {
	tally, err := g.Game.Games(winners, s)
	tally.Turns++
	return tally, err
}

// A worker whose engine differs from the oracle does not begin.
func TestVerify(t *testing.T) {
	testkit.NoError(t, fleetcmd.VerifyEngine(t.Context(), engine.Fastest()))
	testkit.WantError(t, fleetcmd.VerifyEngine(t.Context(), falseEngine{engine.Fastest()}), "",
		"an engine that miscounts turns is let in")
}
