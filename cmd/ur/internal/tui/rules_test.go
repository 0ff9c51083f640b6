package tui

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
)

// A new game has the rules that are named. A player that does not play them is replaced.
func TestChooseRules(t *testing.T) {
	setup := against
	setup.Players[1] = "brain"
	d := drive(t, 80, 24, Config{Session: newSession(t, setup)})
	d.keys("enter", "v")
	d.wants("Rules of a new game")
	d.wants(strings.Join(board.Names(), " ") + " or a JSON file")
	if d.keys("esc"); d.m.s.Rules().Name() != "finkel" {
		t.Error("a question that was left begins a game")
	}
	d.keys("v", "chess", "enter")
	d.wants(`unknown rule set "chess"`)
	d.keys("v", "aseb", "enter")
	d.wants("Give this game up")
	if d.keys("y"); d.m.s.Rules().Name() != "aseb" || d.m.s.Players()[1] != "greedy" || len(d.m.s.Steps()) > 1 {
		t.Errorf("a game of %s against %s after %d turns", d.m.s.Rules().Name(), d.m.s.Players()[1], len(d.m.s.Steps()))
	}
	checkSize(t, d.shown(), 80, 24)
	if d.keys("v", "finkel", "enter", "y"); d.m.s.Rules().Name() != "finkel" {
		t.Errorf("a game of %s", d.m.s.Rules().Name())
	}
}

// A game under each rule set is played to its end on its own board, in every size of tiles, with
// undo and redo on the way, hints, and the analysis of the turns at the end.
func TestRuleSets(t *testing.T) {
	sandbox.SetHome(t, t.TempDir()) // no tables
	for _, set := range board.List() {
		tiles := map[int]bool{}
		for _, size := range [][2]int{{60, 20}, {100, 30}, {120, 36}, {168, 40}} {
			kept := new(memory)
			s := newSession(t,
				session.Setup{Rules: set, Players: [2]string{session.Person, "greedy"}, Pieces: 2, Seed: 7})
			d := drive(t, size[0], size[1], Config{Session: s, Save: kept.save, evaluator: new(play.Evaluators).Find})
			grid := d.m.grid()
			tiles[grid.Width] = true
			if column := string(rune('0' + set.Rows()%10)); !strings.Contains(d.shown(), column) ||
				grid.Columns() > size[0] {
				t.Fatalf("%s on %v:\n%s", set.Name(), size, d.shown())
			}
			d.keys("enter", "enter")
			before := len(d.m.s.Steps())
			if d.keys("u"); len(d.m.s.Steps()) >= before {
				t.Errorf("%s: nothing was taken back", set.Name())
			}
			if d.keys("r"); len(d.m.s.Steps()) != before {
				t.Errorf("%s: %d turns after redo, want %d", set.Name(), len(d.m.s.Steps()), before)
			}
			if again, err := session.Load(t.Context(), kept.game, session.Setup{}); err != nil ||
				again.Position() != d.m.s.Position() || !again.Rules().Equal(set) {
				t.Errorf("%s: the kept game is another one (%v)", set.Name(), err)
			}
			d.keys("h")
			d.wants("your chances to win, exact")
			checkSize(t, d.shown(), size[0], size[1])
			checkSize(t, d.keys("?").shown(), size[0], size[1])
			if d.keys("?"); size[0] == 100 || size[0] == 120 {
				continue // the ends of the others are enough
			}
			if d.keys("h"); d.m.s.Phase() == session.Over {
				t.Fatal("the game is over, choose another seed")
			}
			for turn := 0; d.m.s.Phase() != session.Over && turn < 500; turn++ {
				d.keys("enter")
				checkSize(t, d.shown(), size[0], size[1])
			}
			d.wants(" home against ")
			if d.m.ending != nil {
				d.keys("a")
				for range d.m.ending.Moves {
					checkSize(t, d.keys("right").shown(), size[0], size[1])
				}
				d.wants("Light wins ")
			}
		}
		if len(tiles) < 3 {
			t.Errorf("%s is drawn with tiles of %d widths, want 3 or more", set.Name(), len(tiles))
		}
	}
}

// Rules of ten pieces have ten moves, each with a key.
func TestTenMoves(t *testing.T) {
	for key, want := range map[string]int{"1": 0, "8": 7, "9": 8, "0": 9} {
		if choice, ok := new(picker).take(key, 10); !ok || choice != want {
			t.Errorf("key %s: move %d, %v, want %d", key, choice+1, ok, want+1)
		}
	}
}
