package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// lesson is a page of the introduction: a position and a move to play in it.
type lesson struct {
	title, text string
	task, done  string // before and after the move
	position    board.Position
	path        bool
	roll, best  int // the throw, and the square where the move ends
}

// lessons returns the pages of the introduction.
func lessons() []lesson {
	place := func(light, dark []int) board.Position {
		var numbers [33]int
		numbers[board.Start], numbers[16+board.Start] = board.FinkelPieces-len(light), board.FinkelPieces-len(dark)
		for _, square := range light {
			numbers[square]++
		}
		for _, square := range dark {
			numbers[16+square]++
		}
		p, err := board.FromNumbers(numbers)
		if err != nil {
			panic(err) // the positions are written below
		}
		return p
	}
	return []lesson{
		{
			title: "1 of 3: the path", path: true, position: place([]int{4}, nil), roll: 2, best: 6,
			text: "Light enters at 1, walks the numbers to 14, and goes home. Dark walks the same from the other side; 5 to 12 are shared. Four dice say how far one piece moves: 0 to 4. The first with all pieces home wins.",
			task: "You threw 2. Walk your piece from A1 to the shared B2.",
			done: "Well walked.",
		},
		{
			title: "2 of 3: the rosette", position: place([]int{3}, []int{6}), roll: 1, best: 4,
			text: "A piece that lands on a rosette throws again. On the rosette in the middle it is also safe: it cannot be captured.",
			task: "You threw 1. Land on the rosette A1.",
			done: "You would throw again now.",
		},
		{
			title: "3 of 3: the capture", position: place([]int{5}, []int{7}), roll: 2, best: 7,
			text: "Land on a piece of the other side on the shared squares, and it goes back to its hand. h shows how good your moves are, ? all keys.",
			task: "You threw 2. Capture the piece on B3.",
			done: "Dark has to enter that piece again. Now the game begins.",
		},
	}
}

// moves returns the moves of the page, and the index of the one to play.
func (l *lesson) moves() (moves []board.Move, best int) {
	moves = board.Finkel().Moves(nil, l.position, l.roll)
	return moves, slices.IndexFunc(moves, func(m board.Move) bool { return int(m.To) == l.best })
}

// turnLesson turns to a page, after the last one to the game.
func (m *Model) turnLesson(page int) tea.Cmd {
	m.lesson, m.learned, m.cursor, m.message = max(1, page), false, 0, ""
	if m.lesson > len(lessons()) {
		return m.endLessons()
	}
	return nil
}

// endLessons closes the introduction, for good.
func (m *Model) endLessons() tea.Cmd {
	m.lesson, m.message = 0, ""
	if m.c.Introduced != nil {
		m.c.Introduced()
	}
	return m.begin()
}

// lessonKey takes a key of the introduction: moves are made as in the game.
func (m *Model) lessonKey(msg tea.KeyPressMsg) tea.Cmd {
	moves, _ := lessons()[m.lesson-1].moves()
	name := msg.String()
	switch name {
	case "esc", "q", "s":
		return m.endLessons()
	case "backspace":
		return m.turnLesson(m.lesson - 1)
	case "enter", "space":
		if m.learned {
			return m.turnLesson(m.lesson + 1)
		}
		m.tryLesson(m.cursor)
	case "right", "down", "tab":
		m.cursor = (m.cursor + 1) % len(moves)
	case "left", "up", "shift+tab":
		m.cursor = (m.cursor + len(moves) - 1) % len(moves)
	default:
		if len(name) == 1 && name >= "1" && int(name[0]-'1') < len(moves) {
			m.tryLesson(int(name[0] - '1'))
		}
	}
	return nil
}

// tryLesson makes a move of the introduction, if it is the one to play.
func (m *Model) tryLesson(choice int) {
	l := lessons()[m.lesson-1]
	moves, best := l.moves()
	switch {
	case m.learned:
	case choice == best:
		m.learned, m.message = true, ""
	default:
		m.cursor = choice
		m.message = fmt.Sprintf("%s is legal, too. Find the other move.", board.Finkel().Notation(board.Light, moves[choice]))
	}
}

// clickLesson takes a click: on the tile where a move ends, or anywhere after the right move.
func (m *Model) clickLesson(at tea.Mouse) tea.Cmd {
	if m.learned {
		return m.turnLesson(m.lesson + 1)
	}
	l := lessons()[m.lesson-1]
	grid := m.lessonGrid(&l)
	hit, ok := grid.At(at.X, at.Y-headLines)
	if !ok || at.Button != tea.MouseLeft {
		return nil
	}
	moves, _ := l.moves()
	for i, move := range moves {
		if _, to := grid.Ends(hit, move); to {
			m.tryLesson(i)
		}
	}
	return nil
}

// lessonGrid returns the board of a page: before its move, or after it.
func (m *Model) lessonGrid(l *lesson) *boardview.Grid {
	g := &boardview.Grid{Style: m.c.Style, Position: l.position, Margin: 2, Path: l.path}
	m.setSize(g)
	moves, best := l.moves()
	if m.learned {
		move := moves[best]
		g.Position = board.Finkel().Apply(l.position, move)
		g.Last = []boardview.Mark{{Side: board.Light, From: int(move.From), To: int(move.To)}}
		return g
	}
	g.Moves, g.Cursor = moves, &moves[m.cursor]
	return g
}

// lessonLines draws a page of the introduction.
func (m *Model) lessonLines() []string {
	l, style := lessons()[m.lesson-1], m.c.Style
	lines := []string{style.Strong("The Royal Game of Ur, " + l.title)}
	lines = append(lines, strings.Split(strings.TrimSuffix(m.lessonGrid(&l).String(), "\n"), "\n")...)
	lines = append(lines, strings.Split(text.Wrap(l.text, "", min(m.width-1, 78)), "\n")...)
	keys := "1-7 arrows enter move  backspace back  esc skip"
	task := style.Player(board.Light) + "  " + style.Dice(board.Finkel(), l.roll) + " " + style.Strong(fmt.Sprint(l.roll)) + "  "
	if m.learned {
		task += style.Strong(l.done)
		keys = "enter next  backspace back  esc skip"
	} else {
		task += style.Strong(l.task)
	}
	for len(lines) < m.height-3 {
		lines = append(lines, "")
	}
	return append(lines[:m.height-3], task, m.message, style.Faint(keys))
}
