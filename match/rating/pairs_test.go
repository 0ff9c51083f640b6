package rating

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
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
			testkit.Near(t, float64(held)/runs, 0.955, 0.025, "%+v, %d pairs: part of the intervals that hold the score",
				m, pairs)
			if pairs == 400 {
				testkit.Near(t, ratio, m.variance()/(m.s*(1-m.s)/2), 0.05, "%+v: variance ratio", m)
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
		testkit.Near(t, float64(above)/runs, 0.1, 0.02, "%+v: part of the matches with a superiority above 0.9", m)
	}
}

func TestPairsWithoutGamesOrDoubt(t *testing.T) {
	var none Pairs
	low, high := none.Interval()
	testkit.Equal(t, []float64{none.Score(), low, high, none.Superiority()}, []float64{0.5, 0, 1, 0.5},
		"no pair: score, its interval, superiority")
	all := Pairs{4: 10}
	low, high = all.Interval()
	wilsonLow, _ := Wilson(20, 20)
	testkit.Equal(t, []float64{all.Score(), low, high, all.VarianceRatio()}, []float64{1, wilsonLow, 1, 1},
		"10 pairs won: score, its interval, variance ratio")
	split := Pairs{2: 10}
	low, high = split.Interval()
	testkit.Equal(t, split.Score(), 0.5, "score of 10 pairs split")
	testkit.Near(t, high-low, 0.2, 0.1, "width of the interval of 10 pairs split")
	testkit.Equal(t, Pairs{1, 2, 3, 4, 5}.N(), 15, "pairs")
	testkit.Equal(t, Pairs{1, 2, 3, 4, 5}.Score(), 40./60, "score")
}

func TestElo(t *testing.T) {
	for _, test := range []struct{ elo, score float64 }{{0, 0.5}, {400, 10. / 11}, {-400, 1. / 11}, {800, 100. / 101}} {
		testkit.Near(t, Expected(test.elo), test.score, 1e-15, "score of %g points", test.elo)
		testkit.Near(t, Elo(test.score), test.elo, 1e-11, "points of the score %g", test.score)
	}
	testkit.Equal(t, []float64{Elo(1), Elo(0)}, []float64{math.Inf(1), math.Inf(-1)}, "points of the scores 1 and 0")
}

// The ends of Wilson's interval are the rates p for which the observed rate lies
// exactly z standard deviations from p: the equation that it solves.
func TestWilson(t *testing.T) {
	const z = 1.959963984540054
	for _, games := range []int64{1, 2, 10, 1000, 1_000_000} {
		for _, wins := range []int64{0, 1, games / 2, games - 1, games} {
			low, high := Wilson(wins, games)
			rate, n := float64(wins)/float64(games), float64(games)
			testkit.ErrorIf(t, low > rate || rate > high || low < 0 || high > 1,
				"%d of %d: %g is not between %g and %g", wins, games, rate, low, high)
			for _, p := range []float64{low, high} {
				if p == 0 || p == 1 {
					continue
				}
				testkit.Near(t, math.Abs(rate-p)/math.Sqrt(p*(1-p)/n), z, 1e-6,
					"%d of %d: standard deviations from the end %g", wins, games, p)
			}
		}
	}
	low, high := Wilson(0, 0)
	testkit.Equal(t, []float64{low, high}, []float64{0, 1}, "the interval of no games")
}

// The interval contains the rate itself, also where it ends there, as when all trials
// were hits: by rounding alone it would not, from 14 on.
func TestWilsonContainsItsRate(t *testing.T) {
	for trials := int64(1); trials <= 3000; trials++ {
		for _, hits := range []int64{0, 1, trials / 3, trials - 1, trials} {
			low, high := Wilson(hits, trials)
			testkit.FatalIf(t, low > float64(hits)/float64(trials) || high < float64(hits)/float64(trials),
				"%d of %d: %g to %g", hits, trials, low, high)
		}
	}
}

// One number for the bits of everything here that computes: it is the same on every
// machine, and whether or not the compiler fuses products and sums.
func TestSameBits(t *testing.T) {
	sum := fnv.New64a()
	note := func(results ...any) { fmt.Fprintf(sum, "%x ", results) }
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		p := Pairs{rng.Int64N(1000), rng.Int64N(50), rng.Int64N(2000), rng.Int64N(50), rng.Int64N(1000)}
		low, high := p.Interval()
		note(p.Score(), low, high, p.VarianceRatio(), p.StdErr(), p.Superiority(), Elo(p.Score()), Expected(Elo(low)))
		note(DefaultSPRT().LLR(p))
		note(Wilson(p[0], p.N()))
	}
	for players := 2; players < 8; players++ {
		note(testkit.Must(Rate(players, roundRobin(rng, make([]float64, players), 50, 0.02), MeanAnchor))(t))
	}
	testkit.Equal(t, sum.Sum64(), uint64(0xa0d51d39cb07976e), "the bits")
}
