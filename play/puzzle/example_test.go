package puzzle_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// The built-in puzzles have the exact value of every move.
func ExampleAll() {
	all, err := puzzle.All()
	if err != nil {
		panic(err)
	}
	p := all[0]
	for _, m := range p.Moves {
		fmt.Println(m.Move, m.Move == p.Best)
	}
	// Output:
	// A3-A1* true
	// A2-B1 false
	// B4-B6x false
	// A8-home false
}
