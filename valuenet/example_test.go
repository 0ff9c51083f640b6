package valuenet_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// The built-in net estimates the win probability of the side to move.
func ExampleBuiltinFor() {
	_, net, err := valuenet.BuiltinFor(board.Finkel())
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d weights, %.1f %%\n", net.Weights(), 100*net.Win(board.StartPosition(7)))
	// Output: 29601 weights, 47.5 %
}

// A judge chooses moves by a net, on the fastest engine of this CPU.
func ExampleJudge() {
	_, net, err := valuenet.BuiltinFor(board.Finkel())
	if err != nil {
		panic(err)
	}
	judge := valuenet.NewJudge(valuenet.Fastest(), net)
	p, err := board.Finkel().ParsePosition(board.Finkel().FormatPosition(board.StartPosition(7)))
	if err != nil {
		panic(err)
	}
	moves := board.Finkel().Moves(nil, p, 2)
	fmt.Println(moves[judge.Choose(p, moves)])
	// Output: {0 2 false}
}
