package tui

import (
	"fmt"
	"slices"
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
	footLines   = 3 // the message and two lines of keys

	leastLog = 20 // columns beside the board
)

// sizes are the sizes of tiles, the largest first: each for windows of at least its columns
// and lines on a board of finkelColumns and finkelRows. The last one is for longer boards.
var sizes = []struct{ columns, lines, width, height int }{
	{120, 36, 11, 6},
	{100, 30, 9, 3},
	{LeastWidth, LeastHeight, 6, 2},
	{36, LeastHeight, 3, 2},
}

// The size of the board of Finkel's rules as it lies.
const (
	finkelColumns = 8
	finkelRows    = 3
)

// setSize sets the largest size of tiles that the window has room for.
func (m *Model) setSize(g *boardview.Grid) {
	for _, size := range sizes {
		g.Width, g.Height = size.width, size.height
		if columns, lines := window(g, size.columns, size.lines); m.width >= columns && m.height >= lines {
			return
		}
	}
}

// window returns the window that a board needs if that of Finkel's rules needs one of columns and
// lines.
func window(g *boardview.Grid, columns, lines int) (width, height int) {
	r := g.Rules
	if r == nil {
		return columns, lines
	}
	return columns + (r.Rows()-finkelColumns)*(g.Width+1), lines + (r.Columns()-finkelRows)*(g.Height+1)
}

// leastWindow returns the smallest window for the game.
func (m *Model) leastWindow() (width, height int) {
	smallest := sizes[len(sizes)-1]
	g := &boardview.Grid{Rules: m.s.Rules(), Width: smallest.width, Height: smallest.height}
	width, height = window(g, smallest.columns, smallest.lines)
	return max(LeastWidth, width), max(LeastHeight, height)
}

// fits reports whether the window is large enough.
func (m *Model) fits() bool {
	width, height := m.leastWindow()
	return m.width >= width && m.height >= height
}

// sideName is a side in a sentence.
func sideName(side board.Side) string { return boardview.SideNames[side] }

// grid returns the board as it is drawn now.
func (m *Model) grid() *boardview.Grid {
	turn := m.s.Turn()
	g := &boardview.Grid{Style: m.c.Style, Rules: m.s.Rules(), Position: m.s.Position(), Margin: 2, Path: m.path}
	m.setSize(g)
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
		g.Moves = turn.Moves
		g.Cursor = &turn.Moves[m.cursor]
	}
	return g
}

// exchange returns the turns since a person last chose: those of the other side, and their own
// passes. Between two persons, or two players, it is the last turn.
func (m *Model) exchange() []play.Turn {
	steps := m.s.Steps()
	players := m.s.Players()
	for i := len(steps) - 1; i >= 0 && players[0] != players[1]; i-- {
		if players[steps[i].Side()] == session.Person && !steps[i].Passed() {
			return steps[i+1:]
		}
	}
	if players[0] != players[1] && (players[0] == session.Person || players[1] == session.Person) {
		return steps
	}
	return steps[max(0, len(steps)-1):]
}

// beside reports whether there is room for the list of moves beside the board.
func (m *Model) beside() bool { return m.width-m.grid().Columns() >= leastLog }

// moveLines is the number of lines of the moves: some stay free so the rest of the screen does
// not shift.
func (m *Model) moveLines() int {
	if m.hints() || m.review != nil || m.s.Phase() == session.Over {
		return 5
	}
	return 2
}

