package record

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
)

// A game that begins with a position other than the start comes back from every format that can
// hold it, and a start that does not fit is rejected.
func TestStartIsKept(t *testing.T) {
	start, err := board.ParsePosition("6:L.............:0 5:...D..D.......:0 D")
	if err != nil {
		t.Fatal(err)
	}
	game := &Game{Players: [2]string{"a", "b"}, Pieces: 7, Start: start, Turns: []Turn{{Roll: 0, From: Pass}, {Roll: 3, From: 1}}}
	for _, format := range Formats() {
		var text strings.Builder
		w := NewWriter(&text, format)
		if err := w.Write(game); format.Name == royalUrFormat.Name {
			if err == nil {
				t.Error("RoyalUr's JSON holds a start that its programs cannot read")
			}
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := NewReader(strings.NewReader(text.String()), format).Next()
		if err != nil {
			t.Errorf("%s: %v\n%s", format.Name, err, &text)
			continue
		}
		if got.Start != start || !slices.Equal(got.Turns, game.Turns) {
			t.Errorf("%s: the start is %s and the turns %v, want %s and %v", format.Name, got.Start, got.Turns, start, game.Turns)
		}
		for _, damaged := range []string{"5:L.............:0 5:...D..D.......:0 D", "6:L.............:0 6:...D..D.......:0 L"} {
			text := strings.Replace(text.String(), start.String(), damaged, 1)
			if _, err := NewReader(strings.NewReader(text), format).Next(); err == nil {
				t.Errorf("%s: the start %s was accepted instead of %s", format.Name, damaged, start)
			}
		}
	}
}
