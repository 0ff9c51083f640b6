package record

import (
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// A start that does not fit the rules, the pieces or the turns is rejected.
func TestBadStart(t *testing.T) {
	for _, test := range []struct{ rules, start, bad, worse string }{
		{
			"finkel", "6:L.............:0 5:...D..D.......:0 D",
			"5:L.............:0 5:...D..D.......:0 D", "6:L.............:0 6:...D..D.......:0 L",
		},
		{
			"aseb", "4:L...............:0 3:...D..D.........:0 D",
			"3:L...............:0 3:...D..D.........:0 D", "4:L.............:0 3:...D..D.......:0 D",
		},
	} {
		r := testkit.Must(board.Lookup(test.rules))(t)
		game := &Game{Rules: r, Pieces: r.Pieces(), Turns: []Turn{{Roll: 0, From: Pass}, {Roll: 3, From: 1}}}
		if err := game.SetStart(test.start); err != nil {
			t.Fatal(err)
		}
		for _, format := range Formats() {
			if format.One {
				continue
			}
			for _, other := range []string{test.bad, test.worse} {
				text := strings.Replace(write(t, format, game), test.start, other, 1)
				if _, err := NewReader(strings.NewReader(text), format).Next(); err == nil {
					t.Errorf("%s: the start %s was accepted instead of %s", format.Name, other, test.start)
				}
			}
		}
	}
}
