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
