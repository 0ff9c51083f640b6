package ur_test

import (
	"context"
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
		fmt.Println(err)
		return
	}
	tally, err := game.Games(nil, ur.Series{Seed: 1, N: 1000})
	if err != nil {
		fmt.Println(err)
		return
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
		fmt.Println(err)
		return
	}
	p, err := board.Finkel().ParsePosition("4:...L..L.L.....:0 5:.....D...D....:0 L")
	if err != nil {
		fmt.Println(err)
		return
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
		fmt.Println(err)
		return
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

// engineUnderNewName is an engine that differs from another in nothing but its
// name. A complete one of its own is in examples/pairs.
type engineUnderNewName struct{ ur.Engine }

func (engineUnderNewName) Name() string { return "example/renamed" }

// An engine is registered once, usually from an init function, and is then found by
// its name like the built-in ones.
func ExampleRegister() {
	const name = "example/renamed"
	if _, err := engine.Lookup(name); err != nil { // a test may run more than once
		if err := engine.Register(engineUnderNewName{engine.Oracle()}); err != nil {
			fmt.Println(err)
		}
	}
	e, err := engine.Lookup(name)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Name())
	// Output: example/renamed
}

// A verifier asks the oracle once and then compares any number of engines with it.
// What differs first is in the error.
func ExampleVerifier() {
	ctx := context.Background()
	v, err := engine.NewVerifier(ctx, engine.VerifyOptions{Seed: 1, Positions: 10, Games: 100})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range []ur.Engine{engine.Fastest(), engineOffByOne{engine.Oracle()}} {
		if _, err := v.Verify(ctx, e); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("the fastest engine equals the oracle")
	}
	// Output:
	// the fastest engine equals the oracle
	// example/off-by-one: classic brain: value of 2:L...LL..L..L..:0 2:D..D.........D:2 L is -332, oracle -333
}

// engineOffByOne is wrong in the last value of every batch.
type engineOffByOne struct{ ur.Engine }

func (engineOffByOne) Name() string { return "example/off-by-one" }

func (e engineOffByOne) New(s ur.Setup) (ur.Game, error) {
	g, err := e.Engine.New(s)
	return gameOffByOne{g}, err
}

type gameOffByOne struct{ ur.Game }

func (g gameOffByOne) Values(dst []int32, by board.Side) {
	g.Game.Values(dst, by)
	dst[len(dst)-1]++
}
