package rating

import (
	"math"
	"testing"
)

// The ends of Wilson's interval are the rates p for which the observed rate lies
// exactly z standard deviations from p: the equation that it solves.
func TestWilson(t *testing.T) {
	const z = 1.959963984540054
	for _, games := range []int64{1, 2, 10, 1000, 1_000_000} {
		for _, wins := range []int64{0, 1, games / 2, games - 1, games} {
			low, high := Wilson(wins, games)
			rate, n := float64(wins)/float64(games), float64(games)
			if low > rate || rate > high || low < 0 || high > 1 {
				t.Errorf("%d of %d: %g is not between %g and %g", wins, games, rate, low, high)
			}
			for _, p := range []float64{low, high} {
				if p == 0 || p == 1 {
					continue
				}
				if got := math.Abs(rate-p) / math.Sqrt(p*(1-p)/n); math.Abs(got-z) > 1e-6 {
					t.Errorf("%d of %d: the end %g is %g standard deviations away, want %g", wins, games, p, got, z)
				}
			}
		}
	}
	if low, high := Wilson(0, 0); low != 0 || high != 1 {
		t.Errorf("no games: %g to %g", low, high)
	}
}

// The interval contains the rate itself, also where it ends there, as when all trials
// were hits: by rounding alone it would not, from 14 on.
func TestWilsonContainsItsRate(t *testing.T) {
	for trials := int64(1); trials <= 3000; trials++ {
		for _, hits := range []int64{0, 1, trials / 3, trials - 1, trials} {
			if low, high := Wilson(hits, trials); low > float64(hits)/float64(trials) || high < float64(hits)/float64(trials) {
				t.Fatalf("%d of %d: %g to %g", hits, trials, low, high)
			}
		}
	}
}
