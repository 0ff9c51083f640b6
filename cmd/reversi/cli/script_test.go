package cli

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/cmd/internal/clitest"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

func TestMain(m *testing.M) {
	testscript.Main(testkit.Wrap(m), map[string]func(){"reversi": func() { Program().Main() }})
}

// TestScripts runs the command line as a user types it. "code N reversi ..." is exec with
// the exit code that must come of it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *testkit.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           clitest.HoldsLong,
		Setup:               func(env *testscript.Env) error { env.Setenv("UR_PROGRESS", "off"); return nil }, // a slow machine would print more
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": clitest.ExecWithCode, "full": clitest.ExecOnFullDisk, "fleet": startFleet},
	})
}

// startFleet runs a fleet with one worker until the script ends, and puts its address into the environment.
// This process and the commands of the script are one program, so their version is the same.
func startFleet(ts *testscript.TestScript, neg bool, args []string) {
	fleettest.Script(ts, neg, args)
	ctx, cancel := context.WithCancel(context.Background())
	conn, err := fleet.Dial(ctx, fleet.DialConfig{URL: ts.Getenv(args[0])})
	ts.Check(err)
	cache := ts.MkAbs("cache")
	var working sync.WaitGroup
	working.Go(func() {
		err := conn.Work(ctx, fleet.WorkConfig{
			Code: work.CodeVersion(), Name: "worker", Kinds: work.Kinds(engine.Fastest()), Parallel: 1, Cache: cache,
		})
		if err != nil {
			ts.Logf("worker: %v", err)
		}
	})
	ts.Defer(func() { cancel(); working.Wait(); conn.Close() })
}

const page = "../../../docs/reversi.md"

// Blocks of the page that are marked "reversi" are run: behind "$ " stands a command, and below it what it
// prints; "..." stands for anything, at the end of a line or on a line of its own.
func TestPageSaysWhatCommandsPrint(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```reversi\n(.*?)```").FindAllStringSubmatch(testkit.ReadText(t, page), -1)
	testkit.FatalIf(t, len(blocks) == 0, "no block to run")
	for _, b := range blocks {
		for _, part := range strings.Split("\n"+b[1], "\n$ ")[1:] {
			command, want, _ := strings.Cut(part, "\n")
			got := execute(t, command)
			testkit.ErrorIf(t, !regexp.MustCompile(pattern(want)).MatchString(got),
				"$ %s\nprints\n%s\nthe page says\n%s", command, got, want)
		}
	}
}

// pattern makes a regular expression of what a page says.
func pattern(want string) string {
	quoted := regexp.QuoteMeta(strings.TrimSuffix(want, "\n"))
	return `(?s)^` + strings.ReplaceAll(quoted, `\.\.\.`, `.*`) + `\n?$`
}

// execute runs a command, whose input may be an echo in front of it.
func execute(t *testing.T, command string) string {
	input := ""
	if before, after, ok := strings.Cut(command, " | "); ok {
		input = strings.Trim(strings.TrimPrefix(before, "echo "), `"`) + "\n"
		command = after
	}
	args, ok := strings.CutPrefix(command, "reversi ")
	testkit.FatalIf(t, !ok, "%q is no command of reversi", command)
	var out bytes.Buffer
	err := Program().Run(context.Background(), strings.Fields(args), strings.NewReader(input), &out, &out)
	testkit.ErrorIf(t, err != nil, "$ %s: %v", command, err)
	return out.String()
}

// The commands and their flags are those of the reference.
func TestTree(t *testing.T) { clitest.Tree(t, Program(), "testdata/tree.txt") }

func TestWrongInputs(t *testing.T) { clitest.WrongInputs(t, Program(), "testdata/wrong.txt") }

// Three wrong values of every flag are refused.
func TestWrongValues(t *testing.T) {
	clitest.WrongValues(t, Program(), map[string]string{
		"":      "play --black greedy --white random --seed 1 --record GAME.txt",
		"match": "greedy random --games 2", "perft": "1", "eval": "greedy", "book build": "x.book",
		"book learn": "GAME.txt GAME.txt", "protocol": "gtp", "train": "-o x.bin --games 1",
	}, "match --out")
}

// A value of --engine needs a protocol, and a program that is there.
func TestCommandsOfPrograms(t *testing.T) {
	for text, want := range map[string]string{
		"": "(want gtp:COMMAND)", "edax": "(want gtp:COMMAND)", "nboard:true": "(want gtp:COMMAND)",
		"gtp:": `invalid program "gtp:": `, "gtp:'x": `invalid program "gtp:'x": `,
		"gtp:no-such-program-here": `program "gtp:no-such-program-here": `,
	} {
		testkit.WantError(t, testkit.ErrorOf(parseCommand(text)), want, "%q", text)
	}
}
