package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// run draws pairs, in batches as in a match, until the test is decided.
func (s SPRT) run(rng *rand.Rand, m pairModel) (TestDecision, Pairs) {
	var p Pairs
	for {
		m.draw(rng, &p, int(max(128, min(4096, p.N()/16))))
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
		testkit.ErrorIf(t, rate > allowed+2*deviation || rate < allowed/5,
			"%s: %.1f %% errors, want no more than %.1f and no less than a fifth of it", what, 100*rate, 100*allowed)
	}
	for _, test := range []SPRT{{0, 20, 0.05, 0.05}, {-15, 10, 0.1, 0.03}} {
		for _, covariance := range []float64{0, 0.1, -0.1} {
			var errors [2]int
			pairs := int64(0)
			for range runs {
				for h, elo := range []float64{test.Elo0, test.Elo1} {
					d, p := test.run(rng, pairModel{Expected(elo), covariance})
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
	s0, s1 := Expected(s.Elo0), Expected(s.Elo1)
	for _, n := range [][2]int64{{40, 60}, {500, 500}, {3, 1}} {
		got := s.LLR(Pairs{0: n[0], 4: n[1]})
		want := float64(n[1])*math.Log(s1/s0) + float64(n[0])*math.Log((1-s1)/(1-s0))
		testkit.Near(t, got, want, 1e-3, "ratio of %d pairs lost, %d won", n[0], n[1])
	}
	mirrored := SPRT{Elo0: -s.Elo1, Elo1: -s.Elo0}
	for _, p := range []Pairs{{10, 0, 20, 0, 15}, {1, 2, 3, 4, 5}, {0, 0, 7, 0, 0}} {
		q := Pairs{p[4], p[3], p[2], p[1], p[0]}
		a, b := s.LLR(p), mirrored.LLR(q)
		testkit.ErrorIf(t, math.Abs(a+b) > 1e-9 || a == 0, "%v: ratio %g, and %g with the players exchanged", p, a, b)
	}
	testkit.Equal(t, s.LLR(Pairs{}), 0, "ratio")
	testkit.Equal(t, s.LLR(Pairs{4: 1 << 40}) >= 0, true, "the ratio of very many wins is a number, not negative")
}

// What tilt finds must have the mean that it was asked for.
func TestTilt(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 1000 {
		var p Pairs
		testkit.Fill(p[:], func() int64 { return rng.Int64N(1000) * rng.Int64N(2) })
		if p.N() == 0 {
			continue
		}
		counts, s := p.regularisedCounts(), 0.02+0.96*rng.Float64()
		x, sum, mean := solveTilt(counts, s), 0.0, 0.0
		for i, n := range counts {
			q := n / float64(1+x*(pairScore(i)-s))
			sum += q
			mean += q * pairScore(i)
		}
		testkit.Near(t, mean/sum, s, 1e-9, "mean of %v", p)
	}
}

func TestParseSPRT(t *testing.T) {
	for text, want := range map[string]SPRT{
		"elo0=0,elo1=5,alpha=0.05,beta=0.05": DefaultSPRT(),
		"default":                            DefaultSPRT(),
		"elo1=2.5,alpha=1e-3":                {0, 2.5, 1e-3, 0.05},
		"beta=0.1,elo0=-5,elo1=0":            {-5, 0, 0.05, 0.1},
	} {
		got := testkit.Must(ParseSPRT(text))(t)
		testkit.Equal(t, got, want, "%q", text)
		testkit.Equal(t, testkit.Must(ParseSPRT(got.String()))(t), got, "%q is read as", got.String())
	}
	for text, want := range map[string]string{
		"":                "is not one of elo0=, elo1=",
		"elo2=5":          `"elo2=5" is not one of`,
		"elo1=5,elo1=6":   "each at most once",
		"elo1":            `elo1 is "" (want a number)`,
		"elo1=x":          `elo1 is "x" (want a number)`,
		"elo0=5":          "elo0 must be below elo1",
		"elo1=NaN":        "elo0 must be below elo1",
		"elo1=1e9":        "from -2000 to 2000",
		"alpha=0":         "alpha and beta must be above 0",
		"beta=0.5":        "alpha and beta must be",
		"elo0=0, elo1=10": `" elo1=10" is not one of`,
	} {
		testkit.WantError(t, testkit.ErrorOf(ParseSPRT(text)), want, "%q", text)
	}
}

func FuzzParseSPRT(f *testing.F) {
	f.Add("elo0=0,elo1=5,alpha=0.05,beta=0.05")
	f.Add("elo1=1e2,beta=NaN")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSPRT(text)
		testkit.SkipOn(t, err)
		testkit.Equal(t, testkit.Must(ParseSPRT(s.String()))(t), s, "%q is read as", text)
		testkit.Equal(t, math.IsNaN(s.LLR(Pairs{3, 0, 5, 0, 4})), false, "%v has no ratio", s)
	})
}
