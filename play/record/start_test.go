package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// A game that begins with a position other than the start comes back from every format that can
// hold it, under every kind of rules, and a start that does not fit is rejected.
func TestStartIsKept(t *testing.T) {
	aseb, err := board.Lookup("aseb")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		game    Game
		start   string
		damaged [2]string
	}{
		{
			Game{Rules: board.Finkel(), Pieces: 7, Turns: []Turn{{Roll: 0, From: Pass}, {Roll: 3, From: 1}}}, "6:L.............:0 5:...D..D.......:0 D",
			[2]string{"5:L.............:0 5:...D..D.......:0 D", "6:L.............:0 6:...D..D.......:0 L"},
		},
		{
			Game{Rules: aseb, Pieces: 5, Turns: []Turn{{Roll: 0, From: Pass}, {Roll: 3, From: 1}}}, "4:L...............:0 3:...D..D.........:0 D",
			[2]string{"3:L...............:0 3:...D..D.........:0 D", "4:L.............:0 3:...D..D.......:0 D"},
		},
	} {
		game := &test.game
		game.Players = [2]string{"a", "b"}
		if err := game.SetStart(test.start); err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats() {
			checkStartIsKept(t, format, game, test.damaged[:])
		}
	}
}

func checkStartIsKept(t *testing.T, format Format, game *Game, damaged []string) {
	t.Helper()
	var text strings.Builder
	w := NewWriter(&text, format)
	if err := w.Write(game); format.Name == royalUrFormat.Name {
		if err == nil {
			t.Error("RoyalUr's JSON holds a start that its programs cannot read")
		}
		return
	} else if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := NewReader(strings.NewReader(text.String()), format).Next()
	if err != nil {
		t.Errorf("%s: %v\n%s", format.Name, err, &text)
		return
	}
	if got.StartText() != game.StartText() || !slices.Equal(got.Turns, game.Turns) {
		t.Errorf("%s: the start is %s and the turns %v, want %s and %v", format.Name, got.StartText(), got.Turns, game.StartText(), game.Turns)
	}
	for _, other := range damaged {
		text := strings.Replace(text.String(), game.StartText(), other, 1)
		if _, err := NewReader(strings.NewReader(text), format).Next(); err == nil {
			t.Errorf("%s: the start %s was accepted instead of %s", format.Name, other, game.StartText())
		}
	}
}
