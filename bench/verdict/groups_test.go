package verdict

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
)

// race measures groups of implementations with these costs until all have a verdict, or a number of rounds at most. The
// machine drifts, and now and then something interrupts a sample.
func race(rng *rand.Rand, costs [][]float64, noise float64, most int) *Groups {
	r := &Groups{Rule: DefaultRule()}
	for _, group := range costs {
		r.Add(len(group))
	}
	drift := 0.0
	for range most {
		open := false
		for k, g := range r.Groups {
			figures := make([]float64, len(costs[k]))
			for i := range figures {
				figures[i] = math.NaN()
			}
			drift += noise * rng.NormFloat64()
			for _, i := range g.Open() {
				x := costs[k][i] * math.Exp(drift+noise*rng.NormFloat64())
				if rng.IntN(20) == 0 {
					x *= 1 + rng.ExpFloat64()/2
				}
				figures[i], open = x, true
			}
			if err := g.Add(figures); err != nil {
				panic(err)
			}
		}
		if !open {
			break
		}
		r.Look(false)
	}
	r.Look(true)
	return r
}

// Five implementations of which two differ by 5 % come in the right order, in quiet and in noise.
func TestRankingFindsTheOrder(t *testing.T) {
	costs := []float64{2, 1, 1.6, 1.05, 1.3}
	want := []Verdict{Slower, Fastest, Slower, Slower, Slower}
	trials, rng := testkit.Trials(200, 2000), rand.New(rand.NewPCG(1, 2))
	for _, noise := range []float64{0.002, 0.01, 0.02} {
		right := 0
		for range trials {
			g := race(rng, [][]float64{costs}, noise, 200).Groups[0]
			same := g.Best() == 1
			for i, m := range g.Implementations {
				same = same && m.Verdict == want[i]
			}
			if same {
				right++
			}
		}
		testkit.ErrorIf(t, right < trials*98/100, "noise %v: the order is right in %d of %d runs", noise, right, trials)
	}
}

// Of equal implementations, none is called the fastest or slower in more than 5 of 100 runs, in several groups together;
// and all are called equal where the noise lets that be shown.
func TestRankingOfEqualOnes(t *testing.T) {
	five := []float64{1, 1, 1, 1, 1}
	trials, rng := testkit.Trials(200, 4000), rand.New(rand.NewPCG(3, 4))
	for name, c := range map[string]struct {
		costs  [][]float64
		noise  float64
		proved bool
	}{
		"one group":    {[][]float64{five}, 0.003, true},
		"three groups": {[][]float64{five, {3, 3}, five}, 0.003, true},
		"noise":        {[][]float64{five, five}, 0.05, false},
	} {
		claims, equal := 0, 0
		for range trials {
			claimed, all := false, true
			for _, g := range race(rng, c.costs, c.noise, 60).Groups {
				for _, m := range g.Implementations {
					claimed = claimed || m.Verdict == Fastest || m.Verdict == Slower
					all = all && m.Verdict == Equal
				}
			}
			if claimed {
				claims++
			}
			if all {
				equal++
			}
		}
		testkit.ErrorIf(t, claims > trials*5/100, "%s: claims in %d of %d runs", name, claims, trials)
		testkit.ErrorIf(t, c.proved && equal < trials*9/10, "%s: equal in %d of %d runs", name, equal, trials)
	}
}

// All intervals of a run hold together, whichever implementation is the baseline.
func TestRankingIntervals(t *testing.T) {
	costs := [][]float64{{1, 1.01, 1.02, 1.5}, {2, 2, 1.97}}
	trials, rng := testkit.Trials(200, 4000), rand.New(rand.NewPCG(5, 6))
	missed := 0
	for range trials {
		bad := false
		for k, g := range race(rng, costs, 0.01, 60).Groups {
			best := g.Best()
			for i := range costs[k] {
				_, lo, hi := g.Ratio(i, best)
				truth := costs[k][i] / costs[k][best]
				bad = bad || truth < lo*(1-1e-9) || truth > hi*(1+1e-9)
			}
		}
		if bad {
			missed++
		}
	}
	testkit.ErrorIf(t, missed > trials*5/100, "an interval misses its ratio in %d of %d runs", missed, trials)
}

// Figures without noise are compared exactly, after three rounds, and rates the other way round.
func TestRankingOfConstants(t *testing.T) {
	for _, test := range []struct {
		higher  bool
		figures []float64
		want    []Verdict
		best    int
		ratio   float64 // of the first one
	}{
		{false, []float64{4, 2, 8}, []Verdict{Slower, Fastest, Slower}, 1, 2},
		{false, []float64{2, 2, 0}, []Verdict{Slower, Slower, Fastest}, 2, math.Exp(mostLog)},
		{false, []float64{0, 0}, []Verdict{Equal, Equal}, 0, 1},
		{false, []float64{101, 100}, []Verdict{Equal, Fastest}, 1, 1.01},
		{true, []float64{4, 2, 8}, []Verdict{Slower, Slower, Fastest}, 2, 0.5},
	} {
		r := &Groups{Rule: DefaultRule()}
		g := r.Add(len(test.figures))
		g.Higher = test.higher
		for range 3 {
			testkit.NoError(t, g.Add(test.figures))
		}
		r.Look(true)
		for i, m := range g.Implementations {
			testkit.Equal(t, m.Verdict, test.want[i], "%v: verdict on %v", test.figures, test.figures[i])
		}
		testkit.Equal(t, g.Best(), test.best, "%v: best", test.figures)
		ratio, lo, hi := g.Ratio(0, test.best)
		testkit.ErrorIf(t, math.Abs(ratio/test.ratio-1) > 1e-9 || lo != ratio || hi != ratio, "%v: %v [%v, %v]",
			test.figures, ratio, lo, hi)
	}
}

