package solve_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/solve"
)

// pieces returns Finkel's rules with a number of pieces.
func pieces(n int) *board.Rules {
	r, err := board.Finkel().WithPieces(n)
	if err != nil {
		panic(err)
	}
	return r
}

// Two pieces are solved in a moment; the solution is a table of win probabilities.
func ExampleSolve() {
	solution, err := solve.Solve(context.Background(), pieces(2), solve.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("the first player wins %.6f %%\n", 100*solution.Win(board.StartPosition(2)))
	// Output: the first player wins 51.857291 %
}

// BestMove chooses by a table.
func ExampleTable_BestMove() {
	solution, err := solve.Solve(context.Background(), pieces(1), solve.Options{})
	if err != nil {
		panic(err)
	}
	p := board.StartPosition(1)
	moves := board.Finkel().Moves(nil, p, 4)
	best, win := solution.BestMove(p, moves)
	fmt.Printf("%v wins %.1f %%\n", moves[best], 100*win)
	// Output: {0 4 false} wins 68.0 %
}

// EachDecision visits choices with the worth of each move: here, how often the first one is the best.
func ExampleTable_EachDecision() {
	solution, err := solve.Solve(context.Background(), pieces(2), solve.Options{})
	if err != nil {
		panic(err)
	}
	decisions, first := 0, 0
	err = solution.EachDecision(context.Background(), solve.DecisionOptions{All: true, Threads: 1},
		func(_, _ int, d *solve.Decision) error {
			if decisions++; d.Win[0] == slices.Max(d.Win) {
				first++
			}
			return nil
		})
	fmt.Printf("%d decisions, the first move is the best in %.0f %%, %v\n", decisions, 100*float64(first)/float64(decisions), err)
	// Output: 60602 decisions, the first move is the best in 45 %, <nil>
}

// Positions have ranks without gaps, by which every table is ordered.
func ExampleIndex() {
	index, err := solve.IndexOf(board.Finkel())
	if err != nil {
		panic(err)
	}
	rank, ok := index.Rank(board.StartPosition(7))
	fmt.Println(rank, ok, index.Positions(7))
	// Output: 119123453 true 137870097
}
