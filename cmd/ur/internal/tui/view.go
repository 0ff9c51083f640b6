package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/session"
)

// The smallest window for the interface on the board of Finkel's rules.
const (
	LeastWidth  = 60
	LeastHeight = 20
)

// The lines of the screen, from top to bottom: the players, the board, the status, the moves,
// the list of moves (or beside the board, where there is room), a message, the keys.
const (
	headLines   = 1
	statusLines = 1
	keyLines    = 2

	leastLog = 20 // columns beside the board
)

// grid returns the board as it is drawn now.
func (m *Model) grid() *boardview.Grid {
	turn := m.s.Turn()
	g := &boardview.Grid{Style: m.c.Style, Rules: m.s.Rules(), Position: m.s.Position(), Margin: 2, Path: m.path}
	fit(g, m.width, m.height, 0)
	if m.review != nil {
		m.review.mark(g)
		return g
	}
	for _, step := range m.exchange() {
		if !step.Passed() {
			g.Last = append(g.Last, boardview.Mark{Side: step.Side(), From: int(step.Move().From), To: int(step.Move().To)})
		}
	}
	if m.choosing() {
		g.Moves, g.Cursor = turn.Moves, &turn.Moves[m.cursor]
	}
	return g
}

// exchange returns the turns since a person last chose: those of the other side, and their own
// passes. Between two persons, or two players, it is the last turn.
func (m *Model) exchange() []play.Turn {
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

// beside reports whether there is room for the list of moves beside the board.
func (m *Model) beside(g *boardview.Grid) bool { return m.width-g.Columns() >= leastLog }

// moveLines is the number of lines of the moves: some stay free so the rest of the screen does
// not shift.
func (m *Model) moveLines() int {
	if m.hints() || m.review != nil || m.s.Phase() == session.Over {
		return 5
	}
	return 2
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := screen(m.lines(), m.width, m.height, m.c.Style)
	if m.ask != nil && m.ask.input != nil && m.width > 0 {
		if v.Cursor = m.ask.input.Cursor(); v.Cursor != nil {
			v.Cursor.Y = m.height - keyLines - 1
		}
	}
	return v
}

// screen returns a view of lines, cut to the size of a window.
func screen(lines []string, width, height int, style *boardview.Style) tea.View {
	lines = lines[:min(len(lines), max(0, height))]
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Truncate(line, width, style.Ellipsis), " ")
	}
	v := tea.NewView(strings.Join(lines, "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "The Royal Game of Ur"
	return v
}

// fill cuts or fills up lines to a number.
func fill(lines []string, n int) []string {
	for len(lines) < n {
		lines = append(lines, "")
	}
	return lines[:max(0, n)]
}

// lines returns the lines of the screen.
func (m *Model) lines() []string {
	if m.width == 0 || m.height == 0 {
		return nil // the window size is not known yet
	}
	grid := m.grid()
	if small := tooSmall("The board needs", grid, m.width, m.height); small != "" {
		small += " Make it larger, or leave by Ctrl-C (the game is saved) and go on with: ur play --resume --ui lines"
		return strings.Split(text.Wrap(small, "", m.width), "\n")
	}
	if m.help {
		return m.helpLines()
	}
	lines := []string{m.head()}
	drawn := grid.Draw()
	beside := m.beside(grid)
	if beside {
		log := strings.Split(m.log.View(), "\n")
		for i, line := range drawn {
			drawn[i] = pad(line, grid.Columns()+2)
			if i < len(log) {
				drawn[i] += log[i]
			}
		}
	}
	lines = append(append(lines, drawn...), m.status())
	moves := m.moveTexts()
	lines = append(lines, fill(moves, max(len(moves), m.moveLines()))...)
	if !beside && m.log.Height() > 0 {
		lines = append(lines, strings.Split(m.log.View(), "\n")...)
	}
	return append(append(fill(lines, m.height-keyLines-1), m.note()), m.foot()...)
}

// head shows the players, with their pieces home and captures.
func (m *Model) head() string {
	taken := [2]int{}
	for _, step := range m.s.Steps() {
		if !step.Passed() && step.Move().Capture {
			taken[step.Side()]++
		}
	}
	var parts []string
	for side := board.Light; side <= board.Dark; side++ {
		half := (m.width - 1) / 2
		counts := fmt.Sprintf(": home %d, took %d", m.s.Position().Home(side), taken[side])
		name := ansi.Truncate(text.Plain(m.s.Players()[side]), max(4, half-len("o ")-len(counts)-1), m.c.Style.Ellipsis)
		parts = append(parts, pad(m.c.Style.Pieces(side, 1)+" "+name+counts, half))
	}
	return strings.Join(parts, " ")
}

// status shows the state of the game.
func (m *Model) status() string {
	style, turn := m.c.Style, m.s.Turn()
	switch {
	case m.review != nil:
		return m.review.status(style)
	case m.s.Phase() == session.Over:
		return style.Strong(m.s.ResultText())
	case m.frame > 0:
		return style.Padded(turn.Side()) + "  " + style.Tumble(m.s.Rules())
	}
	what := "your move"
	switch {
	case m.s.Phase() == session.Passing:
		what = "no move, passes"
	case m.failed != nil:
		what = "cannot play on; l takes another player"
	case m.s.Phase() == session.Thinking:
		what = text.Plain(m.s.Players()[turn.Side()]) + " thinks" + style.Ellipsis
	case m.hints() && m.advice != nil:
		what = "your chances to win, " + judgedBy(m.advice.By)
	case m.hints():
		what = "looking at the moves" + style.Ellipsis
	}
	return style.Thrown(turn) + "  " + what
}

// moveTexts lists the moves, with their chances if hints are on; after the game, its summary.
func (m *Model) moveTexts() []string {
	switch {
	case m.review != nil:
		texts := m.review.texts(m.c.Style)
		return append(append(texts[:1:1], m.valueTexts(true)...), texts[1:]...)
	case m.s.Phase() == session.Over:
		return m.endingTexts()
	case !m.choosing():
		return nil
	case m.hints() && m.advice != nil:
		return m.valueTexts(true)
	}
	return strings.Split(m.c.Style.Moves(m.s.Turn(), m.cursor, LeastWidth), "\n")
}

// showLog fills the list of moves, and scrolls to the shown turn.
func (m *Model) showLog() {
	if m.width == 0 {
		return // on lines, or the window size is not known yet
	}
	grid := m.grid()
	if m.beside(grid) {
		m.log.SetWidth(m.width - grid.Columns() - 2)
		m.log.SetHeight(grid.Lines())
	} else {
		m.log.SetWidth(m.width)
		m.log.SetHeight(max(0, m.height-headLines-grid.Lines()-statusLines-m.moveLines()-keyLines-1))
	}
	var lines []string
	shown := len(m.s.Steps()) - 1
	if m.review != nil {
		shown = m.review.at
	}
	for i := range m.s.Steps() {
		step := &m.s.Steps()[i]
		line := fmt.Sprintf("%3d %s %d %s", step.Number+1, m.c.Style.Pieces(step.Side(), 1), step.Roll, step.Text())
		if !step.Passed() && step.Move().Capture {
			line += " " + m.c.Style.Pieces(step.Side().Other(), 1)
		}
		if m.review != nil {
			line += " " + analysis.Sign(m.review.game.Moves[i].Mark)
			if i == shown {
				line = m.c.Style.Cursor(ansi.Strip(line))
			}
		}
		lines = append(lines, line)
	}
	m.log.SetContentLines(lines)
	m.log.EnsureVisible(max(0, shown), 0, 0)
}

// note is the line above the keys: a question, a message, or the other side's moves.
func (m *Model) note() string {
	switch {
	case m.ask != nil && m.ask.input != nil:
		return m.ask.input.View()
	case m.ask != nil:
		return m.c.Style.Strong(m.ask.text)
	case m.failed != nil:
		return text.Plain(m.failed.Error())
	case m.message != "":
		return text.Plain(m.message)
	}
	steps := m.exchange()
	if len(steps) == 0 || m.review != nil || m.s.Phase() == session.Over {
		return ""
	}
	last := &steps[len(steps)-1]
	if m.s.Players()[last.Side()] == session.Person && !last.Passed() {
		return ""
	}
	// The latest turn in words, after the others as short as in the list of moves.
	words := m.c.Style.Happened(last)
	for i := len(steps) - 2; i >= 0; i-- {
		before := fmt.Sprintf("%s %d: %s; ", m.c.Style.Pieces(steps[i].Side(), 1), steps[i].Roll, steps[i].Text())
		if lipgloss.Width(before+words) > m.width-len("... ") {
			return m.c.Style.Ellipsis + " " + words
		}
		words = before + words
	}
	return words
}

// foot names the keys.
func (m *Model) foot() []string {
	if m.ask != nil {
		return fill([]string{m.ask.keys()}, keyLines)
	}
	actions := m.actions()
	if m.choosing() || m.review == nil && m.s.Phase() != session.Over {
		actions = append([]action{{keys: "1-7", name: "arrows enter move", foot: true}}, actions...)
	}
	lines := fill(footLines(actions, min(m.width, 78)), keyLines)
	for i := range lines {
		lines[i] = m.c.Style.Faint(lines[i])
	}
	return lines
}

// rulesText explains the rules and, where boards are drawn, the notation of moves.
func (m *Model) rulesText() string {
	explained := "Bring all pieces home first. Throw, then move one piece so far; a piece goes home by an exact throw. Light walks A4 to A1, B1 to B8, A8, A7 and home, Dark the same with C instead of A. On the shared B1 to B8 you send back what you land on, but not from the rosette B4. A rosette throws again."
	if r := m.s.Rules(); !r.IsFinkel() {
		explained = "The rules of " + r.Title() + ". " + r.About()
	}
	if m.c.Style.InWords {
		return explained + " Type the number of a move or its tiles, as in A3 B1."
	}
	return explained + " A3-B1 moves from A3 to B1, in- from the hand, x captures, * rosette."
}

// helpLines explains the game and the keys.
func (m *Model) helpLines() []string {
	lines := append(strings.Split(text.Wrap(m.rulesText(), "", m.width-1), "\n"), "")
	actions := append(append([]action(nil), pickHelp...), m.actions()...)
	actions = append(actions, action{keys: "pgup", help: "scroll the moves"}, action{keys: "ctrl+c", help: "leave at once"})
	lines = append(lines, columns(actions)...)
	if dice, known := m.s.Dice(); known {
		lines = append(lines, "", fmt.Sprintf("%s a side, seed %d, game %d. Any key goes back.", text.Plural(m.s.Setup().Pieces, "piece"), dice.Seed, dice.Game))
	}
	return lines
}
