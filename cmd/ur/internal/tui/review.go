package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/session"
)

// review steps through a finished game: it shows the position before each move, with the values of
// all moves.
type review struct {
	game *analysis.Game
	at   int        // index of the turn
	turn *play.Turn // played turn
}

func (m *model) reviewActions() []action {
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return m.goTo(m.review.at + by) } }
	last := len(m.review.game.Moves) - 1
	return []action{
		{"right down enter space", "next", "next turn", true, step(+1)},
		{"left up backspace", "back", "turn before", true, step(-1)},
		{"home", "first", "first turn", true, step(-last)},
		{"end", "last", "last turn", true, step(+last)},
		{"m tab", "mistake", "next mistake", true, m.nextMistake},
		{"w", "why", "why this move", true, m.explainMove},
		{"p", "path", "number the squares", true, m.togglePath},
		{"? f1", "help", "this help", true, func() tea.Cmd { m.help = m.helpLines; return nil }},
		{"a esc q", "result", "back to the result", true, m.endReview},
	}
}

// beginReview opens the analysis at the first turning point.
func (m *model) beginReview() tea.Cmd {
	switch {
	case m.s.Phase() != session.Over:
		m.message = "The analysis opens when the game is over; h shows hints"
	case m.ending == nil:
		m.message = "The game is being analyzed"
	case len(m.ending.Moves) == 0:
		m.message = "The game has no turn to analyze"
	default:
		m.review = &review{game: m.ending}
		first := 1
		if len(m.ending.Turning) > 0 {
			first = m.ending.Turning[0]
		}
		return m.goTo(first - 1)
	}
	return nil
}

func (m *model) endReview() tea.Cmd {
	m.review, m.advice, m.printed.turn = nil, nil, nil
	m.generation++ // advice on the way is late
	m.onResize()
	return nil
}

// goTo shows a turn of the analysis, or the one nearest to it.
func (m *model) goTo(at int) tea.Cmd {
	r := m.review
	r.at = max(0, min(at, len(r.game.Moves)-1))
	r.turn = &m.s.Steps()[r.at]
	m.generation++
	m.advice = nil
	m.onResize()
	return m.adviseMoves()
}

// nextMistake goes to the next marked move, from the last one to the first.
func (m *model) nextMistake() tea.Cmd {
	r := m.review
	for i := range r.game.Moves {
		if at := (r.at + i + 1) % len(r.game.Moves); r.game.Moves[at].Mark != "" {
			return m.goTo(at)
		}
	}
	m.message = "There is no mistake"
	return nil
}

// explainMove shows why the brain prefers the played move or another one.
func (m *model) explainMove() tea.Cmd {
	turn := m.review.turn
	switch {
	case turn.Passed() || len(turn.Moves) < 2:
		m.message = "There was no other move"
	case !turn.Rules.IsFinkel():
		m.message = "The brain explains games under Finkel's rules only"
	case m.advice == nil:
		m.message = "The moves are being judged"
	default:
		why := m.advice.Why(turn, turn.Choice).Text(turn.Text())
		m.help = func() []string { return strings.Split(strings.TrimSpace(why), "\n") }
	}
	return nil
}

// markMoves shows the position before the move, with the played and the best move: the played one is
// marked as the last, the best one as chosen.
func (r *review) markMoves(g *Grid) {
	g.Position = r.turn.Position
	if r.turn.Passed() {
		return
	}
	g.Last = []play.Turn{*r.turn}
	best := slices.IndexFunc(r.turn.Moves,
		func(m board.Move) bool { return r.turn.Notation(m) == r.game.Moves[r.at].Best })
	g.Moves, g.Cursor = r.turn.Moves, &r.turn.Moves[max(0, best)]
}

// statusLine is the line under the board.
func (r *review) statusLine(style *Style) string {
	return fmt.Sprintf("Turn %d of %d  %s  played %s %s", r.at+1, len(r.game.Moves), style.Thrown(r.turn),
		r.turn.Text(), analysis.Sign(r.game.Moves[r.at].Mark))
}

// explainTurn explains the turn, above the values of its moves.
func (r *review) explainTurn(style *Style) []string {
	move := r.game.Moves[r.at]
	light := move.Win
	if move.Side == board.Dark.String() {
		light = 1 - light
	}
	by := "exact"
	if r.game.By != "table" {
		by = "estimated"
	}
	text := fmt.Sprintf("Luck %+.1f, regret %.1f; Light wins %.1f %%, %s", 100*move.Luck, 100*move.Regret,
		100*light, by)
	if style.InWords {
		return []string{text}
	}
	const wide = 40
	filled := int(light*wide + 0.5)
	bar := style.Side[board.Light].Render(strings.Repeat(style.Full, filled)) +
		style.Side[board.Dark].Render(strings.Repeat(style.Rest, wide-filled))
	return []string{text, "Light " + bar + " Dark"}
}

func (m *model) endingTexts() []string {
	if m.ending == nil {
		return nil
	}
	against := "perfect play"
	if m.ending.By != "table" {
		against = "the net's play"
	}
	var lines []string
	players := m.s.Players()
	for side, p := range m.ending.Players {
		if p.Decisions == 0 {
			continue
		}
		name := session.SideNames[side]
		if players[side] == session.Person && players[side^1] != session.Person {
			name = "You"
		}
		lines = append(lines,
			fmt.Sprintf("%s lost %.1f points a move to %s, luck %+.0f", m.style.Named(board.Side(side), name),
				p.Regret, against, 100*p.Luck))
	}
	if words := m.ending.TurningWords(); words != "" {
		lines = append(lines, "The game turned in "+words+".")
	}
	return append(lines, m.style.Faint.Render("A point is 1 % of the probability to win. a: analyze move by move"))
}

// valueTexts lists the moves of the shown turn with the chances after each, in columns if wide, and
// the expected line.
func (m *model) valueTexts(wide bool) []string {
	turn, style, a := m.shownTurn(), m.style, m.advice
	if a == nil || len(turn.Moves) == 0 {
		return nil
	}
	cursor := -1
	if m.isChoosing() && wide {
		cursor = m.cursor
	}
	rows := len(turn.Moves)
	if wide {
		rows = min(rows, 4)
	}
	lines := make([]string, rows)
	for i := range turn.Moves {
		item := style.Value(turn, i, cursor, a.Win[i], a.Regret(i), a.By == "table")
		lines[i%rows] = lipgloss.PlaceHorizontal(i/rows*LeastWidth/2, lipgloss.Left, lines[i%rows]) + item
	}
	return append(lines, style.Faint.Render(
		fmt.Sprintf("if all throw %d: ", play.LikelyRoll(m.s.Rules()))+strings.Join(a.Line,
			map[bool]string{false: ", ", true: "; "}[style.InWords])))
}

func judgedBy(by string) string {
	if by == "table" {
		return "exact"
	}
	return "estimated by the net"
}
