package tui

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Happened describes a finished turn in a line, as in "● Dark 2: C4-C2, captures ○".
func (s *Style) Happened(t *play.Turn) string {
	return fmt.Sprintf("%s %d: %s", s.Player(t.Side()), t.Roll, s.turnOutcome(t))
}

// Line describes a finished turn in a line with its number, or in a sentence for a screen reader.
func (s *Style) Line(t *play.Turn) string {
	if s.InWords {
		return stepWords(t)
	}
	return s.Numbered(t) + "  " + s.turnOutcome(t)
}

func (s *Style) turnOutcome(t *play.Turn) string {
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
	if t.Rules.RollsAgain(t.Move()) {
		text += ", throws again"
	}
	return text
}

// Thrown is the side of a turn with its roll.
func (s *Style) Thrown(t *play.Turn) string {
	return s.Padded(t.Side()) + "  " + s.Dice(t.Rules, t.Roll) + " " + s.Strong.Render(strconv.Itoa(t.Roll))
}

// Numbered is a turn's number, from 1, its side and its roll.
func (s *Style) Numbered(t *play.Turn) string { return fmt.Sprintf("%4d  %s", t.Number+1, s.Thrown(t)) }

// moveNumber is the number of a move, from 1, marked if it is at the cursor.
func (s *Style) moveNumber(i, cursor int) string {
	if i == cursor {
		return s.Cursor.Render(fmt.Sprintf("[%d]", i+1))
	}
	return s.number.Render(fmt.Sprintf("(%d)", i+1))
}

// Moves lists a turn's moves with their numbers, in lines of a width. The cursor is the index of
// one of them.
func (s *Style) Moves(t *play.Turn, cursor, width int) []string {
	items := make([]string, len(t.Moves))
	for i, m := range t.Moves {
		items[i] = s.moveNumber(i, cursor) + " " + t.Notation(m)
	}
	return Flow(items, width)
}

// Flow puts items beside each other, in as many lines of a width as they need.
func Flow(items []string, width int) (lines []string) {
	for _, item := range items {
		last := len(lines) - 1
		if last < 0 || lipgloss.Width(lines[last]+"  "+item) > width {
			lines = append(lines, item)
		} else {
			lines[last] += "  " + item
		}
	}
	return lines
}

// Value is a move of a turn with the probability to win after it in per cent, exact or estimated, and
// its loss against the best.
func (s *Style) Value(t *play.Turn, i, cursor int, win, regret float64, exact bool) string {
	digits := 1
	if exact {
		digits = 2
	}
	if s.InWords {
		loss := "the best move"
		if regret > 0 {
			loss = fmt.Sprintf("%.*f points less than the best move", digits, 100*regret)
		}
		return fmt.Sprintf("Move %d, %s: %.*f %%, %s", i+1, moveWords(t.Rules, t.Side(), t.Moves[i]),
			digits, 100*win, loss)
	}
	loss := "best"
	if regret > 0 {
		loss = fmt.Sprintf("%+.*f", digits, -100*regret)
	}
	return fmt.Sprintf("%s %-9s %*.*f %%  %s", s.moveNumber(i, cursor), t.Notation(t.Moves[i]),
		4+digits, digits, 100*win, loss)
}

func stepWords(t *play.Turn) string {
	who := fmt.Sprintf("%s throws %d", session.SideNames[t.Side()], t.Roll)
	switch {
	case t.Roll == 0:
		return who + " and passes."
	case t.Passed():
		return who + ", has no legal move and passes."
	}
	return who + ": " + moveWords(t.Rules, t.Side(), t.Move()) + "."
}

// moveWords describes a move, as in "from A3 to B1, captures".
func moveWords(r *board.Rules, side board.Side, m board.Move) string {
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
		words += ", captures a piece of " + session.SideNames[side.Other()]
	}
	if r.IsRosette(int(m.To)) {
		words += ", a rosette"
	}
	if r.RollsAgain(m) {
		words += ", and throws again"
	}
	return words
}

// sideWords lists the places of a side's pieces.
func sideWords(r *board.Rules, p board.Position, side board.Side) string {
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
	return fmt.Sprintf("%s: %d in hand, %s, %d home.", session.SideNames[side], p.Hand(side), where, p.Home(side))
}

// QuestionWords describes a position and its legal moves.
func QuestionWords(t *play.Turn) string {
	side, r, p := t.Side(), t.Rules, t.Position
	var s strings.Builder
	fmt.Fprintf(&s, "%s\n%s\n", sideWords(r, p, side), sideWords(r, p, side.Other()))
	fmt.Fprintf(&s, "%s, you threw %d.\n", session.SideNames[side], t.Roll)
	for i, m := range t.Moves {
		fmt.Fprintf(&s, "%d: %s.\n", i+1, moveWords(r, side, m))
	}
	return s.String()
}
