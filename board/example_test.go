package board_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
)

// A player with no piece on the board rolls a 4, lands on a rosette and moves
// again.
func ExampleRules_Apply() {
	r := board.Finkel()
	p := r.Start()
	for _, m := range r.Moves(nil, p, 4) {
		fmt.Println(r.Notation(p.Turn(), m))
		p = r.Apply(p, m)
	}
	fmt.Println(r.FormatPosition(p))
	// Output:
	// in-A1*
	// 6:...L..........:0 7:..............:0 L
}

// Every layout generates the same futures, into memory of the caller.
func ExampleFutures() {
	r := board.Finkel()
	p, err := r.ParsePosition("6:..L...........:0 6:.....D........:0 L")
	if err != nil {
		panic(err)
	}
	var b board.Bits
	var f board.Futures[board.Bits]
	b.Set(p)
	b.Futures(&f, 3)
	for i := range f.N {
		fmt.Println(r.Notation(board.Light, f.Moves[i]), "to", r.FormatPosition(f.Boards[i].Position()))
	}
	// Output:
	// A2-B2x to 6:.....L........:0 7:..............:0 D
}

// The rolls of a game follow from its seed and number alone.
func ExampleRules_Dice() {
	dice := board.Finkel().Dice(1, 0)
	for range 8 {
		fmt.Print(dice.Roll(), " ")
	}
	// Output: 3 1 1 2 2 2 1 3
}

// A built-in rule set has the moves, the dice and the notation of its games.
func ExampleLookup() {
	r, err := board.Lookup("blitz")
	if err != nil {
		panic(err)
	}
	p := r.Start()
	for _, m := range r.Moves(nil, p, 4) {
		fmt.Println(r.Notation(p.Turn(), m), r.RollsAgain(m))
		p = r.Apply(p, m)
	}
	fmt.Println(r.FormatPosition(p))
	// Output:
	// in-A1* true
	// 4:...L............:0 5:................:0 L
}

// A rule set of your own is a value in JSON.
func ExampleParse() {
	r, err := board.Parse([]byte(`{
		"name": "short", "board": ["###", "###", "###"],
		"light": ["A2", "A1", "B1", "B2", "B3", "A3"], "rosettes": ["B2"],
		"pieces": 2, "dice": [1, 2, 1],
		"safe_rosettes": false, "roll_after_rosette": true, "roll_after_capture": true
	}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Name(), r.Pieces(), r.Squares(), r.MaxRoll(), r.Probability(1))
	// Output: short 2 6 2 0.5
}
