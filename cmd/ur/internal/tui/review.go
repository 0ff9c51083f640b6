package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/session"
)

// review steps through a finished game: it shows the position before each move, the move that
// was played, and the best one.
type review struct {
	game  *analysis.Game
	steps []play.Turn
	at    int // index of the step
}

// beginReview opens the analysis at the first turning point.
func beginReview(m *Model, _ tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.s.Phase() != session.Over:
		m.message = "The analysis opens when the game is over; h shows hints"
	case m.ending == nil:
		m.message = "The game is being analysed"
	case len(m.ending.Moves) == 0:
		m.message = "The game has no turn to analyze"
	default:
		m.message = ""
		m.review = &review{game: m.ending, steps: m.s.Steps()}
		if len(m.ending.Turning) > 0 {
			m.review.at = m.ending.Turning[0] - 1
		}
		m.showLog()
	}
	return nil
}

// reviewKey takes a key of the analysis.
func (m *Model) reviewKey(msg tea.KeyPressMsg) tea.Cmd {
	r := m.review
	switch msg.String() {
	case "right", "down", "enter", "space":
		r.step(+1)
	case "left", "up", "backspace":
		r.step(-1)
	case "home":
		r.at = 0
	case "end":
		r.at = len(r.game.Moves) - 1
	case "m", "tab":
		r.nextMistake()
	case "p":
		m.path = !m.path
	case "a", "esc", "q":
		m.review = nil
		m.showLog()
	}
	return nil
}

// step goes on by a number of turns, as far as there are any.
func (r *review) step(by int) { r.at = max(0, min(r.at+by, len(r.game.Moves)-1)) }

// nextMistake goes to the next marked move, from the last one to the first.
func (r *review) nextMistake() {
	n := len(r.game.Moves)
	for i := 1; i <= n; i++ {
		if at := (r.at + i) % n; r.game.Moves[at].Mark != "" {
			r.at = at
			return
		}
	}
}

// mark shows the position before the move, with the played and the best move: the played one is
// marked as the last, the best one as chosen.
func (r *review) mark(g *boardview.Grid) {
	step, move := &r.steps[r.at], r.game.Moves[r.at]
	g.Position = step.Position
	if step.Passed() {
		return
	}
	g.Last = append(g.Last, boardview.Mark{Side: step.Side(), From: int(step.Move().From), To: int(step.Move().To)})
	for _, m := range step.Moves {
		if step.Notation(m) == move.Best {
			g.Cursor = &m
		}
	}
}

// status is the line under the board.
func (r *review) status(style *boardview.Style) string {
	step := &r.steps[r.at]
	return fmt.Sprintf("Turn %d of %d  %s  %s %s  played %s %s", r.at+1, len(r.game.Moves), style.Padded(step.Side()),
		style.Dice(step.Set(), step.Roll), style.Strong(fmt.Sprint(step.Roll)), step.Text(), analysis.Sign(r.game.Moves[r.at].Mark))
}

// texts explains the turn.
func (r *review) texts(style *boardview.Style) []string {
	move := r.game.Moves[r.at]
	light := move.Win
	if move.Side == board.Dark.String() {
		light = 1 - light
	}
	choice := "The only move, or a pass."
	switch {
	case move.Regret > 0:
		choice = fmt.Sprintf("Best was %s: %.1f points better.", move.Best, 100*move.Regret)
	case move.Move == move.Best && move.Move != "pass":
		choice = "The best move."
	}
	by := "exact, by the table"
	if r.game.By != "table" {
		by = "estimated by the net"
	}
	const wide = 40
	filled := int(light*wide + 0.5)
	bar := "Light " + style.Of(board.Light, strings.Repeat(style.Full, filled)) + style.Of(board.Dark, strings.Repeat(style.Rest, wide-filled)) + " Dark"
	return []string{
		choice,
		fmt.Sprintf("The throw was worth %+.1f points to %s.", 100*move.Luck, move.Side),
		fmt.Sprintf("Light wins %.1f %% after it, %s.", 100*light, by),
		bar,
	}
}
