package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/cmd/internal/clitest"
	urcli "github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet/fleettest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// TestMain lets the tests start "ur", a NATS server and a player as processes, which are the test binary itself.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "4")
	testscript.Main(testkit.Wrap(m), map[string]func(){"ur": main, "nats-server": natsServer, "bot": bot})
}

// natsServer is the program "nats-server STORE ADDRESS".
func natsServer() {
	if _, err := fleettest.Start(os.Args[1], os.Args[2]); err != nil {
		panic(err)
	}
	select {}
}

// bot is a player that always makes the first move.
func bot() {
	for positions := bufio.NewScanner(os.Stdin); positions.Scan(); {
		fmt.Println(`{"move":0}`)
	}
}

// TestScripts runs the scripts under testdata/script, which use the command line as a user does. The
// scripts have these commands besides those of testscript: "code N ur ..." is exec with the exit
// code N; "full ur ..." is exec on a full disk; "line NAME FILE" waits for a line in a file, which a
// command in the background writes, and sets an environment variable to the first; "until TEXT ur ..."
// repeats a command until its output matches a regular expression; "nats NAME [TOKEN]" runs a NATS server. The condition
// [engine:NAME] holds if this build has the engine, whether or not it can run on this CPU, and [long] with UR_LONG.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *testkit.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           holds,
		Setup:               emptyCache,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": clitest.ExecWithCode, "full": clitest.ExecOnFullDisk, "line": waitForLine,
			"until": execUntil, "nats": fleettest.Script,
		},
	})
}

// emptyCache gives a script an empty home, so that it finds no table of the user who runs the
// tests. On Linux the cache is the folder "cache".
func emptyCache(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("UR_PROGRESS", "off") // a slow machine would print more
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
	env.Setenv("LocalAppData", filepath.Join(env.WorkDir, "cache"))
	return nil
}

// holds reports whether a condition of scripts holds.
func holds(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "engine:")
	if !ok {
		return clitest.HoldsLong(condition)
	}
	_, err := engine.Lookup(name)
	return err == nil, nil
}

// patience limits the wait for work in the background: far longer than it takes on a busy machine.
const patience = 4 * time.Minute

// waitFor waits until a condition holds.
func waitFor(ts *testscript.TestScript, condition string, holds func() bool) {
	for begin := time.Now(); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Since(begin) > patience {
			ts.Fatalf("%s: not within %v", condition, patience)
		}
	}
}

// waitForLine sets an environment variable to the first line of a file once there is one.
func waitForLine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: line NAME FILE")
	}
	waitFor(ts, "a line in "+args[1], func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[1]))
		line, _, whole := strings.Cut(string(text), "\n")
		if err == nil && whole {
			ts.Setenv(args[0], line)
		}
		return err == nil && whole
	})
}

// execUntil repeats a command until its output matches.
func execUntil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until TEXT program [args...]")
	}
	want := regexp.MustCompile("(?m)" + args[0])
	waitFor(ts, args[0]+" from "+strings.Join(args[1:], " "), func() bool {
		ts.Check(ts.Exec(args[1], args[2:]...))
		return want.MatchString(ts.ReadFile("stdout"))
	})
}

func TestWrongInputs(t *testing.T) { clitest.WrongInputs(t, urcli.Program(), "testdata/wrong.txt") }

// Three wrong values of every flag are refused.
func TestWrongValues(t *testing.T) {
	clitest.WrongValues(t, urcli.Program(), map[string]string{
		"":      "play --light first --dark first --seed 1 --pieces 1 --record GAMES.jsonl",
		"match": "first random --games 2", "analyze": "GAMES.jsonl", "show": "GAMES.jsonl",
		"convert": "GAMES.jsonl out.rgn", "check": "GAMES.jsonl",
		"eval": "net", "regret": "random", "book build": "net", "book learn": "NONE GAMES.jsonl",
		"solve": "--pieces 1 --force", "bench run --bench": "--level value",
	}, "match --out", "serve --host", "serve --export")
}

// The commands and their flags are those of the reference: a new one needs a line there, and a reason
// why no other does it already.
func TestTree(t *testing.T) { clitest.Tree(t, urcli.Program(), "testdata/tree.txt") }
