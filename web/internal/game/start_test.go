package game

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit/sandbox"
)

// A game begins with any position and roll, and texts of all kinds lead back to it.
func TestGameFromPosition(t *testing.T) {
	r := newService()
	const start = "6:L.............:0 5:...D..D.......:0 D"
	for roll := range board.FinkelRoll + 1 {
		v := ask[*View](t, r, "new", Question{Light: "human", Dark: "human", Start: start, Roll: &roll})
		if *v.Roll != roll || v.Side != "dark" || v.Board[16+4] != 1 {
			t.Errorf("roll %d: the view is %+v", roll, v)
		}
		if roll == 0 {
			v = ask[*View](t, r, "go", Question{Game: v.Game})
		} else {
			v = ask[*View](t, r, "move", Question{Game: v.Game, From: v.Moves[0].From})
		}
		for _, text := range []string{v.Game, "http://127.0.0.1:8571/#/g/" + v.Game, ask[Text](t, r, "record", Question{Game: v.Game, Form: "rgn"}).Text,
			ask[Text](t, r, "record", Question{Game: v.Game, Form: "jsonl"}).Text, ask[Text](t, r, "record", Question{Game: v.Game, Form: "text"}).Text} {
			if back := ask[*View](t, r, "read", Question{Text: text}); back.Game != v.Game {
				t.Errorf("%q was read as %s, want %s", text, back.Game, v.Game)
			}
		}
	}
	if v := ask[*View](t, r, "read", Question{Text: start}); v.Side != "dark" || len(v.Turns) != 0 {
		t.Errorf("the position was read as %+v", v)
	}
}

// No title is used twice, and the puzzles and levels of the program can be read.
func TestChoicesHaveTitles(t *testing.T) {
	seen := map[string]string{}
	strong := regexp.MustCompile("(a beginner|a novice|learning|casual|steady|good|strong|an expert|perfect|perfect play|Person)$|^Perfect play|: near perfect, quick$")
	for _, c := range listPlayers(board.Finkel()) {
		if c.Title == c.Name || strings.ContainsAny(c.Title, "@=") || !strong.MatchString(c.Title) {
			t.Errorf("the title of %s is %q, want a strength in it", c.Name, c.Title)
		}
		if other := seen[c.Title]; other != "" {
			t.Errorf("%s and %s are both called %q", c.Name, other, c.Title)
		}
		seen[c.Title] = c.Name
	}
	if n := len(levels()); n != 10 {
		t.Errorf("%d levels are on record, want 10", n)
	}
	if p := ask[puzzleList](t, newService(), "puzzles", Question{}); len(p.Puzzles) < 20 || len(p.Puzzles[0].Moves) < 2 {
		t.Errorf("%d puzzles", len(p.Puzzles))
	}
}

// The players of a link that cannot move here are named when it is opened, and nothing is asked of
// them.
func TestUnavailablePlayers(t *testing.T) {
	sandbox.SetHome(t, t.TempDir()) // no tables
	for link, want := range map[string]string{
		"7/1.0/human/level:44":          `"level:44" is no player`,
		"7/1.0/net@99/human":            `"net@99" is no player`,
		"7/1.0/human/net:..%2f..%2fetc": `"net:../../etc" is no player`,
		"7/1.0/Ann/human":               `"Ann" is no player`,
		"5/1.0/human/perfect/////blitz": "needs the table of their solution",
		"7/1.0/human/greedy":            "",
		"7/1.0/human/search:depth=2":    "",
		"1//Ann/human/0-//r1":           "",
	} {
		v := ask[*View](t, newService(), "show", Question{Game: link})
		if (want == "") != (v.Why == "") || !strings.Contains(v.Why, want) {
			t.Errorf("%s: %q, want %q", link, v.Why, want)
		}
		if v.Why != "" && v.More && v.Side == "light" {
			t.Errorf("%s: the page is asked to go on", link)
		}
	}
}

// Without a table, perfect play is offered for small games only, and errors name neither a
// folder nor a command.
func TestPerfectWithoutTable(t *testing.T) {
	if exactPieces() == board.FinkelPieces {
		t.Skip("the table of the whole game is on this machine")
	}
	_, err := newService().Answer(t.Context(), "new", []byte(`{"light":"human","dark":"level:10"}`))
	if err == nil || strings.ContainsAny(err.Error(), `/\`) || strings.Contains(err.Error(), "ur solve") {
		t.Errorf("error %v, want a reason without a path or command", err)
	}
}
