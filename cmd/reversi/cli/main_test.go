package cli

import (
	"errors"
	"flag"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts under testdata expect")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"reversi": func() { Program().Main() }})
}

// TestScripts runs the command line as a user types it. "code N reversi ..." is exec with
// the exit code that must come of it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { env.Setenv("UR_PROGRESS", "off"); return nil }, // a slow machine would print more
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": execWithCode, "fleet": startFleet},
	})
}

// execWithCode runs a command and compares its exit code.
func execWithCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [args...]")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}
