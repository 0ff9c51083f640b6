package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/boardview"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// lesson is a page of the introduction: a position, and what it shows.
type lesson struct {
	title, text string
	position    board.Position
	path        bool
	roll, best  int // the throw, and the square where the shown move ends
}

// lessons returns the three pages of the introduction.
func lessons() []lesson {
	place := func(light, dark []int) board.Position {
		var numbers [33]int
		numbers[board.Start], numbers[16+board.Start] = board.MaxPieces-len(light), board.MaxPieces-len(dark)
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
		},
		{
			title: "2 of 3: the rosette", position: place([]int{2}, []int{6}), roll: 2, best: 4,
			text: "A piece that lands on a rosette throws again. On the rosette in the middle it is also safe: it cannot be captured.",
		},
		{
			title: "3 of 3: the capture", position: place([]int{5}, []int{7}), roll: 2, best: 7,
			text: "Land on a piece of the other side on the shared squares, and it goes back to its hand. h shows how good your moves are, ? all keys. Enter begins the game.",
		},
	}
}

// nextLesson turns the page, after the last one to the game.
func (m *Model) nextLesson() tea.Cmd {
	if m.lesson++; m.lesson > len(lessons()) {
		return m.endLessons()
	}
	return nil
}

// endLessons closes the introduction, for good.
func (m *Model) endLessons() tea.Cmd {
	m.lesson = 0
	if m.c.Introduced != nil {
		m.c.Introduced()
	}
	return m.begin()
}

// lessonKey takes a key of the introduction: the number of a move or Enter goes on.
func (m *Model) lessonKey(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "esc", "q", "s":
		return m.endLessons()
	case "left", "backspace":
		m.lesson = max(1, m.lesson-1)
		return nil
	}
	return m.nextLesson()
}

// lessonLines draws a page of the introduction.
func (m *Model) lessonLines() []string {
	l := lessons()[m.lesson-1]
	g := &boardview.Grid{Style: m.c.Style, Position: l.position, Margin: 2, Path: l.path}
	for _, size := range sizes {
		g.Width, g.Height = size.width, size.height
		if m.width >= size.columns && m.height >= size.lines {
			break
		}
	}
	g.Moves = l.position.Moves(nil, l.roll)
	for i := range g.Moves {
		if int(g.Moves[i].To) == l.best {
			g.Cursor = &g.Moves[i]
		}
	}
	lines := []string{m.c.Style.Strong("The Royal Game of Ur, " + l.title)}
	lines = append(lines, strings.Split(strings.TrimSuffix(g.String(), "\n"), "\n")...)
	lines = append(lines, fmt.Sprintf("%s  %s %s  move (%s)", m.c.Style.Player(board.Light), m.c.Style.Dice(l.roll), m.c.Style.Strong(fmt.Sprint(l.roll)), g.Cursor.Notation(board.Light)))
	lines = append(lines, strings.Split(text.Wrap(l.text, "", min(m.width-1, 78)), "\n")...)
	for len(lines) < m.height-1 {
		lines = append(lines, "")
	}
	return append(lines[:m.height-1], m.c.Style.Faint("enter next  left back  esc skip"))
}
