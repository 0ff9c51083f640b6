package play

import (
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
)

// Game is one game between two seats on the shared dice.
type Game struct {
	Seed   uint64
	Number uint64 // of the game in its seed
	Seats  [2]Seat

	// Pieces of each player, 1 to 7; 0 means 7.
	Pieces int

	// TurnLimit is how many turns the game may take; 0 means
	// [ur.DefaultTurnLimit]. A game between careless players always ends, but one
	// between stubborn ones may not.
	TurnLimit int

	// Observe, when not nil, is called after every turn. The turn is only valid until Observe
	// returns.
	Observe func(*Turn)
}

// Play plays the game to its end and counts its events. It stops with the error of a seat, with
// a [*ur.TurnLimitError], or with the error of ctx when that ends; the tally then counts the
// turns played and no game.
func (g Game) Play(ctx context.Context) (ur.Tally, error) {
	var tally ur.Tally
	g, err := g.complete()
	if err != nil {
		return tally, err
	}
	var moves [board.MaxMoves]board.Move
	t := &Turn{Seed: g.Seed, Game: g.Number, Position: board.StartPosition(g.Pieces)}
	dice := board.NewDice(g.Seed, g.Number)
	for t.Number = 0; t.Number < g.TurnLimit; t.Number++ {
		t.Roll = dice.Roll()
		t.Moves = t.Position.Moves(moves[:0], t.Roll)
		if err := g.decide(ctx, t); err != nil {
			return tally, err
		}
		count(&tally, t)
		if g.Observe != nil {
			g.Observe(t)
		}
		if winner, over := t.Next.Winner(); over {
			tally.Games++
			tally.Wins[winner]++
			return tally, nil
		}
		t.Position = t.Next
	}
	return tally, &ur.TurnLimitError{Seed: g.Seed, Game: g.Number, Limit: g.TurnLimit}
}

// complete returns g with its defaults filled in.
func (g Game) complete() (Game, error) {
	if g.Pieces == 0 {
		g.Pieces = board.MaxPieces
	}
	if g.TurnLimit == 0 {
		g.TurnLimit = ur.DefaultTurnLimit
	}
	return g, board.CheckPieces(g.Pieces)
}

// decide asks the seat to move and finishes the turn.
func (g Game) decide(ctx context.Context, t *Turn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.Choice = -1
	if len(t.Moves) == 0 {
		t.Next = t.Position.Pass()
		return nil
	}
	choice, err := g.Seats[t.Side()].Choose(ctx, t)
	if err != nil {
		return err
	}
	if choice < 0 || choice >= len(t.Moves) {
		return fmt.Errorf("%s chose move %d of %d in turn %d of game %d", t.Side(), choice, len(t.Moves), t.Number, t.Game)
	}
	t.Choice = choice
	t.Next = t.Position.Apply(t.Move())
	return nil
}

// count adds a finished turn to a tally.
func count(tally *ur.Tally, t *Turn) {
	tally.Turns++
	if t.Passed() {
		tally.Passes++
		return
	}
	tally.Moves++
	if t.Move().Capture {
		tally.Captures++
	}
	if board.IsRosette(int(t.Move().To)) {
		tally.Rosettes++
	}
}
