package solvecmd

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/internal/cli"
)

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}

// The tests may run "ur" as a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ur": program.Main})
}
