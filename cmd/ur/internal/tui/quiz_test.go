package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/play/session"
)

// The introduction has three pages, in every size, and asks again for the right move.
func TestIntroduction(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		d := driveQuiz(t, size[0], size[1], Introduction())
		for i, title := range []string{"1 of 3: the path", "2 of 3: the rosette", "3 of 3: the capture"} {
			d.wants(title)
			checkSize(t, d.shown(), size[0], size[1])
			d.keys("enter")
			d.wants("is legal, too")
			d.keys("2")
			d.wants("best ")
			checkSize(t, d.shown(), size[0], size[1])
			if d.keys("enter"); d.quit != (i == 2) {
				t.Errorf("%s: quit is %v", title, d.quit)
			}
		}
		if d = driveQuiz(t, size[0], size[1], Introduction()).keys("esc"); !d.quit {
			t.Error("Esc does not leave")
		}
	}
}

// Puzzles are answered by number, arrows, mouse or not at all, and explained each time.
func TestQuiz(t *testing.T) {
	puzzles := testkit.Must(puzzle.All())(t)
	puzzles = puzzles[:4]
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		var choices []int
		var pages []Page
		for _, p := range puzzles {
			pages = append(pages, Page{Title: fmt.Sprintf("Puzzle %d (%d of 4)", p.Number, p.Number), Turn: p.MustTurn(), Best: p.Index(p.Best), Answer: func(choice int) (string, bool) {
				choices = append(choices, choice)
				return fmt.Sprintf("explained %d", p.Number), true
			}})
		}
		d := driveQuiz(t, size[0], size[1], pages)
		d.wants("Puzzle 1 (1 of 4)")
		d.keys("9")
		d.wants("There is no move 9")
		d.keys("2")
		d.wants("explained 1")
		d.wants("best " + puzzles[0].Best)
		d.keys("enter", "right", "enter")
		d.wants("explained 2")
		d.send(tea.MouseClickMsg{}) // as Enter
		d.keys("s")
		d.wants("explained 3")
		checkSize(t, d.shown(), size[0], size[1])
		d.keys("enter")
		x, y := tileOf(t, d.grid(), puzzles[3].MustTurn().Moves[0])
		d.send(tea.MouseClickMsg{X: x, Y: y + headLines, Button: tea.MouseLeft})
		d.wants("explained 4")
		if d.keys("enter"); !d.quit {
			t.Error("it does not end after the last puzzle")
		}
		if fmt.Sprint(choices) != "[1 1 -1 0]" {
			t.Errorf("answers %v", choices)
		}
	}
}

// After the end, the analysis steps through the game with the position before each move.
func TestReview(t *testing.T) {
	setup := against
	setup.Pieces = pieces
	d := drive(t, 80, 24, Config{Session: newSession(t, setup), evaluator: exactEvaluator})
	d.keys("a")
	d.wants("opens when the game is over")
	for d.m.s.Phase() != session.Over {
		d.keys("enter")
	}
	d.keys("a")
	d.m.review.at = 0
	d.wants(fmt.Sprintf("Turn 1 of %d", len(d.m.s.Steps())))
	if d.m.grid().Position != d.m.s.Steps()[0].Position {
		t.Error("the board shows another position")
	}
	d.keys("right", "right", "left")
	d.wants("Turn 2 of ")
	d.keys("m")
	if mark := d.m.ending.Moves[d.m.review.at].Mark; mark == "" {
		t.Error("the next mistake is none")
	}
	d.wants("regret ")
	d.wants(" %  best")
	d.wants("%, exact")
	if line := fmt.Sprintf("%3d ", d.m.review.at+1); !strings.Contains(d.m.list.View(), line) {
		t.Errorf("the list does not follow to turn %s:\n%s", line, d.shown())
	}
	if d.keys("esc"); d.m.review != nil {
		t.Error("the analysis stays open")
	}
	d.wants(" wins after ")
}
