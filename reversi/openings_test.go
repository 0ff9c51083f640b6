package reversi

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// Every opening is legal, and has a name and a position of its own.
func TestOpenings(t *testing.T) {
	for line := range strings.Lines(openings) {
		moves, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		r := testkit.Must(board.ParseRecord(board.StartPosition(), moves))(t)
		testkit.Equal(t, Opening(r), name, "%s: name", moves)
	}
	testkit.Equal(t, len(openingNames()), strings.Count(openings, "\n"), "positions with a name")
}

// A name holds for symmetric games and until another opening begins.
func TestOpeningOfAGame(t *testing.T) {
	for moves, want := range map[string]string{
		"": "", "f5": "", "f5d6": "Perpendicular", "f5f6": "Diagonal", "f5f4": "Parallel", "c4c3d3c5d6f4f5e6f6": "Landau",
		"f5d6c3d3c4": "Tiger", "f5d6c3d3c4f4": "Tiger", "e6f4c3c4d3": "Tiger",
	} {
		testkit.Equal(t, Opening(testkit.Must(board.ParseRecord(board.StartPosition(), moves))(t)), want, "%q: name", moves)
	}
}
