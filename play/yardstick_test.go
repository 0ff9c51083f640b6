package play

import (
	"math"
	"os"
	"testing"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// TestYardstick holds that TD-Ur's published net gives away what an independent program found
// that it does: by its own rule at 2 plies, after a move the reply of the best value for each
// roll, weighted by the dice. The net is no part of this tree: UR_TDUR_NET names its file, or
// it lies beside the checkout. The exact solution must be in the cache.
func TestYardstick(t *testing.T) {
	name := os.Getenv("UR_TDUR_NET")
	if name == "" {
		name = "../../shared/vectors/tdur.json"
	}
	n, err := valuenet.Open(name)
	if os.IsNotExist(err) {
		t.Skip("TD-Ur's net is not here: UR_TDUR_NET names its file")
	}
	if err != nil {
		t.Fatal(err)
	}
	table, err := DefaultTables().Find(board.Finkel())
	if err != nil {
		t.Skipf("no exact solution by which to measure: %v", err)
	}
	q, err := valuenet.Quantise(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		plies, decisions int
		want             float64 // points a decision
	}{{1, 300_000, 0.068}, {2, 100_000, 0.045}} {
		if testing.Short() {
			c.decisions /= 4 // another sample, of the same mean
		}
		p := Net{Spec: "net:" + name, Value: q}.Player()
		if c.plies > 1 {
			p = Net{Spec: "net:" + name, Value: q}.ahead(c.plies).Player()
		}
		stats, err := Regret(t.Context(), p, table, nil,
			solve.RegretOptions{Pieces: board.FinkelPieces, Decisions: c.decisions, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d plies: %.4f points over %d decisions", c.plies, stats.Mean, stats.Decisions)
		if math.Abs(stats.Mean-c.want) > 0.002 {
			t.Errorf("at %d plies it gives away %.4f points, want %.3f within 0.002", c.plies, stats.Mean, c.want)
		}
	}
}
