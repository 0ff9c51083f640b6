package book_test

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/book"
)

// A symmetric position has the same entry.
func Example() {
	b := book.New()
	at := board.Start
	if err := b.Add(at, []reversi.Hint{{Square: board.SquareAt(3, 2), Score: 0.5}}, 10); err != nil {
		panic(err)
	}
	move, score, found := b.Move(at)
	fmt.Println(move, score, found, b.Len())
	// Output: d3 0.5 true 1
}
