package tui

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// Page is a question of a quiz: a turn with a best move.
type Page struct {
	Title string
	Text  string // below the board, before the answer
	Task  string // text beside the throw; "" lists the moves
	Turn  *play.Turn
	Best  int
	Path  bool // number the squares

	Cursor int // index of the move that Enter makes at first

	// Answer takes the choice of a move, -1 for none. It returns what is shown below the board then,
	// and false to ask again.
	Answer func(choice int) (string, bool)
}

// quiz is the interface of questions, such as puzzles and the introduction.
type quiz struct {
	screen
	pages    []Page
	at       int // index of the page
	answered bool
	choice   int    // the answer; -1: skipped
	text     string // of the page, or the explanation of its answer
	asked    *Page  // on lines: the page that was printed
	printed  string // on lines: to print
}

func newQuiz(style *Style, pages []Page) *quiz {
	q := &quiz{pages: pages}
	q.screen = newScreen(q, style)
	return q
}

func (q *quiz) currentPage() *Page { return &q.pages[q.at] }

// listActions returns the table of what a user can do besides choosing a move.
func (q *quiz) listActions() []action {
	help := action{"? f1", "help", "this help", true, func() tea.Cmd { q.help = q.helpLines; return nil }}
	quit := action{"q esc", "quit", "quit", true, func() tea.Cmd { return tea.Quit }}
	if q.answered {
		return []action{
			{"enter space s", "next", "next question", true, q.nextPage},
			{"down right tab", "", "scroll", false, func() tea.Cmd { q.list.ScrollDown(1); return nil }},
			{"up left shift+tab", "", "scroll", false, func() tea.Cmd { q.list.ScrollUp(1); return nil }},
			help, quit,
		}
	}
	return []action{{"s", "skip", "skip the question", true, func() tea.Cmd { return q.chooseMove(-1) }}, help, quit}
}

// helpLines lists the actions.
func (q *quiz) helpLines() []string {
	if q.lines {
		return strings.Split(strings.TrimSuffix(listActions(q.listActions()), "\n"), "\n")
	}
	actions := append(q.listActions(), action{keys: "ctrl+c", help: "leave at once"})
	if !q.answered {
		actions = slices.Concat(pickHelp, actions)
	}
	return append(alignActions(actions), "", "Any key goes back.")
}

// Init begins with the current page.
func (q *quiz) Init() tea.Cmd {
	q.cursor, q.answered = q.currentPage().Cursor, false
	q.showText(q.currentPage().Text)
	return nil
}

func (q *quiz) showText(text string) {
	q.text = text
	q.list.GotoTop()
	q.onResize()
}

// onResize breaks the text between words: a list by itself breaks lines anywhere.
func (q *quiz) onResize() {
	q.fitWindow()
	q.list.SetContent(lipgloss.Wrap(q.text, q.list.Width(), ""))
}

func (q *quiz) isChoosing() bool { return !q.answered }

// pickKey takes a key of the picker, before the answer.
func (q *quiz) pickKey(name string) (cmd tea.Cmd, ok bool) {
	if q.answered {
		return nil, false
	}
	return q.pickMove(name, len(q.currentPage().Turn.Moves))
}

// chooseMove takes the choice of a move, or -1 for none.
func (q *quiz) chooseMove(choice int) tea.Cmd {
	text, done := q.currentPage().Answer(choice)
	if !done {
		q.cursor, q.message = choice, text
		return nil
	}
	q.answered, q.choice, q.message = true, choice, ""
	q.showText(text)
	if q.lines {
		q.printed = text
		return q.nextPage()
	}
	return nil
}

// nextPage goes to the next page, after the last one to the end.
func (q *quiz) nextPage() tea.Cmd {
	if q.at+1 == len(q.pages) {
		return tea.Quit
	}
	q.at++
	return q.Init()
}

