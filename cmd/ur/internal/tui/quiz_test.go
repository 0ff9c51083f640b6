package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/play/session"
)

// Enter makes the move that the introduction asks for, and ? shows the keys.
func TestIntroductionTakesEnter(t *testing.T) {
	d := driveQuiz(t, 80, 24, Introduction())
	d.keys("?").wants("make that move", "skip the question")
	d.keys("x", "enter").wants("best ")
}

// The introduction has three pages, in every size, and asks again for the right move.
func TestIntroduction(t *testing.T) {
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 40}} {
		d := driveQuiz(t, size[0], size[1], Introduction())
		for i, title := range []string{"1 of 3: the path", "2 of 3: the rosette", "3 of 3: the capture"} {
			d.wants(title, Introduction()[i].Task)
			checkSize(t, d.shownTurn(), size[0], size[1])
			whole := strings.Fields(Introduction()[i].Text)
			for word := range strings.FieldsSeq(d.list.View()) {
				testkit.ErrorIf(t, !slices.Contains(whole, word), "%s: %q is a part of a word", title, word)
			}
			d.keys("1").wants("is legal, too")
			d.keys("2").wants("best ")
			checkSize(t, d.shownTurn(), size[0], size[1])
			d.keys("enter")
			testkit.ErrorIf(t, d.quit != (i == 2), "%s: quit is %v", title, d.quit)
		}
		d = driveQuiz(t, size[0], size[1], Introduction()).keys("esc")
		testkit.ErrorIf(t, !d.quit, "Esc does not leave")
	}
}

// Puzzles are answered by number, arrows, mouse or not at all, and explained each time.
func TestQuiz(t *testing.T) {
	puzzles := testkit.Must(puzzle.All())(t)[:4]
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
		d.keys("9").wants("There is no move 9")
		d.keys("2").wants("explained 1", "best "+puzzles[0].Best)
		d.keys("enter", "right", "enter").wants("explained 2")
		d.send(tea.MouseClickMsg{}) // as Enter
		d.keys("s").wants("explained 3")
		checkSize(t, d.shownTurn(), size[0], size[1])
		d.keys("enter")
		x, y := tileOf(t, d.currentGrid(), puzzles[3].MustTurn().Moves[0])
		d.send(tea.MouseClickMsg{X: x, Y: y + headLines, Button: tea.MouseLeft})
		d.wants("explained 4")
		d.keys("enter")
		testkit.ErrorIf(t, !d.quit, "it does not end after the last puzzle")
		testkit.Equal(t, fmt.Sprint(choices), "[1 1 -1 0]", "answers")
	}
}

// After the end, the analysis steps through the game with the position before each move.
func TestReview(t *testing.T) {
	setup := against
	setup.Pieces = pieces
	d := drive(t, 80, 24, Config{Session: newSession(t, setup), evaluator: exactEvaluator})
	d.keys("a").wants("opens when the game is over")
	for d.m.s.Phase() != session.Over {
		d.keys("enter")
	}
	d.keys("a")
	d.m.review.at = 0
	d.wants(fmt.Sprintf("Turn 1 of %d", len(d.m.s.Steps())))
	testkit.Equal(t, d.m.currentGrid().Position, d.m.s.Steps()[0].Position, "the position of the board")
	d.keys("home")
	testkit.Equal(t, strings.Count(d.shownTurn(), ": home 0, took 0"), 2, "players without a piece home, before the first turn")
	d.keys("?").wants("next mistake")
	testkit.ErrorIf(t, strings.Contains(d.shownTurn(), "make that move"), "the keys of the analysis make a move")
	d.keys("?", "right", "right", "left").wants("Turn 2 of ")
	d.keys("m")
	mark := d.m.ending.Moves[d.m.review.at].Mark
	testkit.ErrorIf(t, mark == "", "the next mistake is none")
	d.wants("regret ", " %  best", "%, exact")
	testkit.WantText(t, d.m.list.View(), fmt.Sprintf("%3d ", d.m.review.at+1)) // the list follows
	d.keys("w").wants("The built-in brain values "+d.m.review.turn.Text()+" over ", " Light ")
	d.keys("w").wants("regret ")
	d.m.goTo(slices.IndexFunc(d.m.s.Steps(), func(s play.Turn) bool { return len(s.Moves) < 2 }))
	d.keys("w").wants("There was no other move")
	d.keys("esc")
	testkit.ErrorIf(t, d.m.review != nil, "the analysis stays open")
	d.wants(" wins after ")
}