// fit cuts a text to a width, and fills it up.
func fit(s string, width int, ellipsis string) string {
	s = ansi.Truncate(s, max(0, width), ellipsis)
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.NewView(strings.Join(m.lines(), "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "The Royal Game of Ur"
	return v
}

// lines returns the lines of the screen, no more than it has and none wider.
func (m *Model) lines() []string {
	if m.width == 0 || m.height == 0 {
		return nil // the window size is not known yet
	}
	var lines []string
	switch {
	case !m.fits():
		lines = strings.Split(text.Wrap(m.tooSmall(), "", m.width), "\n")
	case m.help:
		lines = m.helpLines()
	case m.lesson > 0:
		lines = m.lessonLines()
	case m.choice != nil:
		lines = m.choiceLines()
	default:
		lines = m.gameLines()
	}
	return clip(lines, m.width, m.height, m.c.Style)
}

// clip cuts lines to the size of a window.
func clip(lines []string, width, height int, style *boardview.Style) []string {
	lines = lines[:min(len(lines), height)]
	for i, line := range lines {
		lines[i] = strings.TrimRight(ansi.Truncate(line, width, style.Ellipsis), " ")
	}
	return lines
}

// tooSmall names the required window size.
func (m *Model) tooSmall() string {
	width, height := m.leastWindow()
	return fmt.Sprintf("The board needs a window of %d x %d, this one has %d x %d. Make it larger, or leave by Ctrl-C (the game is kept) and go on with: ur play --resume --ui lines",
		width, height, m.width, m.height)
}

// gameLines draws the game.
func (m *Model) gameLines() []string {
	lines := []string{m.head()}
	grid := strings.Split(strings.TrimSuffix(m.grid().String(), "\n"), "\n")
	beside := m.beside()
	if beside {
		log := strings.Split(m.log.View(), "\n")
		for i, line := range grid {
			grid[i] = fit(line, m.grid().Columns()+2, "")
			if i < len(log) {
				grid[i] += log[i]
			}
		}
	}
	lines = append(lines, grid...)
	lines = append(lines, m.status())
	moves := m.moveTexts()
	for len(moves) < m.moveLines() {
		moves = append(moves, "")
	}
	lines = append(lines, moves...)
	if room := m.height - footLines - len(lines); beside && m.review == nil {
		lines = append(lines, m.exchangeLines(room)...)
	}
	if !beside && m.log.Height() > 0 {
		lines = append(lines, strings.Split(m.log.View(), "\n")...)
	}
	for len(lines) < m.height-footLines {
		lines = append(lines, "")
	}
	return append(append(lines[:m.height-footLines], m.note()), m.foot()...)
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
		parts = append(parts, fit(m.c.Style.Pieces(side, 1)+" "+name+counts, half, ""))
	}
	return strings.Join(parts, " ")
}

// status shows the state of the game.
func (m *Model) status() string {
	style, turn := m.c.Style, m.s.Turn()
	if m.review != nil {
		return m.review.status(style)
	}
	if m.s.Phase() == session.Over {
		return style.Strong(m.s.ResultText())
	}
	who := style.Padded(turn.Side()) + "  "
	if m.frame > 0 {
		return who + style.Tumble(m.s.Rules())
	}
	who += style.Dice(m.s.Rules(), turn.Roll) + " " + style.Strong(fmt.Sprint(turn.Roll)) + "  "
	switch m.s.Phase() {
	case session.Passing:
		return who + "no move, passes"
	case session.Thinking:
		if m.failed != nil {
			return who + "cannot play on; l takes another player"
		}
		return who + text.Plain(m.s.Players()[turn.Side()]) + " thinks" + style.Ellipsis
	}
	if m.advice != nil && m.hints() {
		return who + "your chances to win, " + judgedBy(m.advice.By)
	}
	if m.hints() {
		return who + "looking at the moves" + style.Ellipsis
	}
	return who + "your move"
}

// judgedBy names the judge of the hints.
func judgedBy(by string) string {
	if by == "table" {
		return "exact"
	}
	return "estimated by the net"
}

// moveTexts lists the moves, with their chances if hints are on; after the game, its summary.
func (m *Model) moveTexts() []string {
	turn := m.s.Turn()
	switch {
	case m.review != nil:
		return m.review.texts(m.c.Style)
	case m.s.Phase() == session.Over:
		return m.endingTexts()
	case !m.choosing():
		return nil
	case m.hints() && m.advice != nil:
		return m.hintTexts()
	}
	var lines []string
	line := ""
	for i, move := range turn.Moves {
		item := m.moveNumber(i) + " " + fmt.Sprintf("%-11s", turn.Notation(move))
		if lipgloss.Width(line+item) > LeastWidth {
			lines = append(lines, line)
			line = ""
		}
		line += item
	}
	return append(lines, line)
}

// moveNumber is the number of a move, marked where the cursor is.
func (m *Model) moveNumber(i int) string {
	if i == m.cursor {
		return m.c.Style.Cursor(fmt.Sprintf("[%d]", i+1))
	}
	return m.c.Style.Number(fmt.Sprintf("(%d)", i+1))
}

// hintTexts shows the person's chances after each move, two moves a line, and the best line.
func (m *Model) hintTexts() []string {
	turn := m.s.Turn()
	const rows = 4
	lines := make([]string, 0, rows+1)
	for i, move := range turn.Moves {
		loss := "best"
		if i != m.advice.Best {
			loss = fmt.Sprintf("%+.1f", -100*m.advice.Regret(i))
		}
		item := fit(fmt.Sprintf("%s %-9s %5.1f %% %s", m.moveNumber(i), turn.Notation(move), 100*m.advice.Win[i], loss), LeastWidth/2, "")
		if i < rows {
			lines = append(lines, item)
		} else {
			lines[i-rows] += item
		}
	}
	return append(lines, m.c.Style.Faint(fmt.Sprintf("if all throw %d: ", analysis.LikelyRoll(m.s.Rules()))+strings.Join(m.advice.Line, ", ")))
}

// endingTexts summarizes a finished game.
func (m *Model) endingTexts() []string {
	if m.ending == nil {
		return nil
	}
	against := "perfect play"
	if m.ending.By != "table" {
		against = "the net's play"
	}
	var lines []string
	for side, p := range m.ending.Players {
		if p.Decisions == 0 {
			continue
		}
		who := m.c.Style.Player(board.Side(side))
		if m.s.Players()[side] == session.Person && m.s.Players()[side^1] != session.Person {
			who = m.c.Style.Of(board.Side(side), m.c.Style.Piece[side]+" You")
		}
		lines = append(lines, fmt.Sprintf("%s lost %.1f points a move to %s, luck %+.0f", who, p.Regret, against, 100*p.Luck))
	}
	if words := m.ending.TurningWords(); words != "" {
		lines = append(lines, "The game turned in "+words+".")
	}
	return append(lines, m.c.Style.Faint("A point is 1 % of the probability to win. a: analyse move by move"))
}

// exchangeLines describes the turns since the last choice of a person, a line each, where the
// window has room for a heading and more than one of them.
func (m *Model) exchangeLines(room int) []string {
	steps := m.exchange()
	if len(steps) < 2 || room < 3 || m.s.Phase() == session.Over {
		return nil
	}
	lines := []string{"", m.c.Style.Faint("Since your last move:")}
	for _, step := range steps[max(0, len(steps)-room+len(lines)):] {
		lines = append(lines, "  "+m.c.Style.Happened(&step))
	}
	return lines
}

// showLog fills the list of moves, and scrolls to its end.
func (m *Model) showLog() {
	if !m.fits() {
		return
	}
	grid := m.grid()
	if m.beside() {
		m.log.SetWidth(m.width - grid.Columns() - 2)
		m.log.SetHeight(grid.Lines())
	} else {
		m.log.SetWidth(m.width)
		m.log.SetHeight(max(0, m.height-headLines-grid.Lines()-statusLines-m.moveLines()-footLines))
	}
	var lines []string
	for i := range m.s.Steps() {
		lines = append(lines, m.stepText(&m.s.Steps()[i]))
	}
	m.log.SetContentLines(lines)
	m.log.GotoBottom()
}

// stepText is a line of the list of moves.
func (m *Model) stepText(step *play.Turn) string {
	line := fmt.Sprintf("%3d %s %d %s", step.Number+1, m.c.Style.Pieces(step.Side(), 1), step.Roll, step.Text())
	if !step.Passed() && step.Move().Capture {
		line += " " + m.c.Style.Pieces(step.Side().Other(), 1)
	}
	return line
}

// note is the line above the keys: a question, a message, or the other side's moves.
func (m *Model) note() string {
	switch {
	case m.ask != nil:
		return m.c.Style.Strong(m.ask.line(m.width))
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

// foot names all keys, in two lines.
func (m *Model) foot() []string {
	faint := m.c.Style.Faint
	switch {
	case m.ask != nil:
		return []string{m.ask.keys, ""}
	case m.review != nil:
		return []string{faint("arrows step  home end first, last  m next mistake"), faint("a esc back to the result")}
	case m.s.Phase() == session.Over:
		return []string{faint("a analyse  n new game  u undo  y redo  p path"), faint("w write to a file  ? help  q quit")}
	}
	return []string{
		faint("1-7 arrows enter move  h hints  p path  u undo  y redo"),
		faint("n new  l level  s swap  x resign  w write  ? help  q quit"),
	}
}

// rulesText is the essentials for a newcomer, as high as the smallest window allows.
const rulesText = `Bring all pieces home first. Throw, then move one piece so far; a
piece goes home by an exact throw. Walk the squares in their order, 1
to 14: 5 to 12 are shared, and there you send back what you land on,
but for the rosette 8, which is safe. A rosette throws again.
` + signsText

// signsText explains the notation of moves.
const signsText = "A3-B1 moves from A3 to B1, in- from the hand, x captures, * rosette."

// helpLines explains the game and the keys.
func (m *Model) helpLines() []string {
	explained := rulesText
	if r := m.s.Setup().Rules; r != nil {
		explained = "The rules of " + r.Title() + ". " + r.About() + "\n" + signsText
	}
	lines := strings.Split(text.Wrap(explained, "", m.width-1), "\n")
	lines = append(lines, "")
	var items []string
	item := func(key, help string) { items = append(items, fmt.Sprintf("%-7s%s", key, help)) }
	for _, a := range actions() {
		if h := a.binding.Help(); h.Key != "" {
			item(h.Key, h.Desc)
		}
	}
	item(keys.interrupt.Help().Key, keys.interrupt.Help().Desc)
	item("mouse", "click on a tile")
	lines = append(lines, columns(items, (len(items)+1)/2, LeastWidth/2)...)
	dice, known := m.s.Dice()
	if known {
		lines = append(lines, "", fmt.Sprintf("%s a side, seed %d, game %d. Any key goes back.", text.Plural(m.s.Setup().Pieces, "piece"), dice.Seed, dice.Game))
	}
	return lines
}

// columns sets items in columns of a given height.
func columns(items []string, rows, width int) []string {
	lines := slices.Clone(items[:min(rows, len(items))])
	for i, item := range items[len(lines):] {
		lines[i] = fit(lines[i], width, "") + item
	}
	return lines
}
