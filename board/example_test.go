package board_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
)

// A player with no piece on the board rolls a 4, lands on a rosette and moves
// again.
func ExamplePosition_Apply() {
	p := board.StartPosition(7)
	for _, m := range p.Moves(nil, 4) {
		fmt.Println(m.Notation(p.Turn()))
		p = p.Apply(m)
	}
	fmt.Println(p)
	// Output:
	// in-A1*
	// 6:...L..........:0 7:..............:0 L
}

// Every layout generates the same futures, into memory of the caller.
func ExampleFutures() {
	p, err := board.ParsePosition("6:..L...........:0 6:.....D........:0 L")
	if err != nil {
		fmt.Println(err)
		return
	}
	var b board.Bits
	var f board.Futures[board.Bits]
	b.Set(p)
	b.Futures(&f, 3)
	for i := range f.N {
		fmt.Println(f.Moves[i].Notation(board.Light), "to", f.Boards[i].Position())
	}
	// Output:
	// A2-B2x to 6:.....L........:0 7:..............:0 D
}

// The rolls of a game follow from its seed and number alone.
func ExampleNewDice() {
	dice := board.NewDice(1, 0)
	for range 8 {
		fmt.Print(dice.Roll(), " ")
	}
	// Output: 3 1 1 2 2 2 1 3
}
