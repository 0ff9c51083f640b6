package eval_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Stable returns the discs that can never be turned over.
func ExampleStable() {
	corner := uint64(1)
	fmt.Println(board.Squares(eval.Stable(corner, 0)))
	// Output: [a1]
}
