package work_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet/work"
)

// A worker computes the tasks of these kinds.
func ExampleKinds() {
	for _, kind := range work.Kinds(engine.Fastest()) {
		fmt.Println(kind.Name())
	}
	// Output:
	// match
	// reversi-match
	// duel
}
