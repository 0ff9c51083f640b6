package search_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/search/tictactoe"
)

// A searcher finds the best move of any game with three methods.
func ExampleSearcher() {
	table, err := search.NewTable(1 << 16)
	if err != nil {
		panic(err)
	}
	s, err := search.New[tictactoe.Position](tictactoe.Game{}, search.Options{
		Algorithm: search.PVS, Table: table, TableMove: true, Static: true,
	})
	if err != nil {
		panic(err)
	}
	p, err := tictactoe.Parse("XX.OO....")
	if err != nil {
		panic(err)
	}
	r, err := s.Search(context.Background(), p, search.Limits{Depth: 9})
	fmt.Println("square", r.ID, "wins:", r.Value > 0, err)
	// Output: square 2 wins: true <nil>
}

// A book keeps the scores of moves and learns from the results of games.
func ExampleBook() {
	book, err := search.NewBook("example")
	if err != nil {
		panic(err)
	}
	position := search.KeyOf(1)
	if err := book.Score(position, 3, 25, 8); err != nil {
		panic(err)
	}
	if err := book.Learn(position, 3, 1); err != nil {
		panic(err)
	}
	best, known := book.Best(position, 0)
	fmt.Println(best.ID, best.Score, best.Won, known)
	// Output: 3 25 1 true
}

// Zobrist keys identify positions with many features.
func ExampleZobrist() {
	keys := make([]search.Key, 2)
	search.Zobrist(keys, 1)
	empty := search.Key{}
	fmt.Println(empty.Xor(keys[0]).Xor(keys[1]).Xor(keys[0]) == keys[1])
	// Output: true
}
