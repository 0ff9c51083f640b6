package playcmd

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// The name of a player in a puzzle sends nothing to the terminal.
func TestPuzzlePlayersArePlain(t *testing.T) {
	q := &quiz{style: boardview.NewStyle(false, false)}
	got := q.chosen(&puzzle.Puzzle{Moves: []puzzle.Move{{Move: "in-A4"}}, Choices: []puzzle.Choice{{Player: "evil\x1b[2J", Move: "in-A4"}}})
	if strings.ContainsRune(got, '\x1b') || !strings.Contains(got, "evil") {
		t.Errorf("chosen prints %q", got)
	}
}
