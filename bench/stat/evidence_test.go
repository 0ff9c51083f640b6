package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"

	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// The test of ranks is that of benchmath, where no two values are the same.
func TestRanksAreBenchmaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, n := range [][2]int{{1, 1}, {3, 5}, {6, 6}, {10, 10}, {20, 20}, {7, 30}, {45, 60}} {
		for range 20 {
			old, new := noisy(rng, n[0], 1), noisy(rng, n[1], 1.005)
			r := newRankShift(old, new)
			got := min(1, 2*r.Above(0), 2*r.Below(0))
			if want := CompareRanks(benchmath.AssumeNothing, old, new).P; math.Abs(got-want) > 0.003 && math.Abs(got/want-1) > 0.02 {
				t.Fatalf("%v samples: p %v, benchmath has %v", n, got, want)
			}
		}
	}
}

// Interval, estimate and p are one.
func TestEvidenceAgreesWithItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.SliceOfN(rapid.Float64Range(1, 1.2), 1, 14)
		pair := Pair{Old: side.Draw(t, "old"), New: side.Draw(t, "new"), Paired: rapid.Bool().Draw(t, "paired"), Better: -1}
		change, p := pair.Change()
		if !(change.Lo <= change.Median && change.Median <= change.Hi && 0 <= p && p <= 1) {
			t.Fatalf("%+v, p %v", change, p)
		}
		if pair.Steady() {
			return
		}
		if excludes := change.Lo > 0 || change.Hi < 0; excludes != (p <= 1-verdict.Confidence) {
			t.Fatalf("interval %+v, p %v", change, p)
		}
		back, again := Pair{Old: pair.New, New: pair.Old, Paired: pair.Paired, Better: -1}.Change()
		if !pair.InPairs() {
			return // a drift goes on in the same direction
		}
		if math.Abs(p-again) > 1e-9 || math.Abs((1+back.Lo)*(1+change.Hi)-1) > 1e-9 {
			t.Fatalf("%+v, p %v; the other way round %+v, p %v", change, p, back, again)
		}
	})
}

// The interval of steady sides has no width.
func TestSteadySides(t *testing.T) {
	same := Pair{Old: []float64{2, 2, 2, 2}, New: []float64{2, 2, 2, 2}}
	if change, p := same.Change(); change != (Interval{}) || p != 1 {
		t.Errorf("%+v, p %v", change, p)
	}
	more := Pair{Old: []float64{2, 2, 2, 2}, New: []float64{3, 3, 3, 3}}
	if change, p := more.Change(); change != (Interval{0.5, 0.5, 0.5}) || p != 0 {
		t.Errorf("%+v, p %v", change, p)
	}
}
