package rating_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/match/rating"
)

// Pairs of games on the same dice give a score with its error.
func ExamplePairs() {
	var p rating.Pairs
	for _, wins := range []int{2, 1, 2, 1, 0, 2, 1, 2} {
		p.AddPair(wins)
	}
	low, high := p.Interval()
	fmt.Printf("%d pairs: score %.3f, 95 %% interval %.2f to %.2f\n", p.N(), p.Score(), low, high)
	// Output: 8 pairs: score 0.688, 95 % interval 0.43 to 0.86
}

// A sequential test ends as soon as one hypothesis is likely enough.
func ExampleSPRT() {
	test, err := rating.ParseSPRT("elo0=0,elo1=20")
	if err != nil {
		panic(err)
	}
	p := rating.Pairs{300, 0, 500, 0, 400}
	fmt.Printf("%s: LLR %.2f, decision %s\n", test, test.LLR(p), test.Decide(p))
	// Output: elo0=0,elo1=20,alpha=0.05,beta=0.05: LLR 6.47, decision H1
}

// Rate turns encounters into ratings in points of Elo.
func ExampleRate() {
	ratings, err := rating.Rate(2, []rating.Encounter{
		{First: 0, Second: 1, Pairs: rating.Pairs{100, 0, 200, 0, 100 + 100}},
	}, rating.MeanAnchor)
	if err != nil {
		panic(err)
	}
	for i, r := range ratings.Players {
		fmt.Printf("player %d: %+.0f (%+.0f to %+.0f)\n", i, r.Elo, r.Low, r.High)
	}
	// Output:
	// player 0: +35 (+23 to +47)
	// player 1: -35 (-47 to -23)
}

// Wilson's interval holds for rates near 0 and 1, too.
func ExampleWilson() {
	low, high := rating.Wilson(0, 20)
	fmt.Printf("%.3f to %.3f\n", low, high)
	// Output: 0.000 to 0.161
}

// Elo and expected scores convert into each other.
func ExampleElo() {
	fmt.Printf("%.1f %.3f\n", rating.Elo(0.75), rating.Expected(100))
	// Output: 190.8 0.640
}
