package play

import (
	"context"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/rating"
)

func TestSPRTStopsAMatch(t *testing.T) {
	for _, test := range []struct {
		first, second Player
		want          rating.Decision
	}{{classic, small, rating.AcceptedH1}, {small, classic, rating.AcceptedH0}, {slowBrain{classic}, First{}, rating.AcceptedH1}} {
		var want string
		for _, threads := range []int{1, 2, 5} {
			var told int64
			c := MatchConfig{
				Players: [2]Player{test.first, test.second}, Seed: 3, Games: 1_000_000, Parallel: threads, SPRT: &rating.DefaultSPRT,
			}
			r, err := Match(context.Background(), c)
			if err != nil || r.Decision != test.want {
				t.Fatalf("%s against %s: %s, %v, want %s", test.first.Name(), test.second.Name(), r.Decision, err, test.want)
			}
			told = r.Tally.Games
			if want == "" {
				want = outcome(r)
			}
			if told == 0 || told >= 1_000_000 || outcome(r) != want {
				t.Errorf("%d threads: %s, one %s", threads, outcome(r), want)
			}
			// What counts is what a match of that many games without a test is.
			c.SPRT, c.Games = nil, int(told)
			if plain := mustMatch(t, c); plain.Score != r.Score {
				t.Errorf("%d games give %+v, the test stopped at %+v", told, plain.Score, r.Score)
			}
		}
	}
}

func TestSPRTMayNotDecide(t *testing.T) {
	r := mustMatch(t, MatchConfig{Players: [2]Player{classic, classic}, Games: 501, SPRT: &rating.SPRT{Elo0: -1, Elo1: 1, Alpha: 0.05, Beta: 0.05}})
	if r.Decision != rating.Undecided {
		t.Errorf("a player is found to be stronger than itself: %s", r.Decision)
	}
}

// A game without end that comes before the decision must be told, one behind it not,
// whoever is faster.
func TestSPRTAndAGameWithoutEnd(t *testing.T) {
	limit := &ur.TurnLimitError{Game: 500}
	won := Score{Pairs: rating.Pairs{4: 1000}}
	for _, test := range []struct {
		spans map[int]finished
		order []int
		want  error
	}{
		{map[int]finished{0: {score: won}, 1: {err: limit}}, []int{1, 0}, nil},
		{map[int]finished{0: {score: won}, 1: {err: limit}}, []int{0, 1}, nil},
		{map[int]finished{0: {err: limit}, 1: {score: won}}, []int{1, 0}, limit},
		{map[int]finished{0: {err: limit}, 1: {score: won}}, []int{0, 1}, limit},
	} {
		m := newMatch(MatchConfig{Games: 1 << 30, Parallel: 2, SPRT: &rating.DefaultSPRT})
		for _, number := range test.order {
			m.finish(number, test.spans[number])
		}
		m.close()
		if m.err != test.want || (m.result.Decision == rating.AcceptedH1) != (test.want == nil) {
			t.Errorf("order %v: %v, %s; want %v", test.order, m.err, m.result.Decision, test.want)
		}
	}
}
