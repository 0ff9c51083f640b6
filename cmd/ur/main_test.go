package main

import (
	"errors"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/engine"
)

var update = flag.Bool("update", false, "rewrite what the scripts under testdata expect")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ur": main})
}

// TestScripts runs the command line as a user types it. The scripts have one
// command more than testscript's own: "code N ur ..." is exec with the exit code
// that must come of it. The condition [engine:NAME] holds when this build has the
// engine, whether or not it can run here.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           hasEngine,
		Setup:               emptyCache,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": execWithCode},
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
