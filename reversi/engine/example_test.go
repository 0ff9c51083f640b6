package engine_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
)

// An engine finds the exact score of an ending and its best move.
func ExampleEngine() {
	p, err := board.ParsePosition("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO--", "X")
	if err != nil {
		panic(err)
	}
	e, err := engine.New(engine.Options{})
	if err != nil {
		panic(err)
	}
	var r engine.Result
	r, err = e.Search(context.Background(), p.Board, engine.Limits{})
	fmt.Printf("%s %+d %v\n", r.Best, r.Score(), err)
	// Output: g8 +18 <nil>
}
