package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// pairModel is a distribution of pairs: of two games of expected score s whose
// results have a covariance.
type pairModel struct{ s, covariance float64 }

// draw adds n pairs to p.
func (m pairModel) draw(rng *rand.Rand, p *Pairs, n int) {
	both, none := m.s*m.s+m.covariance, (1-m.s)*(1-m.s)+m.covariance
	for range n {
		switch u := rng.Float64(); {
		case u < both:
			p[4]++
		case u < both+none:
			p[0]++
		default:
			p[2]++
		}
	}
}

// variance of the mean of the two games.
func (m pairModel) variance() float64 { return (m.s*(1-m.s) + m.covariance) / 2 }

// The intervals must hold the true score in 95 % of all matches, whether the dice
// bind the games of a pair together or set them against each other, and where one
// player nearly always wins. Intervals that took the games for independent would not.
func TestPairsInterval(t *testing.T) {
	const runs = 4000
	rng := rand.New(rand.NewPCG(95, 1))
	for _, m := range []pairModel{{0.5, 0}, {0.5, 0.12}, {0.5, -0.12}, {0.62, 0.05}, {0.9, 0.02}, {0.97, 0}} {
		for _, pairs := range []int{30, 400} {
			held, ratio := 0, 0.0
			for range runs {
				var p Pairs
				m.draw(rng, &p, pairs)
				low, high := p.Interval()
				if low <= m.s && m.s <= high {
					held++
				}
				ratio += p.VarianceRatio() / runs
			}
			if rate := float64(held) / runs; rate < 0.93 || rate > 0.98 {
				t.Errorf("%+v, %d pairs: %.1f %% of the intervals hold the score", m, pairs, 100*rate)
			}
			if want := m.variance() / (m.s * (1 - m.s) / 2); pairs == 400 && math.Abs(ratio-want) > 0.05 {
				t.Errorf("%+v: variance ratio %.3f, want %.3f", m, ratio, want)
			}
		}
	}
}

// Superiority must be as good as it says: it is uniform where both are equal.
func TestSuperiority(t *testing.T) {
	const runs = 4000
	rng := rand.New(rand.NewPCG(95, 2))
	for _, m := range []pairModel{{0.5, 0}, {0.5, 0.1}, {0.5, -0.1}} {
		above := 0
		for range runs {
			var p Pairs
			m.draw(rng, &p, 200)
			if p.Superiority() > 0.9 {
				above++
			}
		}
		if rate := float64(above) / runs; rate < 0.08 || rate > 0.12 {
			t.Errorf("%+v: superiority is above 0.9 in %.1f %% of the matches, want 10", m, 100*rate)
		}
	}
}

func TestPairsWithoutGamesOrDoubt(t *testing.T) {
	var none Pairs
	if low, high := none.Interval(); none.Score() != 0.5 || low != 0 || high != 1 || none.Superiority() != 0.5 {
		t.Errorf("no pair: score %g in %g..%g, superiority %g", none.Score(), low, high, none.Superiority())
	}
	all := Pairs{4: 10}
	low, high := all.Interval()
	if wilsonLow, _ := Wilson(20, 20); all.Score() != 1 || low != wilsonLow || high != 1 || all.VarianceRatio() != 1 {
		t.Errorf("10 pairs won: score %g in %g..%g, variance ratio %g", all.Score(), low, high, all.VarianceRatio())
	}
	split := Pairs{2: 10}
	if low, high := split.Interval(); split.Score() != 0.5 || high-low < 0.1 || high-low > 0.3 {
		t.Errorf("10 pairs split: score %g in %g..%g", split.Score(), low, high)
	}
	if p := (Pairs{1, 2, 3, 4, 5}); p.N() != 15 || p.Score() != 40./60 {
		t.Errorf("%v: %d pairs of score %g", p, p.N(), p.Score())
	}
}

func TestElo(t *testing.T) {
	for _, test := range []struct{ elo, score float64 }{{0, 0.5}, {400, 10. / 11}, {-400, 1. / 11}, {800, 100. / 101}} {
		if got := Expected(test.elo); math.Abs(got-test.score) > 1e-15 {
			t.Errorf("%g points: score %g, want %g", test.elo, got, test.score)
		}
		if got := Elo(test.score); math.Abs(got-test.elo) > 1e-11 {
			t.Errorf("score %g: %g points, want %g", test.score, got, test.elo)
		}
	}
	if !math.IsInf(Elo(1), 1) || !math.IsInf(Elo(0), -1) {
		t.Errorf("scores 1 and 0 are %g and %g points", Elo(1), Elo(0))
	}
}
