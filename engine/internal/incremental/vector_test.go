package incremental

import (
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// The kernel must add what state.add adds, and stop at guard pages.
func TestAddRowIsAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	g, err := newGame(ur.Setup{Light: randomBrain(rng, 1<<15), Dark: randomBrain(rng, 1<<15)})
	if err != nil {
		t.Fatal(err)
	}
	for _, atEnd := range []bool{false, true} {
		s, r := testkit.Guarded[state](t, atEnd), testkit.Guarded[row](t, atEnd)
		for range 1000 {
			s.set(board.Finkel().Random(rng, board.FinkelPieces), &g.fields)
			*r = g.tables[rng.IntN(len(g.tables))].row[rng.IntN(len(g.tables[0].row))]
			want := *s
			want.add(r)
			addRow(s, r)
			if *s != want {
				t.Fatalf("the kernel gives %+v, want %+v", *s, want)
			}
		}
	}
}
