package work

import (
	"encoding/json"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/testkit"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/train"
)

// An evolution whose games are played on a fleet learns the same brain.
func TestEvolutionIsThatOfOneMachine(t *testing.T) {
	t.Parallel()
	evolve := func(backend match.Backend[play.MatchConfig, play.Score]) *ur.Brain {
		c := train.EvolveConfig{Pairs: 4, Games: 64}
		c.Seed, c.Pieces = 3, 2
		if backend != nil {
			c.PlayAt(backend, 8)
		}
		e := testkit.Must(c.Learner(t.Context()))(t)
		for range 3 {
			if _, err := e.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return e.(interface{ Brain() *ur.Brain }).Brain()
	}
	duels := testkit.Must(NewDuels(t.Context(), newFleet(t, 2)))(t)
	if got, want := evolve(duels), evolve(nil); *got != *want || *want == (ur.Brain{}) {
		t.Errorf("on the fleet %v, alone %v", got, want)
	}
}

// A duel that is damaged on the way, or asked for under another number, is not fought.
func TestDuelsThatCannotBe(t *testing.T) {
	t.Parallel()
	runner := duelRunner{engine.Fastest()}
	w := duelWork{
		First: packWeights(ur.DefaultBrain()), Second: packWeights(ur.ClassicBrain()),
		Seed: 1, Span: match.Span{Pairs: 10}, Pieces: 3, TurnLimit: 1000,
	}
	run := func(w duelWork, shift uint64) (any, error) {
		data := testkit.Must(json.Marshal(w))(t)
		_, task, err := w.hashDuel()
		if err != nil {
			t.Fatal(err)
		}
		return runner.Run(t.Context(), task+shift, data)
	}
	got := testkit.Must(run(w, 0))(t)
	want, err := play.Match(t.Context(), play.MatchConfig{
		Players: []play.Player{player(t, "brain"), player(t, "brain:classic")}, Seed: 1, Games: 20,
		Pieces: 3, Engine: engine.Oracle(),
	})
	if err != nil || got.(duelAnswer).Score != want.Score {
		t.Errorf("fought %+v, alone %+v (%v)", got, want, err)
	}
	for name, change := range map[string]func(w *duelWork) uint64{
		"another number": func(*duelWork) uint64 { return 1 },
		"a short brain":  func(w *duelWork) uint64 { w.First = w.First[1:]; return 0 },
		"no brain":       func(w *duelWork) uint64 { w.Second = nil; return 0 },
		"eight pieces":   func(w *duelWork) uint64 { w.Pieces = board.FinkelPieces + 1; return 0 },
		"no turns":       func(w *duelWork) uint64 { w.TurnLimit = 0; return 0 },
		"fewer pairs":    func(w *duelWork) uint64 { w.Span.Pairs = -1; return 0 },
	} {
		changed := w
		shift := change(&changed)
		if _, err := run(changed, shift); err == nil {
			t.Errorf("%s: the duel is fought", name)
		}
	}
}
