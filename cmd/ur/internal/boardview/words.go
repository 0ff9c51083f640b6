package boardview

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/session"
	"github.com/seed-09dcdc84/ur/play"
)

// Happened describes a finished turn in a line, as in "● Dark 2: C4-C2, captures ○".
func (s *Style) Happened(side board.Side, roll int, passed bool, m board.Move) string {
	return s.Player(side) + " " + string(rune('0'+roll)) + ": " + s.Outcome(side, roll, passed, m)
}

// Outcome describes the outcome of a turn.
func (s *Style) Outcome(side board.Side, roll int, passed bool, m board.Move) string {
	switch {
	case roll == 0:
		return "passes"
	case passed:
		return "has no legal move and passes"
	}
	text := m.Notation(side)
	if m.Capture {
		text += ", captures " + s.Pieces(side.Other(), 1)
	}
	if board.IsRosette(int(m.To)) {
		text += ", throws again"
	}
	return text
}

// StepWords describes a finished turn in a sentence, for a screen reader.
func StepWords(t *session.Step) string {
	who := fmt.Sprintf("%s throws %d", SideNames[t.Side()], t.Roll)
	switch {
	case t.Roll == 0:
		return who + " and passes."
	case t.Passed:
		return who + ", has no legal move and passes."
	}
	return who + ": " + MoveWords(t.Side(), t.Move) + "."
}

// MoveWords describes a move, as in "from A3 to B1, captures".
func MoveWords(side board.Side, m board.Move) string {
	words := "from " + board.Tile(side, int(m.From))
	if m.From == board.Start {
		words = "a piece enters"
	}
	if m.To == board.Finish {
		words += " goes home"
	} else if m.From == board.Start {
		words += " on " + board.Tile(side, int(m.To))
	} else {
		words += " to " + board.Tile(side, int(m.To))
	}
	if m.Capture {
		words += ", captures a piece of " + SideNames[side.Other()]
	}
	if board.IsRosette(int(m.To)) {
		words += ", a rosette, and throws again"
	}
	return words
}

// SideWords lists the places of a side's pieces.
func SideWords(p board.Position, side board.Side) string {
	var on []string
	for square := board.Start + 1; square < board.Finish; square++ {
		if p.Count(side, square) == 0 {
			continue
		}
		tile := board.Tile(side, square)
		if square == board.SafeSquare {
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
	side := t.Side()
	var s strings.Builder
	fmt.Fprintf(&s, "Turn %d.\n%s\n%s\n", t.Number+1, SideWords(t.Position, side), SideWords(t.Position, side.Other()))
	fmt.Fprintf(&s, "%s, you threw %d.\n", SideNames[side], t.Roll)
	for i, m := range t.Moves {
		fmt.Fprintf(&s, "%d: %s.\n", i+1, MoveWords(side, m))
	}
	return s.String()
}
