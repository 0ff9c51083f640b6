package playcmd

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}

// TestMain lets tests start the program as "ur": the test binary itself.
func TestMain(m *testing.M) { testscript.Main(sandbox.Wrap(m), map[string]func(){"ur": program.Main}) }
