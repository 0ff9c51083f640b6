package train

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/endgame"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Game is a finished game: its moves, and the score of all its positions.
type Game struct {
	Moves []board.Square // passes included

	// From is the number of moves, passes included, made at random or otherwise blindly: only
	// later positions are used in training.
	From int

	// Score is the score of the game for Black. Moves near the end are perfect, so it is
	// exact for them.
	Score int
}

// Play is how a round's games are played.
type Play struct {
	Depth   int // plies of a search for each move
	Exact   int // empty squares from which play is perfect
	Opening int // maximum number of random moves at the beginning; the minimum is half
}

// player plays games of one round; every goroutine has its own.
type player struct {
	play    Play
	weights *eval.Weights // nil in the first round: the hand-set evaluation plays, one ply deep
	hand    eval.Hand
	solver  *endgame.Solver
}

func newPlayer(p Play, w *eval.Weights) (*player, error) {
	solver, err := endgame.New(endgame.Options{Weights: w, TableBits: 14})
	return &player{p, w, eval.DefaultHand(), solver}, err
}

// game plays game number n of a seed. The result does not depend on the games before.
func (p *player) game(ctx context.Context, seed, n uint64) (Game, error) {
	random := rand.New(rand.NewPCG(seed, n))
	p.solver.Forget()
	opening := p.play.Opening/2 + random.IntN(p.play.Opening/2+1)
	var g Game
	position := board.StartPosition()
	for !position.Over() {
		move, blind, err := p.choose(ctx, random, position.Board, len(g.Moves) < opening)
		if err != nil {
			return g, err
		}
		if position, err = position.Play(move); err != nil {
			return g, err
		}
		g.Moves = append(g.Moves, move)
		if blind {
			g.From = len(g.Moves)
		}
	}
	g.Score = position.Score()
	if position.Side == board.White {
		g.Score = -g.Score
	}
	return g, nil
}

// choose returns a move, and whether it was made blindly.
func (p *player) choose(ctx context.Context, random *rand.Rand, b board.Board, opening bool) (board.Square, bool, error) {
	moves := b.Moves()
	switch {
	case moves == 0:
		return board.Pass, false, nil
	case opening || b.Empties() > p.play.Exact && random.IntN(60) == 0:
		for range random.IntN(bits.OnesCount64(moves)) {
			moves &= moves - 1
		}
		return board.First(moves), true, nil
	case moves&(moves-1) == 0:
		return board.First(moves), false, nil
	case b.Empties() <= p.play.Exact:
		r, err := p.solver.Solve(ctx, b)
		return r.Best, false, err
	case p.weights != nil:
		r, err := p.solver.Estimate(ctx, b, p.play.Depth)
		return r.Best, false, err
	}
	return p.byHand(b, moves), false, ctx.Err()
}

// byHand returns the move with the least hand-set evaluation for the other side.
func (p *player) byHand(b board.Board, moves uint64) board.Square {
	best, least := board.None, eval.Max+1
	for ; moves != 0; moves &= moves - 1 {
		s := board.First(moves)
		if v := p.hand.Evaluate(b.Play(s, b.Flips(s))); v < least {
			best, least = s, v
		}
	}
	return best
}
