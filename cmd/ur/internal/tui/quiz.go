package tui

import (
	"context"
	"fmt"
	"io"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// QuizConfig configures puzzles on a full screen.
type QuizConfig struct {
	Puzzles []*puzzle.Puzzle // at least one
	Style   *boardview.Style

	// Answer counts a choice, -1 for a skipped puzzle, and returns the explanation.
	Answer func(p *puzzle.Puzzle, choice int) string
}

// Quiz is the interface of puzzles: it asks for the best move of one after the other.
type Quiz struct {
	c             QuizConfig
	width, height int
	at            int // index of the puzzle
	turn          *play.Turn
	cursor        int  // index of a move
	answered      bool // the explanation is shown
	choice        int  // the answer; -1: skipped
	message       string
	explanation   viewport.Model
	interrupted   bool // by Ctrl-C
}

// NewQuiz returns an interface at the first puzzle.
func NewQuiz(c QuizConfig) *Quiz {
	q := &Quiz{c: c, explanation: viewport.New()}
	q.show()
	return q
}

// RunQuiz shows puzzles on a terminal until the user quits. After Ctrl-C or a signal, the error
// is that of [Run].
func RunQuiz(ctx context.Context, c QuizConfig, in io.Reader, out io.Writer, color bool) error {
	q := NewQuiz(c)
	return show(ctx, q, &q.interrupted, in, out, color)
}

func (q *Quiz) puzzle() *puzzle.Puzzle { return q.c.Puzzles[q.at] }

// show begins with the current puzzle.
func (q *Quiz) show() {
	q.turn, q.cursor, q.answered = q.puzzle().MustTurn(), 0, false
}

// Init begins.
func (q *Quiz) Init() tea.Cmd { return nil }

// Update takes a message.
func (q *Quiz) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		q.width, q.height = msg.Width, msg.Height
		q.explain()
	case tea.KeyPressMsg:
		return q, q.key(msg)
	case tea.MouseClickMsg:
		return q, q.click(msg.Mouse())
	case tea.MouseWheelMsg:
		var cmd tea.Cmd
		q.explanation, cmd = q.explanation.Update(msg)
		return q, cmd
	}
	return q, nil
}

// key takes a key.
func (q *Quiz) key(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keys.interrupt):
		q.interrupted = true
		return tea.Quit
	case key.Matches(msg, keys.suspend):
		return tea.Suspend
	}
	q.message = ""
	switch name := msg.String(); name {
	case "q", "esc":
		return tea.Quit
	case "pgup":
		q.explanation.PageUp()
	case "pgdown":
		q.explanation.PageDown()
	case "right", "down", "tab", "left", "up", "shift+tab":
		q.move(name)
	case "enter", "space":
		if q.answered {
			return q.next()
		}
		q.answer(q.cursor)
	case "s", "n":
		if q.answered {
			return q.next()
		}
		q.answer(-1)
	default:
		q.number(name)
	}
	return nil
}

// move moves the cursor, or scrolls the explanation.
func (q *Quiz) move(name string) {
	forward := name == "right" || name == "down" || name == "tab"
	switch {
	case q.answered && forward:
		q.explanation.ScrollDown(1)
	case q.answered:
		q.explanation.ScrollUp(1)
	case forward:
		q.cursor = (q.cursor + 1) % len(q.turn.Moves)
	default:
		q.cursor = (q.cursor + len(q.turn.Moves) - 1) % len(q.turn.Moves)
	}
}

// number answers by the number of a move.
func (q *Quiz) number(name string) {
	if len(name) != 1 || name < "1" || name > "9" || q.answered {
		q.message = name + " does nothing here"
		return
	}
	choice := int(name[0] - '1')
	if choice >= len(q.turn.Moves) {
		q.message = fmt.Sprintf("There is no move %d (want 1 to %d)", choice+1, len(q.turn.Moves))
		return
	}
	q.answer(choice)
}

// answer shows the explanation of a choice.
func (q *Quiz) answer(choice int) {
	q.answered, q.choice = true, choice
	q.cursor = max(0, choice)
	q.explanation.SetContent(q.c.Answer(q.puzzle(), choice))
	q.explain()
	q.explanation.GotoTop()
}

// next goes to the next puzzle, after the last one to the end.
func (q *Quiz) next() tea.Cmd {
	if q.at++; q.at == len(q.c.Puzzles) {
		q.at--
		return tea.Quit
	}
	q.show()
	return nil
}

