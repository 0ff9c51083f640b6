package train_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi/train"
)

// A plan plays its rounds one after the other, each with the weights of those before.
func ExampleDefaultPlan() {
	for i, round := range train.DefaultPlan(1, 1000).Rounds[:3] {
		fmt.Printf("round %d: %d games, solved from %d empty squares\n", i+1, round.Games, round.Play.Exact)
	}
	// Output:
	// round 1: 1000 games, solved from 10 empty squares
	// round 2: 1000 games, solved from 12 empty squares
	// round 3: 1000 games, solved from 14 empty squares
}
