package tui

import (
	"fmt"
	"io"
	"math"
	"strings"

	"charm.land/bubbles/v2/viewport"
	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
)

// Page is a question of a [Quiz]: a turn with a best move.
type Page struct {
	Title string
	Text  string // below the board, before the answer
	Task  string // beside the throw; "" lists the moves
	Turn  *play.Turn
	Best  int
	Path  bool // number the squares

	// Answer takes the choice of a move, -1 for none. It returns what is shown below the board then,
	// and false to ask again.
	Answer func(choice int) (string, bool)
}

// Quiz is the interface of questions, such as puzzles and the introduction.
type Quiz struct {
	Pages []Page
	Style *boardview.Style

	picker
	width, height int
	at            int // index of the page
	answered      bool
	choice        int // the answer; -1: skipped
	message       string
	body          viewport.Model // the text of the page
	lines         bool           // the quiz is on lines
	asked         *Page          // on lines: the page that was printed
	printed       string         // on lines: to print
	interrupted   bool           // by Ctrl-C
}

func (q *Quiz) page() *Page { return &q.Pages[q.at] }

// actions returns the table of what a user can do besides choosing a move.
func (q *Quiz) actions() []action {
	quit := action{"q esc", "quit", "quit", true, func() tea.Cmd { return tea.Quit }}
	if q.answered {
		return []action{
			{"enter space s", "next", "next question", true, q.next},
			{"down right tab", "", "scroll", false, func() tea.Cmd { q.body.ScrollDown(1); return nil }},
			{"up left shift+tab", "", "scroll", false, func() tea.Cmd { q.body.ScrollUp(1); return nil }},
			quit,
		}
	}
	return []action{{"s", "skip", "skip the question", true, func() tea.Cmd { return q.answer(-1) }}, quit}
}

// Init begins.
func (q *Quiz) Init() tea.Cmd {
	q.body = viewport.New()
	q.body.SoftWrap = true
	q.show()
	return nil
}

// show begins with the current page.
func (q *Quiz) show() {
	q.cursor, q.answered = 0, false
	q.setBody(q.page().Text)
}

// setBody shows a text below the board.
func (q *Quiz) setBody(text string) {
	q.body.SetContent(text)
	q.body.GotoTop()
	q.resize()
}

// resize fits the text into the window.
func (q *Quiz) resize() {
	q.body.SetWidth(q.width)
	q.body.SetHeight(max(0, q.height-headLines-q.grid().Lines()-statusLines-2))
}

// Update takes a message.
func (q *Quiz) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		q.width, q.height = msg.Width, msg.Height
		q.resize()
	case tea.KeyPressMsg:
		return q, q.key(msg)
	case tea.MouseClickMsg:
		if q.answered {
			return q, q.next()
		}
		if choice := q.picker.click(q.grid(), msg.Mouse()); choice >= 0 {
			return q, q.answer(choice)
		}
	case tea.MouseWheelMsg:
		q.body, _ = q.body.Update(msg)
	}
	return q, nil
}

// key takes a key.
func (q *Quiz) key(msg tea.KeyPressMsg) tea.Cmd {
	if cmd := interrupts(msg, &q.interrupted); cmd != nil {
		return cmd
	}
	q.message = ""
	name := msg.String()
	if a := find(q.actions(), name); a != nil {
		return a.do()
	}
	if !q.answered {
		switch choice, ok := q.take(name, len(q.page().Turn.Moves)); {
		case choice >= 0:
			return q.answer(choice)
		case ok:
			return nil
		}
	}
	q.message = name + " does nothing here"
	return nil
}

// answer takes the choice of a move, or none.
func (q *Quiz) answer(choice int) tea.Cmd {
	if n := len(q.page().Turn.Moves); choice >= n {
		q.message = noSuchMove(choice, n)
		return nil
	}
	text, done := q.page().Answer(choice)
	if !done {
		q.cursor, q.message = choice, text
		return nil
	}
	q.answered, q.choice = true, choice
	q.setBody(text)
	if q.lines {
		q.printed = text
		return q.next()
	}
	return nil
}

// next goes to the next page, after the last one to the end.
func (q *Quiz) next() tea.Cmd {
	if q.at+1 == len(q.Pages) {
		return tea.Quit
	}
	q.at++
	q.show()
	return nil
}

// grid returns the board: after the answer, with the chosen move marked as the last one and the best
// move as chosen.
func (q *Quiz) grid() *boardview.Grid {
	p := q.page()
	moves := p.Turn.Moves
	g := &boardview.Grid{Style: q.Style, Rules: p.Turn.Rules, Position: p.Turn.Position, Margin: 2, Moves: moves, Cursor: &moves[q.cursor], Path: p.Path}
	fit(g, q.width, q.height, 1)
	if !q.answered {
		return g
	}
	g.Moves, g.Cursor = nil, &moves[p.Best]
	if q.choice >= 0 && q.choice != p.Best {
		m := moves[q.choice]
		g.Last = []boardview.Mark{{Side: p.Turn.Side(), From: int(m.From), To: int(m.To)}}
	}
	return g
}

