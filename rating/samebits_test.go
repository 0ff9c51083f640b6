package rating

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"
)

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
		r, err := Rate(players, roundRobin(rng, make([]float64, players), 50, 0.02), MeanAnchor)
		if err != nil {
			t.Fatal(err)
		}
		note(r)
	}
	if got, want := sum.Sum64(), uint64(0xa0d51d39cb07976e); got != want {
		t.Errorf("the bits are %#x, want %#x", got, want)
	}
}
