package playcmd

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// The name of a player in a file of puzzles sends nothing to the terminal.
func TestPuzzlePlayersArePlain(t *testing.T) {
	got := chosen(&puzzle.Puzzle{Choices: []puzzle.Choice{{Player: "evil\x1b[2J", Move: "in-A4"}}}, false)
	if strings.ContainsRune(got, '\x1b') || !strings.Contains(got, "evil") {
		t.Errorf("chosen prints %q", got)
	}
}
