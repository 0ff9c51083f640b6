package playcmd

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
)

// Colour must add nothing but colour: without its escape codes the board is the
// plain one.
func TestBoardInColor(t *testing.T) {
	escape := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, p := range engine.EdgePositions() {
		for roll := range board.MaxRoll + 1 {
			moves := p.Moves(nil, roll)
			plain := newGrid(newPalette(false), p, moves).String()
			colored := newGrid(newPalette(true), p, moves).String()
			if escape.MatchString(plain) || !escape.MatchString(colored) || escape.ReplaceAllString(colored, "") != plain {
				t.Fatalf("%s, roll %d:\n%s%s", p, roll, colored, plain)
			}
			checkBoard(t, p, moves, plain)
		}
	}
}

// checkBoard checks that every piece and every move of a position is drawn, in 11
// lines of one width.
func checkBoard(t *testing.T, p board.Position, moves []board.Move, drawn string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(drawn, "\n"), "\n")
	for _, line := range lines[1:] {
		if len(lines) != 11 || len([]rune(line)) != 68 {
			t.Fatalf("%d lines, one of them %d wide:\n%s", len(lines), len([]rune(line)), drawn)
		}
	}
	for side, glyph := range glyphs {
		if n := strings.Count(drawn, glyph); n != p.Pieces() {
			t.Errorf("%s has %d pieces drawn, want %d:\n%s", board.Side(side), n, p.Pieces(), drawn)
		}
	}
	if n := strings.Count(drawn, "✿"); n != 5 {
		t.Errorf("%d rosettes:\n%s", n, drawn)
	}
	for i := range board.MaxMoves {
		number := "(" + string(rune('1'+i)) + ")"
		if got := strings.Count(drawn, number) == 1; got != (i < len(moves)) {
			t.Errorf("%s, %d moves: %s is drawn %d times:\n%s", p, len(moves), number, strings.Count(drawn, number), drawn)
		}
	}
}

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
			adviser{brain: brain}.advise(t.Context(), &screen{out: &drawn, paint: newPalette(false)}, turn)
			for i, line := range strings.Split(strings.TrimSpace(drawn.String()), "\n")[1:] {
				if strings.HasSuffix(line, "best") != (i == choice) {
					t.Errorf("%s, roll %d: the brain plays move %d:\n%s", p, roll, choice+1, drawn.String())
				}
			}
		}
	}
}
