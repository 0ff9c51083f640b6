package game

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/record"
)

// A game under each rule set is played to its end from its link, which names the rules, and its
// record leads back to it. Its moves are judged where the rules have a net.
func TestRuleSets(t *testing.T) {
	sandbox.SetHome(t, t.TempDir()) // no tables
	r := newService()
	for _, set := range board.List() {
		t.Run(set.Name(), func(t *testing.T) {
			named := func(v *View) bool {
				return v.Rules == nil && set.IsFinkel() || v.Rules != nil && v.Rules.Name == set.Name()
			}
			_, noNet := new(play.Evaluators).FindWithin(t.Context(), set, quickPieces)
			by := "search"
			if set.Pieces() <= quickPieces {
				by = "table"
			}
			v := ask[*View](t, r, "new", Question{Rules: set.Name(), Light: "human", Dark: "greedy", Seed: 5})
			if !named(v) || v.Pieces != set.Pieces() || len(v.Board) != 2*(set.Finish()+1)+1 || !set.IsFinkel() && !strings.HasSuffix(v.Game, "/"+set.Name()) {
				t.Fatalf("a game of %s begins as %+v", set.Name(), v)
			}
			v = playOn(t, r, v, 3)
			if v = ask[*View](t, r, "undo", Question{Game: v.Game}); !v.Redo {
				t.Error("nothing can be made again")
			}
			if noNet == nil {
				h := ask[*Hints](t, r, "hints", Question{Game: v.Game})
				if len(h.Moves) != len(v.Moves) || h.By != by || h.Before <= 0 || h.Before >= 1 || len(h.Moves[0].Line) == 0 {
					t.Errorf("hints %+v of the moves %+v", h, v.Moves)
				}
			} else if _, err := r.Answer(t.Context(), "hints", []byte(`{"game":"`+v.Game+`"}`)); err == nil || !strings.Contains(err.Error(), set.Name()) {
				t.Errorf("hints without a net: %v", err)
			}
			v = playOn(t, r, ask[*View](t, r, "redo", Question{Game: v.Game}), -1)
			home := set.Pieces()
			if v.Board[set.Finish()] != home && v.Board[2*set.Finish()+1] != home {
				t.Errorf("the game ends as %s on %v", v.Result, v.Board)
			}
			if again := ask[*View](t, r, "show", Question{Game: v.Game}); !slices.Equal(again.Turns, v.Turns) || again.Result != v.Result {
				t.Error("the link shows another game")
			}
			if noNet == nil {
				if a := ask[*analysis.Game](t, r, "analysis", Question{Game: v.Game}); len(a.Moves) != len(v.Turns) || a.Result != v.Result {
					t.Errorf("%d turns are judged with the result %s, want %d with %s", len(a.Moves), a.Result, len(v.Turns), v.Result)
				}
			}
			for _, form := range record.FormatNames() {
				text := ask[Text](t, r, "record", Question{Game: v.Game, Form: form})
				back := ask[*View](t, r, "read", Question{Text: text.Text})
				if !named(back) || !slices.Equal(back.Turns, v.Turns) || back.Result != v.Result {
					t.Errorf("%s leads to %s, want %s", form, back.Game, v.Game)
				}
			}
		})
	}
}

// A game under other rules may begin with a position and a roll, and is shared as a whole.
func TestStartOfRuleSets(t *testing.T) {
	r := newService()
	three := 3
	const start = "3:L...............:1 4:...............D:0 D"
	v := ask[*View](t, r, "new", Question{Rules: "aseb", Light: "human", Dark: "human", Start: start, Roll: &three, Seed: 1})
	if v.Side != "dark" || *v.Roll != 3 || !strings.HasSuffix(v.Game, "/"+strings.ReplaceAll(start, " ", "_")+"/aseb") {
		t.Errorf("%+v", v)
	}
	if again := ask[*View](t, r, "show", Question{Game: playOn(t, r, v, 2).Game}); again.Rules == nil || len(again.Turns) < 2 {
		t.Errorf("%+v", again)
	}
	if v := ask[*View](t, r, "read", Question{Rules: "aseb", Text: start}); v.Side != "dark" {
		t.Errorf("%+v", v)
	}
}

// Every rule set lists its players, and those that cannot play have the reason.
func TestSets(t *testing.T) {
	sandbox.SetHome(t, t.TempDir()) // no tables
	r, sets := &Service{}, listRuleSets()
	if len(sets) != len(board.List()) || len(sets[0].Players) < 20 {
		t.Fatalf("%+v", sets)
	}
	for i, set := range board.List()[1:] {
		for _, c := range sets[1+i].Players {
			err := r.Check(t.Context(), set, c.Name)
			if c.Most >= set.Pieces() != (err == nil) || (c.Most == 0) != (c.Why != "") || (c.Most == 0) != (unableReason(set, c.Name) != "") {
				t.Errorf("%s: %+v, but %v", set.Name(), c, err)
			}
		}
		for _, name := range []string{"human", "greedy", "random", "first", "perfect", "level:4", "net"} {
			if !slices.ContainsFunc(sets[1+i].Players, func(c Choice) bool { return c.Name == name }) {
				t.Errorf("%s has no %s", set.Name(), name)
			}
		}
	}
}
