package docs

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The player in Python, of at most 40 lines, plays the games of greedy.
func TestPlayerInPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip(err)
	}
	code := regexp.MustCompile("(?s)```python\n(.*?)```").FindStringSubmatch(readPage(t, "docs/matches.md"))
	if code == nil || strings.Count(code[1], "\n") > 40 {
		t.Fatal("no player in Python, or one of more than 40 lines")
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "greedy.py"), code[1])
	games := "40"
	if testkit.Long() {
		games = "1000"
	}
	lines := func(player string) []string {
		record := filepath.Join(folder, "games.jsonl")
		run(t, folder, "ur match "+player+" random --games "+games+" --force --record "+record)
		turns := regexp.MustCompile(`"turns":"[^"]*","result":"[^"]*"`)
		return turns.FindAllString(run(t, folder, "cat "+record), -1)
	}
	got, want := lines("'exec:python3 greedy.py'"), lines("greedy")
	if strings.Join(got, "\n") != strings.Join(want, "\n") || len(want) < 40 {
		t.Errorf("%d games differ from %d of greedy", len(got), len(want))
	}
}
