package endgame_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/endgame"
)

// A solver returns the exact score of an ending and its best move.
func ExampleSolver() {
	p, err := board.ParsePosition("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X")
	if err != nil {
		fmt.Println(err)
		return
	}
	solver, err := endgame.New(endgame.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var r endgame.Result
	r, err = solver.Solve(context.Background(), p.Board)
	fmt.Printf("%s %+d %v\n", r.Best, r.Score, err)
	// Output: g8 +18 <nil>
}
