package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
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
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
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
	testkit.FatalIf(t, code != 0, "ur %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	return stdout
}

// An evaluation answers what it has read before it waits for more, and can be interrupted while it waits.
func TestEvalAnswersBeforeItWaits(t *testing.T) {
	stdin, typist := io.Pipe()
	reader, stdout := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- urcli.Program().Run(ctx, []string{"eval", "brain"}, stdin, stdout, io.Discard) }()

	request := testkit.Must(json.Marshal(map[string]any{"board": board.StartPosition(7).Numbers(), "roll": 2}))(t)
	testkit.Must(typist.Write(append(request, '\n')))(t)
	var answer struct{ Moves []struct{ Value int32 } }
	testkit.NoError(t, json.NewDecoder(reader).Decode(&answer))
	testkit.Equal(t, len(answer.Moves), 1, "moves in the answer %+v", answer)
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
	const want = `,"error":"the line is longer than 1048576 bytes"}` + "\n"
	testkit.Equal(t, stdout.String(), `{"line":1`+want+`{"line":3`+want, "output")
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
		testkit.NoError(t, errors.Join(err, reader.Close()))
		var stderr bytes.Buffer
		err = urcli.Program().Run(t.Context(), args, strings.NewReader("1\n1\n1\n"), stdout, &stderr)
		stdout.Close()
		testkit.WantErrorIs(t, err, syscall.EPIPE, "ur %q", args)
		testkit.Equal(t, urcli.Program().Report(&stderr, err), cli.ClosedPipe, "exit code of ur %q", args)
		testkit.Equal(t, stderr.String(), "", "stderr of ur %q", args)
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
		testkit.ErrorIf(t, utf8.RuneCountInString(line) > 80 && !strings.HasPrefix(line, "  echo '{"),
			"ur %q --help has a line of more than 80 columns: %s", command, line)
	}
	names := listed.FindAllStringSubmatch(help, -1)
	testkit.ErrorIf(t, len(command) == 0 && len(names) < 10, "ur lists %d commands", len(names))
	for _, name := range names {
		checkHelp(t, append(slices.Clone(command), name[1]))
	}
}

// The players are listed in one place, and none is missing there.
func TestHelpListsAllPlayers(t *testing.T) {
	list := mustRun(t, "help", "players")
	for _, pattern := range play.Kinds().Patterns() {
		name := pattern.Text
		testkit.ErrorIf(t, !strings.Contains(list, "\n  "+name+" ") && !strings.Contains(list, "\n  "+name+"\n"),
			"ur help players lacks the player %q", name)
	}
	for _, command := range []string{"", "play", "match", "regret"} {
		text := mustRun(t, append(strings.Fields(command), "--help")...)
		testkit.ErrorIf(t, !strings.Contains(text, `"ur help players"`) || strings.Contains(text, "net@PLIES"),
			"ur %s --help does not refer to the one list of players", command)
	}
	for line := range strings.Lines(play.Kinds().Help()) {
		testkit.ErrorIf(t, len(line) > 80, "wider than a terminal: %s", line)
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

// inProcess marks the process of TestPartsOfOtherModules that registers: the lists are of the whole process.
const inProcess = "UR_TEST_PARTS"

// A player and a way to learn of another module are known to all commands.
func TestPartsOfOtherModules(t *testing.T) {
	if os.Getenv(inProcess) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPartsOfOtherModules$")
		cmd.Env = append(os.Environ(), inProcess+"=1")
		testkit.Run(t, cmd)
		return
	}
	program := urcli.Program(
		play.Kind{
			Name: "fixture", Patterns: []play.Pattern{{Text: "fixture", Help: "always the last legal move"}},
			Parse: func(play.ParseContext, string, string) (play.Player, error) {
				choose := func(ur.Engine) (play.Instance, error) { return last{}, nil }
				return play.Player{Spec: "fixture", New: choose}, nil
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
		got := names(strings.Split(test.patterns, ",")...)
		testkit.ErrorIf(t, !strings.HasPrefix(got, test.want), "%s selects %q, want %q", test.patterns, got, test.want)
	}
	if _, err := engine.Lookup("array16/avx2"); err != nil {
		return // built without it
	}
	testkit.WantText(t, names("array16*"), "-array16/avx2")
	got, want := names("*avx2"), `--engine: no engine matching "*avx2" runs on this CPU: `
	testkit.ErrorIf(t, !strings.HasPrefix(got, want), "*avx2 selects %q, want %q", got, want)
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

// TestCheckDamagedTables damages tables of every encoding, with UR_LONG of more than one size. A damage that
// "ur check --residual" accepts changes nothing, or of a .rgu, which has no checksums, values by less than
// twice the tolerance and the description in the header.
func TestCheckDamagedTables(t *testing.T) {
	for _, encoding := range []solve.Encoding{solve.Compact, solve.Float64, solve.RGUPercent16,
		solve.RGUFloat32, solve.RGUFloat64} {
		for pieces := 1; pieces <= testkit.Trials(1, 2); pieces++ {
			t.Run(fmt.Sprintf("%s/pieces=%d", encoding, pieces), func(t *testing.T) {
				testDamagedTable(t, encoding, pieces)
			})
		}
	}
}

func testDamagedTable(t *testing.T, encoding solve.Encoding, pieces int) {
	name := filepath.Join(t.TempDir(), "table."+encoding.Format())
	options := solve.WriteOptions{Encoding: encoding, Meta: json.RawMessage(`{"author":"a test"}`)}
	testkit.NoError(t, solvetest.Table(t, pieces).Write(t.Context(), name, options))
	whole := testkit.Must(os.ReadFile(name))(t)
	values, meta := readTable(t, name)
	refused, reported := errors.New("refused"), errors.New("without a checksum")
	read := func(file []byte) (changed bool, err error) {
		testkit.NoError(t, os.WriteFile(name, file, 0o666))
		switch _, stderr, code := runUr(t.Context(), "check", "--residual", name); code {
		case 0:
		case cli.BadUsage:
			return false, refused
		default:
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		got, gotMeta := readTable(t, name)
		difference := 0.0
		for i, v := range got {
			difference = max(difference, math.Abs(v-values[i]))
		}
		if len(got) != len(values) || difference > 2*encoding.Residual() {
			return true, nil
		}
		changed = difference != 0 || gotMeta != meta || !slices.Equal(got, values)
		if changed && encoding.Format() == "rgu" {
			err = reported
		}
		return changed, err
	}
	testkit.TryDamage(t, encoding.String(), whole, false, read)
	if encoding.Format() != "rgu" {
		return
	}
	for name, test := range map[string]struct {
		file []byte
		want error
	}{
		"another author":           {bytes.Replace(whole, []byte("a test"), []byte("a pest"), 1), reported},
		"other rules":              {bytes.Replace(whole, []byte("bell"), []byte("ball"), 1), refused},
		"rules without their name": {bytes.Replace(whole, []byte("paths"), []byte("patks"), 1), refused},
	} {
		testkit.WantErrorIs(t, testkit.ErrorOf(read(test.file)), test.want, "%s", name)
	}
}

// readTable returns the values and the description of a table.
func readTable(t *testing.T, name string) (values []float64, meta string) {
	t.Helper()
	table := testkit.Must(solve.Open(name, board.Finkel()))(t)
	defer table.Close()
	for rank := range table.Index().Positions(table.Pieces()) {
		values = append(values, table.At(rank))
	}
	return values, string(table.Info().Meta)
}
