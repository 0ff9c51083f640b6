package playcmd

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/cli/clitest"
	"github.com/seed-09dcdc84/ur/play"
)

// Ctrl-C must print and save what was finished, and the same command must go on from
// there.
func TestTournamentInterrupted(t *testing.T) {
	folder := t.TempDir()
	args := []string{"tournament", "first", "random", "greedy", "--games", "1000000", "--json", "--out", folder}
	played := int64(0)
	logged := func() int { // lines; the first says what is played
		text, _ := os.ReadFile(filepath.Join(folder, "log.jsonl"))
		return bytes.Count(text, []byte("\n"))
	}
	for range 2 {
		var stdout, stderr bytes.Buffer
		before := max(1, logged())
		err := program.Run(clitest.CancelWhen(t, func() bool { return logged() > before }), args, strings.NewReader(""), &stdout, &stderr)
		if code := program.Report(&stderr, err); code != cli.Interrupted || stderr.String() != "ur: interrupted\n" {
			t.Fatalf("exit code %d, want %d: %v, stderr %q", code, cli.Interrupted, err, stderr.String())
		}
		var r play.TournamentReport
		if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
			t.Fatalf("%v in %q", err, stdout.String())
		}
		if r.Complete || r.Played <= played {
			t.Errorf("complete %v, %d games, before this run %d", r.Complete, r.Played, played)
		}
		played = r.Played
		saved, err := os.ReadFile(filepath.Join(folder, "tournament.json"))
		if err != nil || !bytes.Equal(saved, stdout.Bytes()) {
			t.Errorf("saved %q (%v), printed %q", saved, err, stdout.String())
		}
		page, err := os.ReadFile(filepath.Join(folder, "tournament.html"))
		if err != nil || !bytes.Contains(page, []byte("Not complete: ")) {
			t.Errorf("the page does not say that games are missing (%v)", err)
		}
	}
}
