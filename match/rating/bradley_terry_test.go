package rating

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// Two players have the difference that their score stands for, and an interval like
// that of a match.
func TestRatingsOfTwo(t *testing.T) {
	p := Pairs{30, 0, 110, 0, 60}
	r := testkit.Must(Rate(2, []Encounter{{0, 1, p}}, 1))(t)
	low, high := p.Interval()
	got, want := r.Players[0], Rating{Elo(p.Score()), Elo(low), Elo(high)}
	testkit.Near(t, got.Elo, want.Elo, 1e-6, "rating")
	testkit.Near(t, got.Low, want.Low, 2, "lower end")
	testkit.Near(t, got.High, want.High, 2, "upper end")
	testkit.Equal(t, r.Prior, false, "the prior")
	testkit.Equal(t, r.Players[1], (Rating{}), "the anchor")
}

// roundRobin draws the pairs of all players of the given strengths.
func roundRobin(rng *rand.Rand, elo []float64, pairs int, covariance float64) (encounters []Encounter) {
	for i := range elo {
		for j := range i {
			e := Encounter{First: j, Second: i}
			pairModel{Expected(elo[j] - elo[i]), covariance}.draw(rng, &e.Pairs, pairs)
			encounters = append(encounters, e)
		}
	}
	return encounters
}

// At the maximum of the likelihood every player scores what its rating expects: the
// equations of Zermelo. The mean is 0, and the order of the players does not matter.
func TestRatingsExpectTheScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	elo := []float64{-300, -20, 0, 45, 275}
	encounters := roundRobin(rng, elo, 150, 0.02)
	r := testkit.Must(Rate(len(elo), encounters, MeanAnchor))(t)
	testkit.MustEqual(t, r.Prior, false, "the prior")
	mean := 0.0
	for i, player := range r.Players {
		mean += player.Elo
		points, want := 0.0, 0.0
		for _, e := range encounters {
			games, score := float64(2*e.Pairs.N()), e.Pairs.Score()
			d := r.Players[e.First].Elo - r.Players[e.Second].Elo
			switch i {
			case e.First:
				points, want = points+games*score, want+games*Expected(d)
			case e.Second:
				points, want = points+games*(1-score), want+games*Expected(-d)
			}
		}
		testkit.Near(t, points, want, 1e-6, "points of player %d, by its rating", i)
	}
	testkit.Near(t, mean, 0, 1e-9, "sum of the ratings")
	turned := make([]Encounter, len(encounters))
	for k, e := range encounters {
		p := e.Pairs
		turned[len(turned)-1-k] = Encounter{4 - e.Second, 4 - e.First, Pairs{p[4], p[3], p[2], p[1], p[0]}}
	}
	again := testkit.Must(Rate(len(elo), turned, MeanAnchor))(t)
	for i, a := range r.Players {
		testkit.Near(t, again.Players[4-i].Elo, a.Elo, 1e-6, "rating of player %d in another order", i)
		testkit.Near(t, again.Players[4-i].High, a.High, 1e-6, "upper end of player %d in another order", i)
	}
}

// The intervals must hold the truth in 95 % of all tournaments, with the players of a
// gauntlet and a round robin, and however the games of a pair are bound together.
func TestRatingIntervals(t *testing.T) {
	const runs = 400
	rng := rand.New(rand.NewPCG(2, 9))
	elo := []float64{40, -120, 0, 80}
	for _, covariance := range []float64{-0.08, 0, 0.08} {
		for _, gauntlet := range []bool{false, true} {
			held := 0
			for range runs {
				encounters := roundRobin(rng, elo, 120, covariance)
				if gauntlet {
					encounters = []Encounter{encounters[0], encounters[1], encounters[3]} // of player 0
				}
				r := testkit.Must(Rate(len(elo), encounters, 0))(t)
				for i, player := range r.Players[1:] {
					if d := elo[i+1] - elo[0]; player.Low <= d && d <= player.High {
						held++
					}
				}
			}
			testkit.Near(t, float64(held)/(3*runs), 0.95, 0.02,
				"covariance %g, gauntlet %v: part of the intervals that hold the truth", covariance, gauntlet)
		}
	}
}

// Where nothing finite is the most likely, the prior gives something finite and says
// that it did.
func TestRatingsOfPerfectScores(t *testing.T) {
	for name, encounters := range map[string][]Encounter{
		"one wins all":   {{0, 1, Pairs{4: 50}}, {0, 2, Pairs{4: 50}}, {1, 2, Pairs{10, 0, 20, 0, 20}}},
		"one loses all":  {{0, 1, Pairs{10, 0, 20, 0, 20}}, {0, 2, Pairs{4: 50}}, {1, 2, Pairs{4: 50}}},
		"nothing played": {{0, 1, Pairs{}}, {0, 2, Pairs{}}, {1, 2, Pairs{}}},
	} {
		r := testkit.Must(Rate(3, encounters, MeanAnchor))(t)
		testkit.Equal(t, r.Prior, true, "%s: prior", name)
		for i, p := range r.Players {
			testkit.ErrorIf(t, math.IsInf(p.High-p.Low, 0) || math.IsNaN(p.Elo) || p.High-p.Low < 50,
				"%s: player %d has %+v", name, i, p)
		}
	}
	for players, encounters := range map[int][]Encounter{
		3: {{0, 1, Pairs{4: 50}}, {1, 2, Pairs{4: 50}}, {0, 2, Pairs{50}}}, // a cycle
		2: {{0, 1, Pairs{4: 10}}, {0, 1, Pairs{10}}, {0, 1, Pairs{}}},      // met three times
	} {
		r := testkit.Must(Rate(players, encounters, MeanAnchor))(t)
		testkit.Equal(t, r.Prior, false, "%d players of one strength: prior", players)
		testkit.Near(t, r.Players[0].Elo, 0, 1e-6, "%d players of one strength: rating", players)
	}
	testkit.WantError(t, testkit.ErrorOf(Rate(3, []Encounter{{0, 1, Pairs{5, 0, 5, 0, 5}}}, 0)), "",
		"a player without games is rated")
}

// What cannot be rated is refused, and not rated by rounding errors.
func TestRateRefuses(t *testing.T) {
	even := Pairs{10, 0, 7, 0, 10}
	for want, test := range map[string]struct {
		n          int
		encounters []Encounter
		anchor     int
	}{
		"of 0 players":      {0, nil, MeanAnchor},
		"no chain of games": {4, []Encounter{{0, 1, even}, {2, 3, even}}, MeanAnchor},
		"anchor 2 of 2":     {2, []Encounter{{0, 1, even}}, 2},
		"players 0 and 2":   {2, []Encounter{{0, 2, even}}, 0},
		"players 1 and 1":   {2, []Encounter{{0, 1, even}, {1, 1, even}}, 0},
	} {
		testkit.WantError(t, testkit.ErrorOf(Rate(test.n, test.encounters, test.anchor)), want, "Rate")
	}
	testkit.Equal(t, testkit.Must(Rate(1, nil, MeanAnchor))(t).Players[0], Rating{}, "one player alone")
}
