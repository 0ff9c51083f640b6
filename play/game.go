package play

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/match"
)

// Game is one game between two instances on the shared dice.
type Game struct {
	Seed      uint64
	Number    uint64 // number of the game for its seed
	Instances [2]Instance

	// Rules is the rule set; nil means Finkel's.
	Rules *board.Rules

	// Each player's pieces, 1 to 7; 0 means 7. Under other rules 1 to 10, and 0 means those in
	// the rule set.
	Pieces int

	// TurnLimit is how many turns the game may take; 0 means
	// [ur.DefaultTurnLimit]. A game between careless players always ends, but one
	// between stubborn ones may not.
	TurnLimit int

	// Observe, when not nil, is called after every turn. The turn is only valid until Observe
	// returns.
	Observe func(*Turn)
}

// Play plays the game to its end and counts its events. It stops with an instance's error, with
// a [*ur.TurnLimitError], or with ctx's error when that ends; the tally then counts the
// turns played and no game. With a [*match.ForfeitError] it also counts the game, won by the other side.
func (g Game) Play(ctx context.Context) (ur.Tally, error) {
	var tally ur.Tally
	g, err := g.complete()
	if err != nil {
		return tally, err
	}
	var moves [board.MaxMoves]board.Move
	t := &Turn{Seed: g.Seed, Game: g.Number, Rules: g.Rules, Position: board.StartPosition(g.Pieces)}
	r := g.Rules
	dice := r.Dice(g.Seed, g.Number)
	for t.Number = 0; t.Number < g.TurnLimit; t.Number++ {
		t.Roll = dice.Roll()
		t.Moves = r.Moves(moves[:0], t.Position, t.Roll)
		if err := g.decide(ctx, t); err != nil {
			if _, ok := errors.AsType[*match.ForfeitError](err); ok {
				tally.Games++
				tally.Wins[t.Side().Other()]++
			}
			return tally, err
		}
		t.Count(&tally)
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
	g.TurnLimit = cmp.Or(g.TurnLimit, ur.DefaultTurnLimit)
	r := cmp.Or(g.Rules, board.Finkel())
	g.Pieces = cmp.Or(g.Pieces, r.Pieces())
	var err error
	g.Rules, err = r.WithPieces(g.Pieces)
	return g, err
}

// decide asks the instance to move and finishes the turn.
func (g Game) decide(ctx context.Context, t *Turn) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(t.Moves) == 0 {
		t.Play(-1)
		return nil
	}
	choice, err := g.Instances[t.Side()].Choose(ctx, t)
	if err != nil {
		return err
	}
	if choice < 0 || choice >= len(t.Moves) {
		return fmt.Errorf("%s chose move %d of %d in turn %d of game %d", t.Side(), choice, len(t.Moves),
			t.Number, t.Game)
	}
	t.Play(choice)
	return nil
}
