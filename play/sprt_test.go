package play

import (
	"context"
	"testing"

	"github.com/seed-09dcdc84/ur/rating"
)

// defaultTest returns the default test.
func defaultTest() *rating.SPRT {
	test := rating.DefaultSPRT()
	return &test
}

func TestSPRTStopsAMatch(t *testing.T) {
	for _, test := range []struct {
		first, second Player
		want          rating.TestDecision
	}{{classic, small, rating.AcceptedH1}, {small, classic, rating.AcceptedH0}, {slowBrain, First, rating.AcceptedH1}} {
		var want string
		for _, threads := range []int{1, 2, 5} {
			var told int64
			c := MatchConfig{
				Players: []Player{test.first, test.second}, Seed: 3, Games: 1_000_000, Parallel: threads, SPRT: defaultTest(),
			}
			r, err := Match(context.Background(), c)
			if err != nil || r.Decision != test.want {
				t.Fatalf("%s against %s: %s, %v, want %s", test.first.Spec, test.second.Spec, r.Decision, err, test.want)
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
