package cli

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

func TestMain(m *testing.M) {
	testscript.Main(sandbox.Wrap(m), map[string]func(){"reversi": func() { Program().Main() }})
}

// TestScripts runs the command line as a user types it. "code N reversi ..." is exec with
// the exit code that must come of it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *testkit.Update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { env.Setenv("UR_PROGRESS", "off"); return nil }, // a slow machine would print more
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"code": clitest.ExecWithCode, "full": clitest.ExecOnFullDisk, "fleet": startFleet},
	})
}
