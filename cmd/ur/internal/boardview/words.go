package boardview

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
)

// Happened describes a finished turn in a line, as in "● Dark 2: C4-C2, captures ○".
func (s *Style) Happened(t *play.Turn) string {
	return fmt.Sprintf("%s %d: %s", s.Player(t.Side()), t.Roll, s.Outcome(t))
}

// Outcome describes the outcome of a turn.
func (s *Style) Outcome(t *play.Turn) string {
	switch {
	case t.Roll == 0:
		return "passes"
	case t.Passed():
		return "has no legal move and passes"
	}
	text := t.Text()
	if t.Move().Capture {
		text += ", captures " + s.Pieces(t.Side().Other(), 1)
	}
	if t.Set().RollsAgain(t.Move()) {
		text += ", throws again"
	}
	return text
}

// StepWords describes a finished turn in a sentence, for a screen reader.
func StepWords(t *play.Turn) string {
	who := fmt.Sprintf("%s throws %d", SideNames[t.Side()], t.Roll)
	switch {
	case t.Roll == 0:
		return who + " and passes."
	case t.Passed():
		return who + ", has no legal move and passes."
	}
	return who + ": " + MoveWords(t.Set(), t.Side(), t.Move()) + "."
}

// MoveWords describes a move, as in "from A3 to B1, captures".
func MoveWords(r *board.Rules, side board.Side, m board.Move) string {
	words := "from " + r.Tile(side, int(m.From))
	if m.From == board.Start {
		words = "a piece enters"
	}
	switch {
	case int(m.To) == r.Finish():
		words += " goes home"
	case m.From == board.Start:
		words += " on " + r.Tile(side, int(m.To))
	default:
		words += " to " + r.Tile(side, int(m.To))
	}
	if m.Capture {
		words += ", captures a piece of " + SideNames[side.Other()]
	}
	if r.IsRosette(int(m.To)) {
		words += ", a rosette"
	}
	if r.RollsAgain(m) {
		words += ", and throws again"
	}
	return words
}

// SideWords lists the places of a side's pieces.
func SideWords(r *board.Rules, p board.Position, side board.Side) string {
	var on []string
	for square := 1; square <= r.Squares(); square++ {
		if r.Count(p, side, square) == 0 {
			continue
		}
		tile := r.Tile(side, square)
		if r.IsSafe(square) {
			tile += " (safe)"
		}
		on = append(on, tile)
	}
	where := "none on the board"
	if len(on) > 0 {
		where = "on " + strings.Join(on, ", ")
	}
	return fmt.Sprintf("%s: %d in hand, %s, %d home.", SideNames[side], p.Hand(side), where, p.Home(side))
}

// QuestionWords describes a position and its legal moves.
func QuestionWords(t *play.Turn) string {
	side, r, p := t.Side(), t.Set(), t.Position
	var s strings.Builder
	fmt.Fprintf(&s, "Turn %d.\n%s\n%s\n", t.Number+1, SideWords(r, p, side), SideWords(r, p, side.Other()))
	fmt.Fprintf(&s, "%s, you threw %d.\n", SideNames[side], t.Roll)
	for i, m := range t.Moves {
		fmt.Fprintf(&s, "%d: %s.\n", i+1, MoveWords(r, side, m))
	}
	return s.String()
}
