//go:build !purego

package lanes

import (
	"slices"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine/form"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernels must keep to their state, their tables and the winners, on whichever side of
// them a page cannot be touched.
func TestKernelsStopAtGuardPages(t *testing.T) {
	if err := ur.Available(AVX512); err != nil {
		t.Skip(err)
	}
	const n = 90
	series := ur.Series{Seed: 3, N: n}
	for _, dark := range []*ur.Brain{ur.ClassicBrain(), new(ur.Brain)} {
		setup := ur.Setup{Light: ur.ClassicBrain(), Dark: dark, Pieces: board.FinkelPieces, TurnLimit: ur.DefaultTurnLimit}
		want := make([]board.Side, n)
		tally, err := oracle(t, setup).Games(want, series)
		if err != nil {
			t.Fatal(err)
		}
		for _, atEnd := range []bool{false, true} {
			for w := packed16; w <= plain16; w++ {
				g := newGame(setup, form.Both(setup), w)
				state, tables := testkit.Guarded[state](t, atEnd), testkit.Guarded[tables](t, atEnd)
				winners := testkit.Guarded[[n]board.Side](t, atEnd)
				before := *g.tables
				*tables = before
				g.state, g.tables = state, tables
				if got, err := g.Games(nil, series); err != nil || got != tally {
					t.Errorf("width %d: %+v, %v; want %+v", w, got, err, tally)
				}
				if *tables != before {
					t.Errorf("width %d: the tables were written", w)
				}
				if got, err := g.Games(winners[:], series); err != nil || got != tally || !slices.Equal(winners[:], want) {
					t.Errorf("width %d: winners %v, %v; want %v", w, winners, err, want)
				}
			}
		}
	}
}
