package train

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/seed-09dcdc84/ur/reversi/engine"
	"github.com/seed-09dcdc84/ur/reversi/eval"
)

// Game is a finished game: its moves, and its positions' scores.
type Game struct {
	Moves []board.Square // passes included

	// From is how many moves, passes included, precede the first position used in training:
	// up to there moves were made at random.
	From int

	// Scores holds the score for Black in every position from number Exact on, up to the end of
	// the game.
	Scores []int8
	Exact  int

	// Values holds what a search found for Black at the positions from number From to Exact, or
	// nothing.
	Values []int8
}

// record returns the game's moves from the start position.
func (g *Game) record() board.Record {
	return board.Record{From: board.StartPosition(), Moves: g.Moves}
}

// score returns the score for Black in the position after n moves; the first in Scores stands for
// all positions before it.
func (g *Game) score(n int) int { return int(g.Scores[max(0, n-g.Exact)]) }

// goals returns the score for Black that every position is to be fitted to, up to position Exact:
// the first exact score on the one side, the values from searches on the other. Every move back
// takes the goal's part trace after it, as in TD(lambda) (Sutton 1988).
func (g *Game) goals(trace float64) []float64 {
	goals := make([]float64, g.Exact+1)
	last := float64(g.Scores[0])
	goals[g.Exact] = last
	for i := g.Exact - 1; i >= g.From; i-- {
		if len(g.Values) > 0 {
			v := float64(g.Values[i-g.From])
			last = v + float64(trace*(last-v))
		}
		goals[i] = last
	}
	return goals
}

// Play is how a round's games are played.
type Play struct {
	Depth   int // plies of a search for each move
	Exact   int // empty squares from which positions are solved
	Opening int // maximum number of random moves at the beginning, at least 4; the minimum is 4

	// Stray and Wild are the intervals between random moves, on average, before and after positions
	// are solved; 0 for none. Random moves in solved positions spoil no score.
	Stray, Wild int
}

// late is the depth at which moves in solved positions are chosen. The solver does not choose
// them, so a seed names the same games whichever it prefers among equal moves.
const late = 2

// player plays games in one round; every goroutine has its own.
type player struct {
	play    Play
	seed    uint64         // names the games
	weights *eval.Weights  // nil in the first round: the hand-set evaluation plays, one ply deep
	ahead   *engine.Engine // without a table: its values depend on the weights alone
	hand    eval.Hand
	solver  *engine.Engine
}

func newPlayer(p Play, w *eval.Weights, seed uint64) (*player, error) {
	solver, err := engine.New(engine.Options{Weights: w, TableBits: 18})
	if err != nil {
		return nil, err
	}
	plain, err := engine.ParseTechniques("table,transpositions,probcut")
	if err != nil {
		return nil, err
	}
	ahead, err := engine.New(engine.Options{Weights: w, TableBits: 1, Without: plain})
	return &player{play: p, seed: seed, weights: w, ahead: ahead, hand: eval.DefaultHand(), solver: solver}, err
}

// game plays game number n of the seed. The result does not depend on the games before.
func (p *player) game(ctx context.Context, n uint64) (Game, error) {
	random := rand.New(rand.NewPCG(p.seed, n))
	opening := 4 + random.IntN(p.play.Opening-3)
	var g Game
	kept := board.None // a move that leads to a position of the score just found
	position := board.StartPosition()
	for !position.Over() {
		solved := position.Empties() <= p.play.Exact
		if solved {
			if g.Scores == nil {
				g.Exact = len(g.Moves)
			}
			if n := len(g.Moves); kept != board.None && g.Moves[n-1] == kept {
				g.Scores, kept = append(g.Scores, g.Scores[n-1-g.Exact]), board.None
			} else {
				r, err := p.solver.Search(ctx, position.Board, engine.Limits{})
				if err != nil {
					return g, err
				}
				g.Scores, kept = append(g.Scores, int8(position.ValueFor(board.Black, r.Score()))), r.Best
			}
		}
		move, value, blind := p.choose(random, position.Board, len(g.Moves) < opening, solved)
		next, err := position.Play(move)
		if err != nil {
			return g, err
		}
		g.Moves = append(g.Moves, move)
		switch {
		case solved:
		case blind:
			g.From, g.Values = len(g.Moves), nil
		case p.weights != nil:
			g.Values = append(g.Values, int8(position.ValueFor(board.Black, eval.Discs(value))))
		}
		position = next
		if err := ctx.Err(); err != nil {
			return g, err
		}
	}
	if g.Scores == nil {
		g.Exact = len(g.Moves)
	}
	g.Scores = append(g.Scores, int8(position.ValueFor(board.Black, position.Score())))
	return g, nil
}

// choose returns a move, the value of the search that found it, and whether it was made at random.
func (p *player) choose(random *rand.Rand, b board.Board, opening, solved bool) (move board.Square, value int, blind bool) {
	moves := b.Moves()
	stray, depth := p.play.Stray, p.play.Depth
	if solved {
		stray, depth = p.play.Wild, min(late, p.play.Depth)
	}
	blind = opening || stray > 0 && random.IntN(stray) == 0
	switch {
	case moves == 0 && (blind || solved || p.weights == nil):
		return board.Pass, 0, blind
	case blind:
		return board.AnyOf(random, moves), 0, true
	case moves == 0:
		_, value := p.best(b.Pass(), depth)
		return board.Pass, -value, false
	case solved && moves&(moves-1) == 0:
		return board.First(moves), 0, false
	case p.weights != nil:
		move, value := p.best(b, min(depth, b.Empties()))
		return move, value, false
	}
	return p.byHand(b, moves), 0, false
}

// best returns the move with the highest value after depth plies, and this value. Moves come in the
// order of their values at once, and among equals the first is taken, so a seed's games do not
// depend on the order in which a search looks at them.
func (p *player) best(b board.Board, depth int) (board.Square, int) {
	type child struct {
		square board.Square
		board  board.Board
		value  int
	}
	var list []child
	for _, s := range board.Squares(b.Moves()) {
		next := b.Play(s, b.Flips(s))
		value := -next.Score() * eval.Disc
		if next.Own != 0 && next.Empty() != 0 {
			value = -p.weights.Evaluate(next)
		}
		list = append(list, child{s, next, eval.Clip(value)})
	}
	slices.SortStableFunc(list, func(x, y child) int { return y.value - x.value })
	best, most := board.None, -eval.Max-1
	for _, c := range list {
		if depth > 1 {
			c.value = eval.Clip(-p.ahead.Value(c.board, depth-1, -eval.Max-1, -most))
		}
		if c.value > most {
			best, most = c.square, c.value
		}
	}
	return best, most
}

// maxDepth is a search's most plies for a move.
const maxDepth = 12

// byHand returns the move with the least hand-set evaluation for the other side.
func (p *player) byHand(b board.Board, moves uint64) board.Square {
	value := func(s board.Square) int { return p.hand.Evaluate(b.Play(s, b.Flips(s))) }
	return slices.MinFunc(board.Squares(moves), func(s, t board.Square) int { return value(s) - value(t) })
}
