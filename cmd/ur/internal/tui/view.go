package tui

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/session"
)

func (m *model) currentGrid() *Grid {
	turn := m.s.Turn()
	g := &Grid{Style: m.style, Rules: m.s.Rules(), Position: m.s.Position(), Margin: 2, Path: m.path}
	fitTiles(g, m.width, m.height)
	if m.review != nil {
		m.review.markMoves(g)
		return g
	}
	if g.Last = m.lastExchange(); m.isChoosing() {
		g.Moves, g.Cursor = turn.Moves, &turn.Moves[m.cursor]
	}
	return g
}

// lastExchange returns the turns since a person last chose: those of the other side, and their own
// passes. Between two persons, or two players, it is the last turn.
func (m *model) lastExchange() []play.Turn {
	steps, players := m.s.Steps(), m.s.Players()
	one := players[0] != players[1] && (players[0] == session.Person || players[1] == session.Person)
	for i := len(steps) - 1; i >= 0; i-- {
		switch {
		case !one:
			return steps[i:]
		case players[steps[i].Side()] == session.Person && !steps[i].Passed():
			return steps[i+1:]
		}
	}
	return steps
}

// moveLines is the number of lines of the moves: some stay free so the rest of the screen does
// not shift.
func (m *model) moveLines() int {
	if m.hasHints() || m.review != nil || m.s.Phase() == session.Over {
		return 5
	}
	return 2
}

func (m *model) screenParts() parts {
	picked := ""
	if m.review == nil && m.s.Phase() != session.Over {
		picked = "move"
	}
	return parts{m.headLine(), m.statusLine(), m.moveTexts(), m.moveLines(), m.noteLine(), m.footLines(picked, 2)}
}

// headLine shows the players, with their pieces home and captures on the shown board.
func (m *model) headLine() string {
	taken, steps, position := [2]int{}, m.s.Steps(), m.s.Position()
	if m.review != nil {
		steps, position = steps[:m.review.at], m.review.turn.Position
	}
	for _, step := range steps {
		if !step.Passed() && step.Move().Capture {
			taken[step.Side()]++
		}
	}
	var parts []string
	for side := board.Light; side <= board.Dark; side++ {
		half := (m.width - 1) / 2
		counts := fmt.Sprintf(": home %d, took %d", position.Home(side), taken[side])
		name := ansi.Truncate(text.Plain(m.s.Players()[side]), max(4, half-len("o ")-len(counts)-1), m.style.Ellipsis)
		parts = append(parts, lipgloss.PlaceHorizontal(half, lipgloss.Left, m.style.Pieces(side, 1)+" "+name+counts))
	}
	return strings.Join(parts, " ")
}

func (m *model) statusLine() string {
	style, turn := m.style, m.s.Turn()
	switch {
	case m.review != nil:
		return m.review.statusLine(style)
	case m.s.Phase() == session.Over:
		return style.Strong.Render(m.s.ResultText())
	}
	what := "your move"
	switch {
	case m.s.Phase() == session.Passing:
		what = "no move, passes"
	case m.failed != nil:
		what = "cannot play on; l takes another player"
	case m.s.Phase() == session.Thinking:
		what = text.Plain(m.s.Players()[turn.Side()]) + " thinks" + style.Ellipsis
	case m.hasHints() && m.advice != nil:
		what = "your chances to win, " + judgedBy(m.advice.By)
	case m.hasHints():
		what = "looking at the moves" + style.Ellipsis
	}
	return style.Thrown(turn) + "  " + what
}

// moveTexts lists the moves, with their chances if hints are on; after the game, its summary.
func (m *model) moveTexts() []string {
	switch {
	case m.review != nil:
		texts := m.review.explainTurn(m.style)
		return append(append(texts[:1:1], m.valueTexts(true)...), texts[1:]...)
	case m.s.Phase() == session.Over:
		return m.endingTexts()
	case !m.isChoosing():
		return nil
	case m.hasHints() && m.advice != nil:
		return m.valueTexts(true)
	}
	return m.style.Moves(m.s.Turn(), m.cursor, LeastWidth)
}

