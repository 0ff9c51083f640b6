package play

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
)

// custom is a rule set of no other program: rolls of two digits, ten pieces and a short path.
const custom = `{"name": "mine", "board": ["###", "###", "###"], "light": ["A2", "A1", "B1", "B2", "B3", "A3"],
	"rosettes": ["A1", "C1", "B2"], "pieces": 3, "dice": [1, 2, 1],
	"safe_rosettes": true, "roll_after_rosette": true, "roll_after_capture": false}`

// otherRuleSets are the built-in rule sets but Finkel's, and a custom one.
func otherRuleSets(t *testing.T) []*board.Rules {
	t.Helper()
	mine, err := board.Parse([]byte(custom))
	if err != nil {
		t.Fatal(err)
	}
	return append(board.List()[1:], mine)
}

// playersFor parses players for a rule set.
func playersFor(t *testing.T, r *board.Rules, specs ...string) (players []Player) {
	t.Helper()
	for _, spec := range specs {
		p, err := ParsePlayerFor(r, spec)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, p)
	}
	return players
}

// A match under any rules has the same score on any number of threads, recorded or not.
func TestMatchUnderRules(t *testing.T) {
	for _, r := range otherRuleSets(t) {
		players := playersFor(t, r, "greedy", "random")
		c := MatchConfig{Players: players, Rules: r, Games: 41, Seed: 3, Parallel: 1}
		want, err := Match(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		var games []*record.Game
		c.Parallel, c.Record = 3, func(g *record.Game) error { games = append(games, g); return nil }
		got, err := Match(context.Background(), c)
		if err != nil || !reflect.DeepEqual(got.Score, want.Score) {
			t.Errorf("%s: %+v on three threads, %+v on one, %v", r.Name(), got.Score, want.Score, err)
		}
		if len(games) != c.Games {
			t.Fatalf("%s: %d records of %d games", r.Name(), len(games), c.Games)
		}
		turns := int64(0)
		for _, g := range games {
			turns += int64(len(g.Turns))
		}
		if turns != want.Tally.Turns {
			t.Errorf("%s: %d turns on record, %d were played", r.Name(), turns, want.Tally.Turns)
		}
	}
}

func TestPlayersOfOtherRules(t *testing.T) {
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	for _, spec := range []string{"brain", "tree", "greedy:linear"} {
		if _, err := ParsePlayerFor(blitz, spec); err == nil || !strings.Contains(err.Error(), `plays Finkel's rules only, not "blitz"`) {
			t.Errorf("%s: %v", spec, err)
		}
		brain, err := ParsePlayerFor(board.Finkel(), spec)
		if err != nil {
			t.Fatal(err)
		}
		err = MatchConfig{Players: []Player{brain, First}, Rules: blitz, Games: 1}.Check()
		if err == nil || !strings.Contains(err.Error(), "Finkel's rules only") {
			t.Errorf("%s sits down at blitz: %v", spec, err)
		}
	}
	if err := (MatchConfig{Players: []Player{First, First}, Rules: blitz, Pieces: 11, Games: 1}).Check(); err == nil {
		t.Error("11 pieces are accepted")
	}
}

// The built-in net of a rule set plays as the search of one ply with its values, and so does the
// table of a small game.
func TestSearchFollowsItsLeaf(t *testing.T) {
	blitz, err := testkit.Must(board.Lookup("blitz"))(t).WithPieces(2)
	if err != nil {
		t.Fatal(err)
	}
	values, err := solve.Solve(t.Context(), blitz, solve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "blitz.urt")
	if err := values.Write(t.Context(), file, solve.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, pair := range [][2]string{
		{"net", "search:depth=1,leaf=net"},
		{"perfect:" + file, "search:depth=1,leaf=perfect:" + file},
	} {
		players := playersFor(t, blitz, append(pair[:], "random")...)
		var scores [2]Score
		for i := range scores {
			r, err := Match(t.Context(), MatchConfig{Players: []Player{players[i], players[2]}, Rules: blitz, Games: 20})
			if err != nil {
				t.Fatal(err)
			}
			scores[i] = r.Score
		}
		if scores[0] != scores[1] {
			t.Errorf("%s scores %+v, %s %+v", pair[0], scores[0], pair[1], scores[1])
		}
	}
	if stats, err := Regret(t.Context(), playersFor(t, blitz, "perfect:"+file)[0], values, nil, solve.RegretOptions{Decisions: 200}); err != nil || stats.Mean > 0.001 {
		t.Errorf("perfect play by the file has a regret of %v, %v", stats.Mean, err)
	}
}

func TestLevelsUnderRules(t *testing.T) {
	blitz := testkit.Must(board.Lookup("blitz"))(t)
	players := playersFor(t, blitz, "level:9", "level:2")
	r, err := Match(t.Context(), MatchConfig{Players: players, Rules: blitz, Games: 100})
	if err != nil || r.Wins[0] < 60 {
		t.Errorf("level 9 wins %d of 100 games against level 2, %v", r.Wins[0], err)
	}
	mine := otherRuleSets(t)[len(board.List())-1]
	for _, spec := range []string{"level:3", "net", "search:depth=1,leaf=net"} {
		if _, err := ParsePlayerFor(mine, spec); err == nil || !strings.Contains(err.Error(), `no built-in net of the rule set "mine"`) {
			t.Errorf("%s of a rule set without a net: %v", spec, err)
		}
	}
	if err := (MatchConfig{Players: players, Games: 1}).Check(); err == nil {
		t.Error("levels of blitz play Finkel's rules")
	}
}
