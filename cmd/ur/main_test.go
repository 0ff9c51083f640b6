package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/cli"
	"github.com/seed-09dcdc84/ur/engine"
)

var update = flag.Bool("update", false, "rewrite what the scripts under testdata expect")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ur": main, "ur-false": mainFalse})
}

// mainFalse is a program whose engine false/scalar miscounts the turns of its games.
func mainFalse() { cli.Main(falseEngine{engine.Oracle()}) }

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

// TestScripts runs the command line as a user types it. The scripts have some
// commands more than testscript's own: "code N ur ..." is exec with the exit code
// that must come of it; "line NAME FILE" waits until there is a line in a file, which a
// command in the background writes, and puts the first into the environment; "until TEXT
// ur ..." runs a command again and again until it prints what the regular expression
// matches. The condition [engine:NAME] holds when this build has the
// engine, whether or not it can run here.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           hasEngine,
		Setup:               emptyCache,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": execWithCode, "line": waitForLine, "until": execUntil,
		},
	})
}

// emptyCache gives a script a home of its own, so that it finds no table of whoever
// runs the tests. On Linux the cache is the folder "cache".
func emptyCache(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
	env.Setenv("LocalAppData", filepath.Join(env.WorkDir, "cache"))
	return nil
}

// hasEngine is the condition [engine:NAME].
func hasEngine(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "engine:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	_, err := engine.Lookup(name)
	return err == nil, nil
}

// execWithCode runs a command and compares its exit code with one or several, as in
// "0,3", where it depends on the machine.
func execWithCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N[,N...] program [args...]")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if !slices.Contains(strings.Split(args[0], ","), strconv.Itoa(got)) {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// patience is how long a script waits for what is done in the background: far longer than
// it takes on a busy machine.
const patience = time.Minute

// waitFor waits until something holds.
func waitFor(ts *testscript.TestScript, what string, holds func() bool) {
	for begin := time.Now(); !holds(); time.Sleep(200 * time.Millisecond) {
		if time.Since(begin) > patience {
			ts.Fatalf("waited in vain for %s", what)
		}
	}
}

// waitForLine puts the first line of a file into the environment as soon as it is there.
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

// execUntil runs a command until it prints what is wanted.
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
