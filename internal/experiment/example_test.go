package experiment_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Benchmark names hold keys, so results can be filtered by them.
func ExampleKeys() {
	fmt.Println(experiment.Keys("Value/board=array16/eval=avx2"))
	// Output: map[board:array16 eval:avx2]
}

// Better is the better direction of a unit: -1 lower, +1 higher.
func ExampleBetter() {
	fmt.Println(experiment.Better("ns/eval"), experiment.Better("games/s"))
	// Output: lower higher
}