// View draws the screen.
func (q *Quiz) View() tea.View { return screen(q.screen(), q.width, q.height, q.Style) }

// screen returns the lines of the screen.
func (q *Quiz) screen() []string {
	if small := tooSmall("The board needs", q.grid(), q.width, q.height); small != "" {
		return strings.Split(text.Wrap(small, "", max(1, q.width)), "\n")
	}
	p := q.page()
	lines := append([]string{q.Style.Strong(p.Title)}, q.grid().Draw()...)
	status := q.Style.Thrown(p.Turn) + "  "
	actions := q.actions()
	switch {
	case q.answered:
		status += "best " + q.Style.Strong(p.Turn.Notation(p.Turn.Moves[p.Best]))
	case p.Task != "":
		status += q.Style.Strong(p.Task)
	default:
		status += q.Style.Moves(p.Turn, q.cursor, math.MaxInt)
	}
	if !q.answered {
		actions = append([]action{{keys: "1-7", name: "arrows enter answer", foot: true}}, actions...)
	}
	lines = append(lines, status)
	lines = append(lines, strings.Split(q.body.View(), "\n")...)
	return append(fill(lines, q.height-2), q.message, q.Style.Faint(footLines(actions, q.width)[0]))
}

// tell prints the explanation of an answer.
func (q *Quiz) tell(out io.Writer) {
	for _, text := range []*string{&q.printed, &q.message} {
		if *text != "" {
			fmt.Fprintf(out, "  %s\n", strings.ReplaceAll(*text, "\n", "\n  "))
		}
		*text = ""
	}
}

// prompt prints a page.
func (q *Quiz) prompt(out io.Writer) (string, error) {
	p := q.page()
	if q.asked != p {
		q.asked = p
		fmt.Fprintf(out, "\n%s\n\n", q.Style.Strong(p.Title))
		printQuestion(out, lineGrid(q.Style, p.Turn), p.Turn, "  "+q.Style.Thrown(p.Turn))
	}
	return fmt.Sprintf("  The best move (%s, Enter skips, q quits): ", choices(len(p.Turn.Moves))), nil
}

// typed takes a line.
func (q *Quiz) typed(line string) tea.Cmd {
	if line == "" {
		line = "s"
	}
	choice, a, _, wrong := readLine(line, q.page().Turn, q.actions(), q.Style.InWords)
	q.message = wrong
	switch {
	case a != nil:
		return a.do()
	case wrong == "":
		return q.answer(choice)
	}
	return nil
}

// ended returns no error: the end of the input ends a quiz.
func (q *Quiz) ended() error { return nil }

// Introduction returns the pages of the introduction for a first game.
func Introduction() []Page {
	page := func(title, text, task, done string, light, dark []int, roll, best int) Page {
		var squares [2]uint32
		for side, list := range [2][]int{light, dark} {
			for _, square := range list {
				squares[side] |= 1 << square
			}
		}
		p, err := board.Finkel().FromSquares(board.FinkelPieces, board.Light, squares, [2]int{})
		if err != nil {
			panic(err) // the positions are written below
		}
		turn := &play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}
		right := 0
		for i, m := range turn.Moves {
			if int(m.To) == best {
				right = i
			}
		}
		return Page{Title: "The Royal Game of Ur, " + title, Text: text, Task: task, Turn: turn, Best: right, Answer: func(choice int) (string, bool) {
			if choice >= 0 && choice != right {
				return turn.Notation(turn.Moves[choice]) + " is legal, too. Find the other move.", false
			}
			return done, true
		}}
	}
	pages := []Page{
		page("1 of 3: the path",
			"Light enters at 1, walks the numbers to 14, and goes home. Dark walks the same from the other side; 5 to 12 are shared. Four dice say how far one piece moves: 0 to 4. The first with all pieces home wins.",
			"You threw 2. Walk your piece from A1 to the shared B2.", "Well walked.",
			[]int{4}, nil, 2, 6),
		page("2 of 3: the rosette",
			"A piece that lands on a rosette throws again. On the rosette in the middle it is also safe: it cannot be captured.",
			"You threw 1. Land on the rosette A1.", "You would throw again now.",
			[]int{3}, []int{6}, 1, 4),
		page("3 of 3: the capture",
			"Land on a piece of the other side on the shared squares, and it goes back to its hand. h shows how good your moves are, ? all keys.",
			"You threw 2. Capture the piece on B3.", "Dark has to enter that piece again. Now the game begins.",
			[]int{5}, []int{7}, 2, 7),
	}
	pages[0].Path = true
	return pages
}
