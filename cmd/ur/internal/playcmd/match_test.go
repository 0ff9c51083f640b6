package playcmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// An interrupted match must print the games that it finished.
func TestMatchInterrupted(t *testing.T) {
	t.Setenv("UR_PROGRESS", "off") // a slow machine would print more
	var stdout, stderr bytes.Buffer
	log := filepath.Join(t.TempDir(), "log")
	args := []string{"match", "first", "random", "--games", "1000000000", "--json", "--out", log}
	playing := func() bool {
		text, err := os.ReadFile(filepath.Join(log, "log.jsonl"))
		return err == nil && bytes.Count(text, []byte("\n")) > 5
	}
	err := program.Run(clitest.CancelWhen(t, playing), args, strings.NewReader(""), &stdout, &stderr)
	if code := program.Report(&stderr, err); code != cli.Interrupted {
		t.Fatalf("exit code %d, want %d: %v", code, cli.Interrupted, err)
	}
	var r matchReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatalf("%v in %q", err, stdout.String())
	}
	if r.Games == 0 || r.Games == 1000000000 || r.Wins[0]+r.Wins[1] != r.Games {
		t.Errorf("the report is of %d games with wins %v", r.Games, r.Wins)
	}
	if stderr.String() != "ur: interrupted\n" {
		t.Errorf("stderr %q", stderr.String())
	}
}

// program has the commands of this package alone.
var program = cli.Program{Name: "ur", Commands: Commands}

// TestMain lets tests start the program as "ur": the test binary itself.
func TestMain(m *testing.M) { testscript.Main(sandbox.Wrap(m), map[string]func(){"ur": program.Main}) }
