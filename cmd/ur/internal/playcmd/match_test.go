package playcmd

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
)

// An interrupted match must print the games that it finished.
func TestMatchInterrupted(t *testing.T) {
	args := []string{"match", "first", "random", "--games", "1000000000", "--json"}
	for wait := 100 * time.Millisecond; ; wait *= 2 {
		var stdout, stderr bytes.Buffer
		err := program.Run(clitest.CancelAfter(t, wait), args, strings.NewReader(""), &stdout, &stderr)
		if code := program.Report(&stderr, err); code != cli.Interrupted {
			t.Fatalf("exit code %d, want %d: %v", code, cli.Interrupted, err)
		}
		if stdout.Len() == 0 && wait < time.Minute {
			continue // a busy machine finished none
		}
		var r matchReport
		if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
			t.Fatalf("%v in %q", err, stdout.String())
		}
		if r.Games == 0 && wait < time.Minute {
			continue
		}
		if r.Games == 0 || r.Games == 1000000000 || r.Wins[0]+r.Wins[1] != r.Games {
			t.Errorf("the report is of %d games with wins %v", r.Games, r.Wins)
		}
		if stderr.String() != "ur: interrupted\n" {
			t.Errorf("stderr %q", stderr.String())
		}
		return
	}
}
