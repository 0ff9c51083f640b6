package play

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seed-09dcdc84/ur"
)

// run draws pairs, in the batches of a match, until the test is decided.
func (s SPRT) run(rng *rand.Rand, m pairModel) (Decision, Pairs) {
	var p Pairs
	for {
		m.draw(rng, &p, testSpan(uint64(p.N())))
		if d := s.Decide(p); d != Undecided {
			return d, p
		}
	}
}

// The errors of a test must be as rare as it promises, whatever the correlation
// within pairs. They are rarer, since the ratio oversteps the bounds; but if they were
// far rarer, the test would play too many games.
func TestSPRTErrors(t *testing.T) {
	const runs = 1000
	rng := rand.New(rand.NewPCG(5, 95))
	check := func(what string, errors int, allowed float64) {
		t.Helper()
		rate, deviation := float64(errors)/runs, math.Sqrt(allowed*(1-allowed)/runs)
		t.Logf("%s: %.1f %% errors, allowed %.1f", what, 100*rate, 100*allowed)
		if rate > allowed+2*deviation || rate < allowed/5 {
			t.Errorf("%s: %.1f %% errors, want no more than %.1f and no less than a fifth of it", what, 100*rate, 100*allowed)
		}
	}
	for _, test := range []SPRT{{0, 20, 0.05, 0.05}, {-15, 10, 0.1, 0.03}} {
		for _, covariance := range []float64{0, 0.1, -0.1} {
			var errors [2]int
			pairs := int64(0)
			for range runs {
				for h, elo := range []float64{test.Elo0, test.Elo1} {
					d, p := test.run(rng, pairModel{EloScore(elo), covariance})
					pairs += p.N()
					if (d == AcceptedH1) != (h == 1) {
						errors[h]++
					}
				}
			}
			name := fmt.Sprintf("%s, covariance %g, %d pairs in the mean", test, covariance, pairs/(2*runs))
			check("H0 of "+name, errors[0], test.Alpha)
			check("H1 of "+name, errors[1], test.Beta)
		}
	}
}

// The ratio where it is known in closed form: games of a pair that always end alike
// are games that count double, and the likelihood is the binomial one. Exchanging the
// players exchanges the hypotheses.
func TestLLR(t *testing.T) {
	s := SPRT{Elo0: -10, Elo1: 25, Alpha: 0.05, Beta: 0.05}
	s0, s1 := EloScore(s.Elo0), EloScore(s.Elo1)
	for _, n := range [][2]int64{{40, 60}, {500, 500}, {3, 1}} {
		got := s.LLR(Pairs{0: n[0], 4: n[1]})
		want := float64(n[1])*math.Log(s1/s0) + float64(n[0])*math.Log((1-s1)/(1-s0))
		if math.Abs(got-want) > 1e-3 {
			t.Errorf("%d pairs lost, %d won: ratio %g, want %g", n[0], n[1], got, want)
		}
	}
	mirrored := SPRT{Elo0: -s.Elo1, Elo1: -s.Elo0}
	for _, p := range []Pairs{{10, 0, 20, 0, 15}, {1, 2, 3, 4, 5}, {0, 0, 7, 0, 0}} {
		q := Pairs{p[4], p[3], p[2], p[1], p[0]}
		if a, b := s.LLR(p), mirrored.LLR(q); math.Abs(a+b) > 1e-9 || a == 0 {
			t.Errorf("%v: ratio %g, and %g with the players exchanged", p, a, b)
		}
	}
	if got := s.LLR(Pairs{}); got != 0 {
		t.Errorf("ratio %g of no pair", got)
	}
	if got := s.LLR(Pairs{4: 1 << 40}); math.IsNaN(got) || got < 0 {
		t.Errorf("ratio %g of very many wins", got)
	}
}

// What tilt finds must have the mean that it was asked for.
func TestTilt(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 1000 {
		var p Pairs
		for i := range p {
			p[i] = rng.Int64N(1000) * rng.Int64N(2)
		}
		if p.N() == 0 {
			continue
		}
		counts, s := p.regularised(), 0.02+0.96*rng.Float64()
		x, sum, mean := tilt(counts, s), 0.0, 0.0
		for i, n := range counts {
			q := n / float64(1+x*(pairScore(i)-s))
			sum += q
			mean += q * pairScore(i)
		}
		if math.Abs(mean/sum-s) > 1e-9 {
			t.Fatalf("%v: mean %g, want %g", p, mean/sum, s)
		}
	}
}

