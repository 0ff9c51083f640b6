package playcmd

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
)

// A game that is interrupted while it waits for a human must end at once, and leave
// its record.
func TestPlayInterrupted(t *testing.T) {
	silent, _ := io.Pipe() // nobody ever types
	file := filepath.Join(t.TempDir(), "game.txt")
	var stdout, stderr clitest.Output
	args := []string{"play", "--light", "first", "--dark", "human", "--seed", "1", "--record", file}
	asked := func() bool { return strings.Contains(stdout.String(), "Dark, your move") }
	err := program.Run(clitest.CancelWhen(t, asked), args, silent, &stdout, &stderr)
	if code := cli.ExitCode(err); code != cli.Interrupted {
		t.Errorf("exit code %d, want %d: %v", code, cli.Interrupted, err)
	}
	record, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(record), "\n1 L 3 in-A2 ") || !strings.HasSuffix(string(record), "\nresult unfinished\n") {
		t.Errorf("record:\n%s", record)
	}
}