// A new game has the rules that are named. A player that does not play them is replaced.
func TestChooseRules(t *testing.T) {
	setup := against
	setup.Players[1] = "brain"
	d := drive(t, 80, 24, Config{Session: newSession(t, setup)})
	d.keys("enter", "v").wants("Rules of a new game", strings.Join(board.Names(), " ")+" or a JSON file")
	testkit.Equal(t, d.keys("esc").m.s.Rules().Name(), "finkel", "rules after a question that was left")
	d.keys("v", "chess", "enter").wants(`unknown rule set "chess"`)
	d.keys("v", "aseb", "enter").wants("Give this game up")
	d.keys("y")
	testkit.ErrorIf(t, d.m.s.Rules().Name() != "aseb" || d.m.s.Players()[1] != "greedy" || len(d.m.s.Steps()) > 1,
		"a game of %s against %s after %d turns", d.m.s.Rules().Name(), d.m.s.Players()[1], len(d.m.s.Steps()))
	checkSize(t, d.shownTurn(), 80, 24)
	testkit.Equal(t, d.keys("v", "finkel", "enter", "y").m.s.Rules().Name(), "finkel", "rules of the next game")
}

// A game under each rule set is played on its own board, in every size of tiles, with undo, redo and hints. On the
// smallest screen, and with UR_LONG on the largest, it has an end, and the analysis of its turns.
func TestScreensOfRuleSets(t *testing.T) {
	testkit.SetHome(t, t.TempDir()) // no tables
	for _, set := range board.List() {
		tiles := map[int]bool{}
		for _, size := range [][2]int{{60, 20}, {100, 30}, {120, 36}, {168, 40}} {
			kept := new(memory)
			s := newSession(t,
				session.Setup{Rules: set, Players: [2]string{session.Person, "greedy"}, Pieces: 2, Seed: 7})
			d := drive(t, size[0], size[1], Config{Session: s, Save: kept.save, evaluator: new(play.Evaluators).Find})
			grid := d.m.currentGrid()
			tiles[grid.Width] = true
			d.wants(string(rune('0' + set.Rows()%10))) // the name of the last row
			testkit.FatalIf(t, grid.Columns() > size[0], "%s on %v:\n%s", set.Name(), size, d.shownTurn())
			d.keys("enter", "enter")
			before := len(d.m.s.Steps())
			d.keys("u")
			testkit.ErrorIf(t, len(d.m.s.Steps()) >= before, "%s: nothing was taken back", set.Name())
			testkit.Equal(t, len(d.keys("r").m.s.Steps()), before, "%s: turns after redo", set.Name())
			again := testkit.Must(session.Load(t.Context(), kept.game, session.Setup{}))(t)
			testkit.Equal(t, again.Position(), d.m.s.Position(), "%s: position of the kept game", set.Name())
			testkit.ErrorIf(t, !again.Rules().Equal(set),
				"%s: the kept game has the rules %s", set.Name(), again.Rules().Name())
			d.keys("h").wants("your chances to win, exact")
			checkSize(t, d.shownTurn(), size[0], size[1])
			checkSize(t, d.keys("?").shownTurn(), size[0], size[1])
			if d.keys("?"); size[0] != 60 && (size[0] != 168 || !testkit.Long()) {
				continue // the end on the smallest screen is enough
			}
			d.keys("h")
			testkit.FatalIf(t, d.m.s.Phase() == session.Over, "the game is over, choose another seed")
			for turn := 0; d.m.s.Phase() != session.Over && turn < 500; turn++ {
				d.keys("enter")
				checkSize(t, d.shownTurn(), size[0], size[1])
			}
			d.wants(" home against ")
			if d.m.ending != nil {
				d.keys("a")
				for range d.m.ending.Moves {
					checkSize(t, d.keys("right").shownTurn(), size[0], size[1])
				}
				d.wants("Light wins ")
			}
		}
		testkit.ErrorIf(t, len(tiles) < 3,
			"%s is drawn with tiles of %d widths, want 3 or more", set.Name(), len(tiles))
	}
}

// Rules of ten pieces have ten moves, each with a key.
func TestTenMoves(t *testing.T) {
	for key, want := range map[string]int{"1": 0, "8": 7, "9": 8, "0": 9} {
		choice, ok := new(picker).takeKey(key, 10)
		testkit.ErrorIf(t, !ok || choice != want, "key %s: move %d, %v, want %d", key, choice+1, ok, want+1)
	}
}