// click answers by a click on the tile where a move ends, or goes on.
func (q *Quiz) click(at tea.Mouse) tea.Cmd {
	if q.answered {
		return q.next()
	}
	grid := q.grid()
	hit, ok := grid.At(at.X, at.Y-headLines)
	if !ok || at.Button != tea.MouseLeft {
		return nil
	}
	for i, move := range q.turn.Moves {
		if _, to := grid.Ends(hit, move); to {
			q.answer(i)
			return nil
		}
	}
	for i, move := range q.turn.Moves {
		if from, _ := grid.Ends(hit, move); from {
			q.cursor = i
		}
	}
	return nil
}

// quizLines are those of the explanation for which a larger board gives way.
const quizLines = 9

// grid returns the board: after the answer, with the chosen move marked as the last one and the
// best move as chosen.
func (q *Quiz) grid() *boardview.Grid {
	p := q.puzzle()
	g := &boardview.Grid{Style: q.c.Style, Rules: q.turn.Set(), Position: q.turn.Position, Margin: 2, Moves: q.turn.Moves, Cursor: &q.turn.Moves[q.cursor]}
	for _, size := range sizes {
		g.Width, g.Height = size.width, size.height
		columns, lines := window(g, size.columns, size.lines)
		room := q.height-g.Lines() >= headLines+statusLines+quizLines+footLines
		if q.width >= columns && q.height >= lines && (room || size.lines == LeastHeight) {
			break
		}
	}
	if !q.answered {
		return g
	}
	g.Moves, g.Cursor = nil, &q.turn.Moves[p.Index(p.Best)]
	if q.choice >= 0 && q.turn.Moves[q.choice] != *g.Cursor {
		m := q.turn.Moves[q.choice]
		g.Last = []boardview.Mark{{Side: q.turn.Side(), From: int(m.From), To: int(m.To)}}
	}
	return g
}

// explain fits the explanation into the window.
func (q *Quiz) explain() {
	q.explanation.SoftWrap = true
	q.explanation.SetWidth(q.width)
	q.explanation.SetHeight(max(0, q.height-headLines-q.grid().Lines()-statusLines-2))
}

// View draws the screen.
func (q *Quiz) View() tea.View {
	v := tea.NewView(strings.Join(q.lines(), "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "Puzzles of the Royal Game of Ur"
	return v
}

// lines returns the lines of the screen, no more than it has and none wider.
func (q *Quiz) lines() []string {
	if q.width == 0 || q.height == 0 {
		return nil
	}
	if q.width < LeastWidth || q.height < LeastHeight {
		return clip(strings.Split(text.Wrap(fmt.Sprintf("The puzzles need a window of %d x %d, this one has %d x %d.", LeastWidth, LeastHeight, q.width, q.height), "", q.width), "\n"), q.width, q.height, q.c.Style)
	}
	style, p := q.c.Style, q.puzzle()
	lines := []string{style.Strong(fmt.Sprintf("Puzzle %d (%d of %d): the best move?", p.Number, q.at+1, len(q.c.Puzzles)))}
	lines = append(lines, strings.Split(strings.TrimSuffix(q.grid().String(), "\n"), "\n")...)
	lines = append(lines, q.status())
	footer := "1-9 arrows enter answer  s skip  q quit"
	if q.answered {
		lines = append(lines, strings.Split(q.explanation.View(), "\n")...)
		footer = "enter next puzzle  arrows scroll  q quit"
	}
	for len(lines) < q.height-2 {
		lines = append(lines, "")
	}
	return clip(append(lines[:q.height-2], q.message, style.Faint(footer)), q.width, q.height, style)
}

// status shows the roll and the moves, or the answer.
func (q *Quiz) status() string {
	style, p := q.c.Style, q.puzzle()
	side := q.turn.Side()
	line := style.Padded(side) + "  " + style.Dice(q.turn.Set(), p.Roll) + " " + style.Strong(fmt.Sprint(p.Roll)) + "  "
	if q.answered {
		return line + "best " + style.Strong(p.Best)
	}
	for i, m := range q.turn.Moves {
		number := style.Number(fmt.Sprintf("(%d)", i+1))
		if i == q.cursor {
			number = style.Cursor(fmt.Sprintf("[%d]", i+1))
		}
		line += number + " " + q.turn.Notation(m) + "  "
	}
	return line
}
