package playcmd

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// A hint that is read aloud has no sign of the notation.
func TestHintsInWords(t *testing.T) {
	_, q, err := valuenet.BuiltinFor(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := board.StartPosition(board.FinkelPieces)
	turn := &play.Turn{Position: p, Roll: 2, Moves: board.Finkel().Moves(nil, p, 2)}
	var spoken strings.Builder
	s := &screen{out: &spoken, paint: boardview.NewStyle(false, false), inWords: true}
	(&adviser{judge: analysis.BySearch(q)}).advise(s, turn)
	_, line, found := strings.Cut(spoken.String(), "Expected, if every roll after this one is a 2: ")
	if !found || !strings.HasPrefix(line, "Light a piece enters on A3; Dark ") || strings.ContainsAny(line, "-*") {
		t.Errorf("the line is spoken as %q in\n%s", line, spoken.String())
	}
}
