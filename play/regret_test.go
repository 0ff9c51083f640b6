package play

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/solve/solvetest"
)

func TestRegretOfPlayers(t *testing.T) {
	table := solvetest.Table(t, 2)
	mean := map[string]float64{}
	for _, name := range []string{"first", "random", "brain:classic"} {
		p, err := ParsePlayer(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Regret(t.Context(), p, table, nil, solve.RegretOptions{Pieces: 2, Decisions: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		mean[name] = s.Mean
	}
	if !(0 < mean["brain:classic"] && mean["brain:classic"] < mean["first"] && mean["first"] < 100) {
		t.Errorf("mean regrets %v: a brain must be better than the first move", mean)
	}
	s, err := Regret(t.Context(), NewPerfect("perfect", board.Finkel(), OneTable(table)), table, nil, solve.RegretOptions{Pieces: 2, All: true})
	if err != nil || s.Mean != 0 || s.Optimal != 1 {
		t.Errorf("perfect play: %+v, %v", s, err)
	}
}

// BenchmarkDecision measures a decision of a brain in positions that do not follow
// each other, which [FastestChooser] goes by.
func BenchmarkDecision(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var turns []Turn
	for len(turns) < 4096 {
		t := Turn{Rules: board.Finkel(), Position: board.Finkel().Random(rng, 7), Roll: 1 + rng.IntN(4)}
		if t.Moves = board.Finkel().Moves(nil, t.Position, t.Roll); len(t.Moves) > 1 {
			turns = append(turns, t)
		}
	}
	for _, e := range engine.Available() {
		representation, eval, _ := strings.Cut(e.Name(), "/")
		b.Run("board="+representation+"/eval="+eval, func(b *testing.B) {
			instance, err := Brain{Spec: "brain", Weights: ur.DefaultBrain()}.Player().New(e)
			if err != nil {
				b.Fatal(err)
			}
			i := 0
			for b.Loop() {
				if _, err := instance.Choose(b.Context(), &turns[i%len(turns)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/decision")
		})
	}
}