// currentGrid returns the board: after the answer, with the chosen move marked as the last one and the best
// move as chosen.
func (q *quiz) currentGrid() *Grid {
	p := q.currentPage()
	moves := p.Turn.Moves
	g := &Grid{Style: q.style, Rules: p.Turn.Rules, Position: p.Turn.Position, Margin: 2,
		Moves: moves, Cursor: &moves[q.cursor], Path: p.Path}
	fitTiles(g, q.width, q.height)
	if !q.answered {
		return g
	}
	g.Moves, g.Cursor = nil, &moves[p.Best]
	if q.choice >= 0 && q.choice != p.Best {
		chosen := *p.Turn
		chosen.Choice = q.choice
		g.Last = []play.Turn{chosen}
	}
	return g
}

func (q *quiz) screenParts() parts {
	p := q.currentPage()
	status := q.style.Thrown(p.Turn) + "  "
	switch {
	case q.answered:
		status += "best " + q.style.Strong.Render(p.Turn.Notation(p.Turn.Moves[p.Best]))
	case p.Task != "":
		status += q.style.Strong.Render(p.Task)
	default:
		status += strings.Join(q.style.Moves(p.Turn, q.cursor, math.MaxInt), "")
	}
	picked := "answer"
	if q.answered {
		picked = ""
	}
	return parts{head: q.style.Strong.Render(p.Title), status: status, foot: q.footLines(picked, 1)}
}

// printNews prints the help, and an answer's explanation.
func (q *quiz) printNews(out io.Writer) {
	if q.help != nil {
		fmt.Fprintln(out, strings.Join(q.help(), "\n"))
		q.help = nil
	}
	for _, text := range []*string{&q.printed, &q.message} {
		if *text != "" {
			fmt.Fprintf(out, "  %s\n", strings.ReplaceAll(*text, "\n", "\n  "))
		}
		*text = ""
	}
}

func (q *quiz) printPrompt(out io.Writer) (string, error) {
	p := q.currentPage()
	if q.asked != p {
		q.asked = p
		fmt.Fprintf(out, "\n%s\n\n", q.style.Strong.Render(p.Title))
		printQuestion(out, lineGrid(q.style, p.Turn), p.Turn, "  "+q.style.Thrown(p.Turn))
	}
	return fmt.Sprintf("  The best move (%s, Enter skips, q quits): ", numberRange(len(p.Turn.Moves))), nil
}

func (q *quiz) enterLine(line string) tea.Cmd {
	if line == "" {
		line = "s"
	}
	return q.takeLine(line, q.currentPage().Turn)
}

// endOfInput returns no error: the end of the input ends a quiz.
func (q *quiz) endOfInput() error { return nil }

// Introduction returns the introduction's pages for a first game.
func Introduction() []Page {
	page := func(title, text, task, done, position string, roll, to int) Page {
		turn := (&puzzle.Puzzle{Position: position, Roll: roll}).MustTurn()
		best := slices.IndexFunc(turn.Moves, func(m board.Move) bool { return int(m.To) == to })
		return Page{Title: "The Royal Game of Ur, " + title, Text: text, Task: task, Turn: turn, Best: best, Cursor: best, Answer: func(choice int) (string, bool) {
			if choice >= 0 && choice != best {
				return turn.Notation(turn.Moves[choice]) + " is legal, too. Find the other move.", false
			}
			return done, true
		}}
	}
	pages := []Page{
		page("1 of 3: the path",
			"Light enters at 1, walks the numbers to 14, and goes home. Dark walks the same from the other side; 5 to 12 are shared. Four dice say how far one piece moves: 0 to 4. The first with all pieces home wins.",
			"You threw 2. Walk from 4 to the shared 6.", "Well walked.",
			"6:...L..........:0 7:..............:0 L", 2, 6),
		page("2 of 3: the rosette",
			"A piece that lands on a rosette throws again. On the rosette in the middle it is also safe: it cannot be captured.",
			"You threw 1. Land on the rosette A1.", "You would throw again now.",
			"6:..L...........:0 6:.....D........:0 L", 1, 4),
		page("3 of 3: the capture",
			"Land on a piece of the other side on the shared squares, and it goes back to its hand. h shows how good your moves are, l takes another level, ? shows all keys.",
			"You threw 2. Capture the piece on B3.", "Dark has to enter that piece again. Now the game begins.",
			"6:....L.........:0 6:......D.......:0 L", 2, 7),
	}
	pages[0].Path = true
	return pages
}
