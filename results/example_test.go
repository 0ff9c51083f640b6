package results_test

import (
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/results"
)

func ExampleLevelRegrets() {
	regrets, err := results.LevelRegrets()
	slices.Reverse(regrets)
	fmt.Println(len(regrets), "levels, the weakest with the most regret:", slices.IsSorted(regrets), err)
	// Output: 10 levels, the weakest with the most regret: true <nil>
}
