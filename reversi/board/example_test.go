package board_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi/board"
)

// A record holds the moves of a game.
func ExampleParseRecord() {
	r, err := board.ParseRecord(board.StartPosition(), "f5d6c3")
	if err != nil {
		panic(err)
	}
	end := r.End()
	fmt.Println(board.Squares(end.Board.Moves()))
	// Output: [d3 f3 f4 g5]
}

// A line of the OBF format has a position, and scores, skipped here.
func ExampleParseOBF() {
	p, ok, err := board.ParseOBF("---------------------------OX------XO--------------------------- X; f5:+0;")
	fmt.Println(ok, err, p == board.StartPosition())
	// Output: true <nil> true
}
