package train

import (
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/rating"
)

// TestJudgeTest decides between brains of known strength.
func TestJudgeTest(t *testing.T) {
	j := judge{engine: engine.Fastest(), pieces: 7, turnLimit: 4000}
	test := rating.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	zero, classic := new(ur.Brain), ur.ClassicBrain()
	for _, meeting := range []struct {
		first, second *ur.Brain
		want          rating.TestDecision
	}{{classic, zero, rating.AcceptedH1}, {zero, classic, rating.AcceptedH0}} {
		got, pairs, err := j.test(t.Context(), test, 50_000, meeting.first, meeting.second, 3)
		if err != nil || got != meeting.want || pairs.N() != 4*judgeChunk {
			t.Errorf("decision %v after %d pairs, error %v", got, pairs.N(), err)
		}
	}
}

// Pairs are counted as a match does.
func TestJudgeCountsPairs(t *testing.T) {
	j := judge{engine: engine.Fastest(), pieces: 3, turnLimit: 4000, parallel: 2}
	first, second := ur.ClassicBrain(), ur.DefaultBrain()
	pairs, err := j.match(t.Context(), first, second, 5, 0, 3000)
	if err != nil {
		t.Fatal(err)
	}
	want, err := play.Match(t.Context(), play.MatchConfig{
		Players: []play.Player{play.Brain{Spec: "a", Weights: first}, play.Brain{Spec: "b", Weights: second}},
		Games:   6000, Seed: 5, Pieces: 3,
	})
	if err != nil || pairs != want.Pairs || pairs.Wins() != want.Wins[0] {
		t.Errorf("pairs %v and %d wins, of a match %v and %d, %v", pairs, pairs.Wins(), want.Pairs, want.Wins[0], err)
	}
}
