package train

import (
	"context"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/samebits"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
)

// findTable sets a nil table to that of [play.DefaultTables]. It returns a [*config.Error] for a named
// configuration unless the table solves games under the rules.
func findTable(ctx context.Context, name string, t **solve.Table, r *board.Rules) (err error) {
	switch {
	case *t == nil:
		*t, err = play.DefaultTables().Table(ctx, r)
	case !(*t).Rules().Equal(r):
		err = config.Fault(name, "Table", "must be for the rule set %q, is for %q", r.Name(), (*t).Rules().Name())
	case (*t).Pieces() < r.Pieces():
		err = config.Fault(name, "Table", "must be for %d pieces, is for %d at most", r.Pieces(), (*t).Pieces())
	}
	return err
}

// perfectGame is a game whose players know the exact solution, or err by its noise.
type perfectGame struct {
	Number uint64 `json:"number"`
	Turn   uint64 `json:"turn"`
	State  string `json:"state"` // the position as text, in a checkpoint

	position board.Position
	noise    float64 // see [noiseOf]
}

// nextChoice plays up to the next choice between two moves at least and returns these, appended to an empty
// list, or nil where the game ends before that.
func (g *perfectGame) nextChoice(r *board.Rules, seed uint64, list []board.Move) []board.Move {
	for {
		moves := r.Moves(list, g.position, r.Roll(seed, g.Number, g.Turn))
		g.Turn++
		switch len(moves) {
		case 0:
			g.position = g.position.Pass()
		case 1:
			g.position = r.Apply(g.position, moves[0])
			if _, over := g.position.Winner(); over {
				return nil
			}
		default:
			return moves
		}
	}
}

// decision is a choice by the exact solution.
type decision struct {
	n      int
	mover  board.Side
	after  [board.MaxMoves]board.Position
	win    [board.MaxMoves]float64 // win probabilities behind each move, for the side to move
	worth  [board.MaxMoves]float64 // the same for the mover
	regret [board.MaxMoves]float64 // loss of the mover's win probability, 0 to 1
	best   int
}

// judgeMoves values a position's moves. There is one at least.
func (d *decision) judgeMoves(t *solve.Table, r *board.Rules, p board.Position, moves []board.Move) {
	d.n, d.mover, d.best = len(moves), p.Turn(), 0
	for i, m := range moves {
		d.after[i] = r.Apply(p, m)
		d.win[i] = t.Win(d.after[i])
		if d.worth[i] = d.win[i]; d.signBehind(i) < 0 {
			d.worth[i] = 1 - d.win[i]
		}
		if d.worth[i] > d.worth[d.best] {
			d.best = i
		}
	}
	for i := range moves {
		d.regret[i] = d.worth[d.best] - d.worth[i]
	}
}

// signBehind returns 1 if the mover is to move behind a move, otherwise -1.
func (d *decision) signBehind(move int) int { return d.after[move].Turn().Sign() * d.mover.Sign() }

// lightWin returns Light's win probability, given a side's; or the side's, given Light's.
func lightWin[F float32 | float64](win F, side board.Side) F {
	if side == board.Dark {
		return 1 - win
	}
	return win
}

// regretSlopes replaces the values of a decision's moves by the derivatives, by each value, of the expected regret for
// a player that chooses a move with a probability proportional to exp(value): the policy gradient without chance
// (Sutton et al., "Policy gradient methods for reinforcement learning with function approximation", 1999).
func regretSlopes(value, regret []float64) {
	most, sum, expected := slices.Max(value), 0.0, 0.0
	for i, v := range value {
		value[i] = samebits.Exp(v - most)
		sum += value[i]
	}
	for i := range value {
		value[i] /= sum
		expected += float64(value[i] * regret[i])
	}
	for i := range value {
		value[i] = float64(value[i] * (regret[i] - expected))
	}
}
