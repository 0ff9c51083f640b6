package cli

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli"
)

// No machine has half of what 64 bits can address; each has 128 bytes.
func TestTablesFitIntoMemory(t *testing.T) {
	if err := checkMemory("table", 1, 64); err != nil {
		t.Error(err)
	}
	err := checkMemory("table", 62, 2)
	if err == nil || !strings.HasPrefix(err.Error(), "--table 62: a table of 8796093022208 MiB exceeds the memory of ") {
		t.Fatalf("%v", err)
	}
	if code := cli.ExitCode(err); code != cli.BadUsage {
		t.Errorf("exit code %d, want %d", code, cli.BadUsage)
	}
}
