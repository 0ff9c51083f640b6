package playcmd

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// The best hint must be the move that the brain itself makes, for either side.
func TestHintsAgreeWithTheBrain(t *testing.T) {
	brain := play.Brain{Spec: "brain", Weights: ur.DefaultBrain()}
	seat, err := brain.Sit(engine.Oracle())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range engine.EdgePositions() {
		for roll := range board.MaxRoll + 1 {
			turn := &play.Turn{Position: p, Roll: roll, Moves: p.Moves(nil, roll)}
			if len(turn.Moves) == 0 {
				continue
			}
			choice, err := seat.Choose(t.Context(), turn)
			if err != nil {
				t.Fatal(err)
			}
			var drawn strings.Builder
			adviser{brain: brain}.advise(t.Context(), &screen{out: &drawn, paint: boardview.NewStyle(false, false)}, turn)
			for i, line := range strings.Split(strings.TrimSpace(drawn.String()), "\n")[1:] {
				if strings.HasSuffix(line, "best") != (i == choice) {
					t.Errorf("%s, roll %d: the brain plays move %d:\n%s", p, roll, choice+1, drawn.String())
				}
			}
		}
	}
}

// A hint of a search, read aloud, has no sign of the notation.
func TestSearchHintsInWords(t *testing.T) {
	player, err := play.ParsePlayer("search:depth=3")
	if err != nil {
		t.Fatal(err)
	}
	look := player.(play.Search)
	searcher, err := look.Searcher(board.MaxPieces)
	if err != nil {
		t.Fatal(err)
	}
	p := board.StartPosition(board.MaxPieces)
	turn := &play.Turn{Position: p, Roll: 2, Moves: p.Moves(nil, 2)}
	var spoken strings.Builder
	s := &screen{out: &spoken, paint: boardview.NewStyle(false, false), inWords: true}
	adviser{search: look, looker: searcher}.advise(t.Context(), s, turn)
	_, line, found := strings.Cut(spoken.String(), "Expected, if every roll after this one is a 2: ")
	if !found || !strings.HasPrefix(line, "Light a piece enters on A3; Dark ") || strings.ContainsAny(line, "-*") {
		t.Errorf("the line is spoken as %q in\n%s", line, spoken.String())
	}
}
