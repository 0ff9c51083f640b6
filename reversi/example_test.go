package reversi_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
)

// A player is asked for a move; it stops when its context does.
func ExamplePlayer() {
	player, err := reversi.ParsePlayer("greedy", reversi.Env{})
	if err != nil {
		panic(err)
	}
	record, _ := board.ParseRecord(board.StartPosition(), "f5d6")
	choice, err := player.Choose(context.Background(), record.End(), reversi.Limits{})
	fmt.Println(choice.Square, err)
	// Output: c3 <nil>
}

// A match of pairs: both games of a pair begin alike, with colours exchanged.
func ExampleMatch() {
	m := reversi.Match{Players: []string{"level:2", "level:2"}, Pairs: 2, Seed: 1}
	out, err := m.Play(context.Background())
	if err != nil {
		panic(err)
	}
	score := out.Scores[0]
	fmt.Println(score.Pairs.N(), "pairs, score", score.Pairs.Score())
	// Output: 2 pairs, score 0.5
}