func TestSPRTStopsAMatch(t *testing.T) {
	for _, test := range []struct {
		first, second Player
		want          Decision
	}{{classic, small, AcceptedH1}, {small, classic, AcceptedH0}, {slowBrain{classic}, First{}, AcceptedH1}} {
		var want string
		for _, threads := range []int{1, 2, 5} {
			var told int64
			c := MatchConfig{
				Players: [2]Player{test.first, test.second}, Seed: 3, Games: 1_000_000, Parallel: threads, SPRT: &DefaultSPRT,
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
	r := mustMatch(t, MatchConfig{Players: [2]Player{classic, classic}, Games: 501, SPRT: &SPRT{-1, 1, 0.05, 0.05}})
	if r.Decision != Undecided {
		t.Errorf("a player is found to be stronger than itself: %s", r.Decision)
	}
}

// A game without end that comes before the decision must be told, one behind it not,
// whoever is faster.
func TestSPRTAndAGameWithoutEnd(t *testing.T) {
	limit := &ur.TurnLimitError{Game: 500}
	won := Score{Pairs: Pairs{4: 1000}}
	for _, test := range []struct {
		spans map[int]finished
		order []int
		want  error
	}{
		{map[int]finished{0: {won, nil}, 1: {Score{}, limit}}, []int{1, 0}, nil},
		{map[int]finished{0: {won, nil}, 1: {Score{}, limit}}, []int{0, 1}, nil},
		{map[int]finished{0: {Score{}, limit}, 1: {won, nil}}, []int{1, 0}, limit},
		{map[int]finished{0: {Score{}, limit}, 1: {won, nil}}, []int{0, 1}, limit},
	} {
		m := newMatch(MatchConfig{Games: 1 << 30, Parallel: 2, SPRT: &DefaultSPRT})
		for _, number := range test.order {
			m.finish(number, test.spans[number].score, test.spans[number].err)
		}
		m.close()
		if m.err != test.want || (m.result.Decision == AcceptedH1) != (test.want == nil) {
			t.Errorf("order %v: %v, %s; want %v", test.order, m.err, m.result.Decision, test.want)
		}
	}
}

func TestParseSPRT(t *testing.T) {
	for text, want := range map[string]SPRT{
		"elo0=0,elo1=5,alpha=0.05,beta=0.05": DefaultSPRT,
		"default":                            DefaultSPRT,
		"elo1=2.5,alpha=1e-3":                {0, 2.5, 1e-3, 0.05},
		"beta=0.1,elo0=-5,elo1=0":            {-5, 0, 0.05, 0.1},
	} {
		got, err := ParseSPRT(text)
		if err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
		if again, err := ParseSPRT(got.String()); err != nil || again != got {
			t.Errorf("%q is read as %v, %v", got.String(), again, err)
		}
	}
	for text, want := range map[string]string{
		"":                "is not one of elo0=, elo1=",
		"elo2=5":          `"elo2=5" is not one of`,
		"elo1=5,elo1=6":   "each at most once",
		"elo1":            `elo1 is "", want a number`,
		"elo1=x":          `elo1 is "x", want a number`,
		"elo0=5":          "elo0 must be below elo1",
		"elo1=NaN":        "elo0 must be below elo1",
		"elo1=1e9":        "from -2000 to 2000",
		"alpha=0":         "alpha and beta must be above 0",
		"beta=0.5":        "alpha and beta must be",
		"elo0=0, elo1=10": `" elo1=10" is not one of`,
	} {
		if _, err := ParseSPRT(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

func FuzzParseSPRT(f *testing.F) {
	f.Add("elo0=0,elo1=5,alpha=0.05,beta=0.05")
	f.Add("elo1=1e2,beta=NaN")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSPRT(text)
		if err != nil {
			return
		}
		if again, err := ParseSPRT(s.String()); err != nil || again != s {
			t.Errorf("%q is read as %v, and again as %v, %v", text, s, again, err)
		}
		if llr := s.LLR(Pairs{3, 0, 5, 0, 4}); math.IsNaN(llr) {
			t.Errorf("%v: no ratio", s)
		}
	})
}
