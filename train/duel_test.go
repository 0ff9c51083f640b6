package train

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/rating"
)

// TestIsBetter decides between brains of known strength.
func TestIsBetter(t *testing.T) {
	c := BrainConfig{Engine: engine.Fastest(), Pieces: 7}
	test := rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	zero, classic := new(ur.Brain), ur.ClassicBrain()
	for _, meeting := range []struct {
		first, second *ur.Brain
		want          bool
	}{{classic, zero, true}, {zero, classic, false}} {
		got, err := c.isBetter(t.Context(), test, 50_000, meeting.first, meeting.second, 3)
		if err != nil || got != meeting.want {
			t.Errorf("better: %t, want %t, error %v", got, meeting.want, err)
		}
	}
}

// Pairs are counted as a match does.
func TestBrainsCountPairs(t *testing.T) {
	c := BrainConfig{Engine: engine.Fastest(), Pieces: 3, Parallel: 2}
	first, second := ur.ClassicBrain(), ur.DefaultBrain()
	pairs, err := c.playMatch(t.Context(), first, second, 5, 0, 3000)
	if err != nil {
		t.Fatal(err)
	}
	want, err := play.Match(t.Context(), play.MatchConfig{
		Players: []play.Player{play.Brain{Spec: "a", Weights: first}.Player(), play.Brain{Spec: "b", Weights: second}.Player()},
		Games:   6000, Seed: 5, Pieces: 3,
	})
	if err != nil || pairs != want.Pairs || pairs.Wins() != want.Wins[0] {
		t.Errorf("pairs %v and %d wins, of a match %v and %d, %v", pairs, pairs.Wins(), want.Pairs, want.Wins[0], err)
	}
}
