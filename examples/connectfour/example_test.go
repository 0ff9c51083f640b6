package connectfour_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/examples/connectfour"
)

// The first player has three stones in the bottom row, and wins in column 4.
func Example() {
	p, err := connectfour.Parse("112233")
	if err != nil {
		panic(err)
	}
	s, err := connectfour.NewSolver(1 << 20)
	if err != nil {
		panic(err)
	}
	r, err := s.Solve(context.Background(), p)
	fmt.Println("column", r.Column+1, "exact", r.Exact, err)
	// Output: column 4 exact true <nil>
}
