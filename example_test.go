package ur_test

import (
	"fmt"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
)

// A brain is bound to an engine once and then plays any number of games. The tally
// depends on the brains, the seed and the numbers of the games, and on nothing
// else: not on the engine, and not on the machine.
func Example() {
	brain := ur.ClassicBrain()
	game, err := engine.Fastest().New(ur.Setup{Light: brain, Dark: brain})
	if err != nil {
		panic(err)
	}
	tally, err := game.Games(nil, ur.Series{Seed: 1, N: 1000})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d games, %d turns\n", tally.Games, tally.Turns)
	fmt.Printf("light wins %d, dark wins %d\n", tally.Wins[board.Light], tally.Wins[board.Dark])
	// Output:
	// 1000 games, 181655 turns
	// light wins 524, dark wins 476
}

// Every move that a roll allows is a future, and its value says what it is worth to
// Light by the brain of the side to move. Light takes the highest.
func ExampleGame_futures() {
	brain := ur.ClassicBrain()
	game, err := engine.Oracle().New(ur.Setup{Light: brain, Dark: brain})
	if err != nil {
		panic(err)
	}
	p, err := board.Finkel().ParsePosition("4:...L..L.L.....:0 5:.....D...D....:0 L")
	if err != nil {
		panic(err)
	}
	game.Set(p)
	for _, f := range game.Futures(nil, 3) {
		fmt.Printf("%-8s %d\n", board.Finkel().Notation(p.Turn(), f.Move), f.Value)
	}
	move, _ := game.Play(3)
	fmt.Println("plays", board.Finkel().Notation(p.Turn(), move))
	// Output:
	// in-A2    105
	// B3-B6x   170
	// B5-B8    40
	// plays B3-B6x
}

// Values of positions that are held already: what "ns/eval" measures.
func ExampleGame_values() {
	brain := ur.ClassicBrain()
	game, err := engine.Fastest().New(ur.Setup{Light: brain, Dark: brain})
	if err != nil {
		panic(err)
	}
	positions := []board.Position{board.StartPosition(7), board.StartPosition(7).Pass()}
	game.Load(positions)
	values := make([]int32, len(positions))
	game.Values(values, board.Light)
	for i, p := range positions {
		fmt.Printf("%s  %d\n", board.Finkel().FormatPosition(p), values[i])
	}
	// Output:
	// 7:..............:0 7:..............:0 L  0
	// 7:..............:0 7:..............:0 D  -34
}

// The text of a brain is its matrix, row by row; what stands above the diagonal
// must be 0. An error names the line.
func ExampleReadBrain() {
	_, _, err := ur.ReadBrain(strings.NewReader("// one row is not enough\n5 1\n"))
	fmt.Println(err)
	// Output: line 2: row 0, column 1 is 1 (want 0 above the diagonal)
}
