package puzzle_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/puzzle"
)

// The built-in puzzles have the exact value of every move.
func ExampleAll() {
	all, err := puzzle.All()
	if err != nil {
		fmt.Println(err)
		return
	}
	p := all[0]
	for _, m := range p.Moves {
		fmt.Println(m.Move, m.Move == p.Best)
	}
	// Output:
	// A3-A1* true
	// A2-B1 false
	// B4-B6x false
	// A8-home false
}

// A finder searches games for puzzles.
func ExampleFinder() {
	ctx := context.Background()
	three, err := board.Finkel().WithPieces(3)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := play.DefaultTables().Table(ctx, three)
	if err != nil {
		fmt.Println(err)
		return
	}
	finder := puzzle.Finder{Table: table, Pieces: 3, Games: 200, Seed: 1, Player: "level:2", Each: 1}
	puzzles, err := finder.Find(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range puzzles {
		fmt.Println(p.Kind, p.Roll, p.Best)
	}
	// Output:
	// greed 1 B8-A8
	// capture 3 B5-B8x
	// rosette 3 A4-A1*
	// quiet 2 B7-A8
	// close 2 B8-A7*
}
