package session_test

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur/play/session"
)

// A session plays until a person has to choose; undo does not change the dice.
func ExampleSession() {
	ctx := context.Background()
	s, err := session.New(ctx, session.Setup{Players: [2]string{session.Person, "greedy"}, Seed: 7})
	if err != nil {
		panic(err)
	}
	if err := s.Run(ctx, nil); err != nil {
		panic(err)
	}
	turn := s.Turn()
	fmt.Println("roll", turn.Roll, "moves", len(turn.Moves))
	if err := s.Move(0); err != nil {
		panic(err)
	}
	fmt.Println("undone:", s.Undo(), "roll", s.Turn().Roll)
	// Output:
	// roll 2 moves 1
	// undone: true roll 2
}
