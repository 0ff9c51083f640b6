package verdict

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/seed-09dcdc84/ur/internal/testkit"
	"pgregory.net/rapid"
)

// The distribution of signed scores is that of all 2^n ways in which coins fall.
func TestTails(t *testing.T) {
	for n := range 13 {
		counts := make([]int, n*(n+1)/2+1)
		for signs := range 1 << n {
			sum := 0
			for rest := uint(signs); rest != 0; rest &= rest - 1 {
				sum += score(n, bits.TrailingZeros(rest)+1)
			}
			counts[sum]++
		}
		below := 1 << n
		for w, count := range counts {
			if below == 0 {
				break
			}
			testkit.Near(t, tails(n)[w], math.Ldexp(float64(below), -n), 1e-12, "tail of %d differences, sum %d", n, w)
			below -= count
		}
	}
	most := 0
	for rank := 1; rank <= maxPairs; rank++ {
		most += score(maxPairs, rank)
	}
	testkit.Near(t, tails(maxPairs)[most/2], 0.5, 1e-3, "tail of the middle of %d differences", maxPairs)
}

// Values that can be counted by hand.
func TestShiftOfKnownPairs(t *testing.T) {
	six := NewShift([]float64{1, 2, 3, 4, 5, 6})
	testkit.Equal(t, six.p(0), 2.0/64, "p where all are on one side")
	testkit.Equal(t, six.Lower(0.025), 1, "lower end of the interval of six")
	testkit.Equal(t, six.Upper(0.025), 6, "upper end of the interval of six")
	if five := NewShift([]float64{1, 2, 3, 4, 5}); !math.IsInf(five.Lower(0.025), -1) ||
		!math.IsInf(five.Upper(0.025), 1) {
		t.Errorf("interval of five is [%v, %v]: five pairs reject nothing at 5 %%", five.Lower(0.025),
			five.Upper(0.025))
	}
	// Scores of 8 are 1 to 5 and three times 6. Subsets with a sum of at most 3 are {},
	// {1}, {2}, {3} and {1, 2}.
	eight := NewShift([]float64{-1, -2, 3, 4, 5, 6, 7, 8})
	testkit.Equal(t, eight.p(0), 2*5.0/256, "p of eight")
	if center := eight.Center(); center < 3 || center > 5 {
		t.Errorf("center %v", center)
	}
	testkit.Equal(t, six.Center(), 3.5, "center of six")
	if center := NewShift(nil).Center(); !math.IsNaN(center) {
		t.Errorf("center of nothing is %v", center)
	}
}

// Interval and p are one: a value is inside exactly if the test does not reject it,
// with ties and zeros too.
func TestIntervalAndPAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(-6, 9).Draw(t, "quarter")) / 4
		}), 1, 24).Draw(t, "differences")
		level := rapid.SampledFrom([]float64{0.2, 0.05, 0.025, 0.001}).Draw(t, "level")
		s := NewShift(d)
		lo, hi := s.Lower(level), s.Upper(level)
		if !(lo <= s.Center() && s.Center() <= hi) {
			t.Fatalf("the center %v is not in [%v, %v]", s.Center(), lo, hi)
		}
		for _, x := range append(s.points, 0, 0.1, lo, hi) {
			rejected := s.p(x) <= 2*level
			if inside := lo <= x && x <= hi; inside == rejected {
				t.Fatalf("%v: p %v at %v, interval [%v, %v]", d, s.p(x), 2*level, lo, hi)
			}
		}
	})
}

// Signs that coins gave reject as seldom as the test says, whatever the sizes are:
// here one pair is a thousand times as large as all others.
func TestShiftIsExactUnderCoins(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	rejected := 0
	const trials = 4000
	for range trials {
		d := make([]float64, 12)
		for i := range d {
			d[i] = math.Exp(rng.NormFloat64()) * float64(1-2*rng.IntN(2))
		}
		d[rng.IntN(12)] *= 1000
		if NewShift(d).p(0) <= 0.05 {
			rejected++
		}
	}
	level := 0.0 // of two sides, as near to 5 % as the test can be
	for w := 0; w < 60; w++ {
		if p := 2 * tails(12)[w]; p <= 0.05 {
			level = p
			break
		}
	}
	const errors = 0.013 // four standard errors
	testkit.Near(t, float64(rejected)/trials, level, errors, "rejected part of trials in which nothing was shifted")
}

// p is the two-sided p-value of the differences lying around x.
func (s Shift) p(x float64) float64 { return min(1, 2*s.Above(x), 2*s.Below(x)) }

// Of two samples of three, all of one above the other is one of twenty orders.
func TestNewSides(t *testing.T) {
	s := NewSides([]float64{1, 2, 3}, []float64{11, 12, 13})
	testkit.Near(t, s.Above(0), 1.0/20, 1e-12, "p above")
	testkit.Equal(t, s.Below(0), 1, "p below")
	testkit.Equal(t, s.Center(), 10, "center")
	testkit.Equal(t, s.Lower(0.05), 8, "lower end of the interval")
	testkit.Equal(t, s.Upper(0.05), 12, "upper end of the interval")
	for u, exact := range newRankTails([2]int{41, 41}) { // the normal distribution continues the exact one
		testkit.Near(t, rankTail(41, 41, u), exact, 2e-3, "tail of %d pairs", u)
	}
}

// The interval of a median holds it as often as it says, and that of few samples is their range.
func TestInterval(t *testing.T) {
	lo, hi := Interval([]float64{3, 1, 2})
	testkit.Equal(t, [2]float64{lo, hi}, [2]float64{1, 3}, "interval of three")
	rng := rand.New(rand.NewPCG(1, 5))
	for _, n := range []int{6, 9, 20} {
		held := 0
		const trials = 4000
		for range trials {
			x := make([]float64, n)
			for i := range x {
				x[i] = rng.ExpFloat64()
			}
			if lo, hi := Interval(x); lo <= math.Ln2 && math.Ln2 <= hi {
				held++
			}
		}
		if rate := float64(held) / trials; rate < Confidence-0.01 || rate > 0.985 {
			t.Errorf("%d samples: %v of the intervals hold the median", n, rate)
		}
	}
}

func TestRatio(t *testing.T) {
	before, after := []float64{10, 20, 40, 80, 160, 320}, []float64{20, 40, 80, 160, 320, 640}
	ratio, lo, hi := Ratio(before, after)
	testkit.Near(t, ratio, 2, 1e-12, "ratio")
	testkit.Near(t, lo, 2, 1e-12, "lower end")
	testkit.Near(t, hi, 2, 1e-12, "upper end")
}
