package play_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/search"
)

func parse(t *testing.T, spec string) play.Player {
	p := testkit.Must(play.ParsePlayer(spec))(t)
	if p.Spec != spec {
		t.Errorf("player %q is called %q", spec, p.Spec)
	}
	return p
}

// A player with a book plays its moves, searches where it has none, and refuses a book of another
// game.
func TestSearchPlaysByTheBook(t *testing.T) {
	p := board.Finkel().Apply(board.StartPosition(board.FinkelPieces),
		board.Finkel().Moves(nil, board.StartPosition(board.FinkelPieces), 4)[0])
	const roll = 2
	moves := board.Finkel().Moves(nil, p, roll)
	if len(moves) != 2 {
		t.Fatalf("%v has the moves %v", board.Finkel().FormatPosition(p), moves)
	}
	name := filepath.Join(t.TempDir(), "ur.book")
	save := func(game string, best int) {
		b := testkit.Must(search.NewBook(game))(t)
		for i, m := range moves {
			score := search.Value(0)
			if i == best {
				score = 1
			}
			testkit.NoError(t, b.Score(play.BookKey(board.Finkel(), p, roll), m.From, score, 1))
		}
		var file bytes.Buffer
		if _, err := b.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		testkit.NoError(t, os.WriteFile(name, file.Bytes(), 0o666))
	}
	choose := func(spec string, roll int) int {
		instance := testkit.Must(parse(t, spec).New(nil))(t)
		choice := testkit.Must(instance.Choose(t.Context(),
			&play.Turn{Rules: board.Finkel(), Position: p, Roll: roll, Moves: board.Finkel().Moves(nil, p, roll)}))(t)
		return choice
	}
	for best := range moves {
		save("ur", best)
		if got := choose("search:depth=1,book="+name, roll); got != best {
			t.Errorf("plays move %d, the book %d", got, best)
		}
		if got, want := choose("search:depth=1,book="+name, 1), choose("search:depth=1", 1); got != want {
			t.Errorf("without a move in the book plays move %d, want %d", got, want)
		}
	}
	save("reversi", 0)
	if _, err := play.ParsePlayer("search:depth=1,book=" + name); err == nil ||
		!strings.Contains(err.Error(), "book of the game") {
		t.Errorf("a book of reversi: error %v", err)
	}
}

func TestSearchSpecs(t *testing.T) {
	for _, good := range []string{
		"search:depth=1", "search:time=10ms", "search:time=100ms,leaf=net", "search:nodes=1000,threads=1",
		"search:depth=2,algorithm=star1,memory=64KB",
	} {
		parse(t, good)
	}
	for bad, want := range map[string]string{
		"search":                               "no options",
		"search:":                              "no options",
		"search:leaf=brain":                    "no limit",
		"search:depth=0":                       "1 to 64",
		"search:depth=65":                      "1 to 64",
		"search:depth=two":                     "1 to 64",
		"search:depth=2,depth=3":               "unknown or repeated option",
		"search:deep=3":                        "unknown or repeated option",
		"search:time=0":                        "100ms",
		"search:time=-3s":                      "100ms",
		"search:depth=2,memory=0":              "64 to",
		"search:depth=2,memory=63":             "64 to",
		"search:depth=2,memory=9999999GB":      "this machine's memory",
		"search:depth=2,memory=99999999999999": "this machine's memory",
		"search:depth=2,algorithm=magic":       "unknown algorithm",
		"search:depth=2,algorithm=pvs":         "without dice",
		"search:depth=2,leaf=guess":            "unknown leaf",
		"search:depth=2,leaf=net@2":            "without @",
		"search:depth=2,leaf=random":           "unknown leaf",
		"search:depth=2,leaf=search:depth=1":   "unknown leaf",
		"search:depth=2,leaf=network":          "unknown leaf",
		"search:depth=2,leaf=net:":             "names no file",
		"search:depth=2,leaf=brain:":           "names no file",
		"search:depth=2,leaf=perfect:":         "names no file",
		"search:depth=2,book=":                 "names no file",
		"search:depth=2,leaf=perfect:" + filepath.Join(t.TempDir(), "none.urt"): "no such file",
	} {
		if _, err := play.ParsePlayer(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", bad, err, want)
		}
	}
}