// An implementation that fails, or that needs no further round, does not hold the others up; what is no measurement is
// no round.
func TestRankingWithout(t *testing.T) {
	r := &Groups{Rule: DefaultRule()}
	g := r.Add(3)
	testkit.WantError(t, g.Add([]float64{1, -1, 1}), "invalid measurement", "a negative figure")
	testkit.NoError(t, g.Add([]float64{1, 1, 3}))
	testkit.NoError(t, g.Add([]float64{1, 1, math.NaN()}))
	g.Drop(2)
	testkit.Equal(t, g.Open(), []int{0, 1}, "open")
	testkit.NoError(t, g.Add([]float64{1, 1, math.NaN()}))
	r.Look(true)
	testkit.Equal(t, g.Implementations[0].Verdict, Equal, "verdict")
	testkit.Equal(t, g.Implementations[2].Verdict, Undecided, "verdict on what fails")
	testkit.Equal(t, g.Open(), nil, "open")
	ratio, _, _ := g.Ratio(2, 0)
	testkit.ErrorIf(t, !(ratio > 0), "ratio %v", ratio)
}

// What was slower than one that is gone is open again, if it is slower than no other one, and goes on after a gap.
func TestRankingReopens(t *testing.T) {
	nan := math.NaN()
	r := &Groups{Rule: DefaultRule()}
	g := r.Add(4)
	for k := range 20 {
		noise := 1 + 0.001*float64(k%4)
		testkit.NoError(t, g.Add([]float64{1, 2 * noise, 3, 1.002 / noise}))
	}
	r.Look(false)
	testkit.NoError(t, g.Add([]float64{1, nan, nan, 1}))
	testkit.Equal(t, []Verdict{g.Implementations[1].Verdict, g.Implementations[2].Verdict}, []Verdict{Slower, Slower}, "verdicts")
	g.Drop(0)
	testkit.Equal(t, g.Implementations[1].Verdict, Slower, "slower than another one as well")
	g.Drop(3)
	testkit.Equal(t, g.Implementations[1].Verdict, Undecided, "verdict")
	testkit.Equal(t, g.Open(), []int{1}, "open")
	for range 20 {
		testkit.NoError(t, g.Add([]float64{nan, 2, nan, nan}))
	}
	testkit.Equal(t, len(g.Implementations[1].Figures()), 40, "figures without the gap")
	r.Look(true)
	testkit.Equal(t, []Verdict{g.Implementations[1].Verdict, g.Implementations[2].Verdict}, []Verdict{Fastest, Slower}, "verdicts")
	g.Drop(1)
	testkit.ErrorIf(t, !g.IsAlone() || g.Open() != nil || g.Implementations[2].Verdict != Undecided, "the last one is judged")
}

// Comparisons still to come share the error rate.
func TestRankingExpects(t *testing.T) {
	widths := make(map[int]float64)
	for _, expected := range []int{0, 1000} {
		r := &Groups{Rule: DefaultRule(), Expected: expected}
		g := r.Add(2)
		for k := range 40 {
			testkit.NoError(t, g.Add([]float64{1 + 0.01*float64(k*7%40), 1 + 0.01*float64(k*11%40)}))
		}
		r.Look(false)
		_, lo, hi := g.Ratio(1, 0)
		widths[expected] = hi - lo
	}
	testkit.ErrorIf(t, !(widths[1000] > widths[0]), "widths %v", widths)
	few, many := &Groups{Rule: DefaultRule(), Expected: 10}, &Groups{Rule: DefaultRule(), Expected: 360}
	testkit.Equal(t, []int{few.FirstLook(), many.FirstLook()}, []int{12, 18}, "rounds before the first look")
}

// The quantiles are those of published tables.
func TestStudentQuantile(t *testing.T) {
	for freedom, want := range studentQuantiles {
		testkit.Near(t, studentQuantile(freedom+1, 0.025), want, 1e-3*want, "97.5 %% with %d degrees of freedom", freedom+1)
	}
	for freedom, want := range claimQuantiles {
		testkit.Near(t, studentQuantile(freedom+1, 1e-4), want, 1e-3*want, "one of 10,000, %d", freedom+1)
	}
}

// In a hurry, five rounds show large differences, and not a claim on equal ones.
func TestRankingInAHurry(t *testing.T) {
	trials, rng := testkit.Trials(300, 4000), rand.New(rand.NewPCG(7, 8))
	found, claims := 0, 0
	for range trials {
		r := &Groups{Rule: DefaultRule(), Hurry: true}
		for range 10 {
			r.Add(9)
		}
		testkit.Equal(t, r.FirstLook(), 5, "rounds")
		for range 5 {
			for _, g := range r.Groups {
				figures := make([]float64, 9)
				for i := range figures {
					figures[i] = math.Pow(2, float64(i/2)) * math.Exp(0.01*rng.NormFloat64()) // in pairs of equal ones
				}
				testkit.NoError(t, g.Add(figures))
			}
		}
		r.Look(false)
		slower, claimed := 0, false
		for _, g := range r.Groups {
			for i, m := range g.Implementations {
				claimed = claimed || i < 2 && m.Verdict != Undecided
				if i >= 2 && m.Verdict == Slower {
					slower++
				}
			}
		}
		if claimed {
			claims++
		}
		if slower == 70 {
			found++
		}
	}
	testkit.ErrorIf(t, found < trials*9/10, "all slower ones are found in %d of %d runs", found, trials)
	testkit.ErrorIf(t, claims > 0, "equal ones have a verdict in %d of %d runs", claims, trials)
}
