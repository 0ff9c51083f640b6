package pairs_test

import (
	"fmt"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/examples/pairs"
)

// TestEqualsTheOracle compares values, futures, choices and whole games with those
// of the oracle, and reports the first difference.
func TestEqualsTheOracle(t *testing.T) {
	v, err := engine.NewVerifier(t.Context(), engine.VerifyOptions{Games: 500})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(t.Context(), pairs.Engine{}); err != nil {
		t.Fatal(err)
	}
}

// The engine plays the games of the oracle.
func Example() {
	game, err := pairs.Engine{}.New(ur.Setup{Light: ur.ClassicBrain(), Dark: ur.ClassicBrain()})
	if err != nil {
		panic(err)
	}
	tally, err := game.Games(nil, ur.Series{Seed: 1, N: 100})
	fmt.Println(tally.Wins, tally.Turns, err)
	// Output: [53 47] 18215 <nil>
}