// onResize fills the list of moves, and scrolls to the shown turn.
func (m *model) onResize() {
	if m.width == 0 {
		return // on lines, or the window size is not known yet
	}
	m.fitWindow()
	var lines []string
	shown := len(m.s.Steps()) - 1
	if m.review != nil {
		shown = m.review.at
	}
	for i := range m.s.Steps() {
		step := &m.s.Steps()[i]
		line := fmt.Sprintf("%3d %s %d %s", step.Number+1, m.style.Pieces(step.Side(), 1), step.Roll, step.Text())
		if !step.Passed() && step.Move().Capture {
			line += " " + m.style.Pieces(step.Side().Other(), 1)
		}
		if m.review != nil {
			line += " " + analysis.Sign(m.review.game.Moves[i].Mark)
			if i == shown {
				line = m.style.Cursor.Render(ansi.Strip(line))
			}
		}
		lines = append(lines, line)
	}
	m.list.SetContentLines(lines)
	m.list.EnsureVisible(max(0, shown), 0, 0)
}

// noteLine is the line above the keys: the error of a player, or the other side's moves.
func (m *model) noteLine() string {
	if m.failed != nil {
		return text.Plain(m.failed.Error())
	}
	steps := m.lastExchange()
	if len(steps) == 0 || m.review != nil || m.s.Phase() == session.Over {
		return ""
	}
	last := &steps[len(steps)-1]
	if m.s.Players()[last.Side()] == session.Person && !last.Passed() {
		return ""
	}
	// The latest turn in words, after the others as short as in the list of moves.
	words := m.style.Happened(last)
	for i := len(steps) - 2; i >= 0; i-- {
		before := fmt.Sprintf("%s %d: %s; ", m.style.Pieces(steps[i].Side(), 1), steps[i].Roll, steps[i].Text())
		if lipgloss.Width(before+words) > m.width-len("... ") {
			return m.style.Ellipsis + " " + words
		}
		words = before + words
	}
	return words
}

// rulesText explains the rules and, where boards are drawn, the notation of moves.
func (m *model) rulesText() string {
	explained := "Bring all pieces home first. Throw, then move one piece so far; a piece goes home by an exact throw. Light walks A4 to A1, B1 to B8, A8, A7 and home, Dark the same with C instead of A. On the shared B1 to B8 you send back what you land on, but not from the rosette B4. A rosette throws again."
	if r := m.s.Rules(); !r.IsFinkel() {
		explained = "The rules of " + r.Title() + ". " + r.Definition().About
	}
	if m.style.InWords {
		return explained + " Type the number of a move or its tiles, as in A3 B1."
	}
	return explained + " A3-B1 moves from A3 to B1, in- from the hand, x captures, * rosette."
}

func (m *model) helpLines() []string {
	if m.width == 0 { // on lines
		return append(strings.Split(text.Wrap(m.rulesText(), "  ", 78), "\n"), "", strings.TrimSuffix(listActions(m.listActions()), "\n"))
	}
	lines := append(strings.Split(text.Wrap(m.rulesText(), "", m.width-1), "\n"), "")
	actions := m.listActions()
	if m.review == nil && m.s.Phase() != session.Over {
		actions = slices.Concat(pickHelp, actions)
	}
	actions = append(actions, action{keys: "pgup", help: "scroll the moves"},
		action{keys: "ctrl+c", help: "leave at once"})
	lines = append(lines, alignActions(actions)...)
	if dice, known := m.s.Dice(); known {
		lines = append(lines, "",
			fmt.Sprintf("%s a side, seed %d, game %d. Any key goes back.", text.Plural(m.s.Setup().Pieces, "piece"),
				dice.Seed, dice.Game))
	}
	return lines
}
