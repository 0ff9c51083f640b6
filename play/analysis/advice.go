package analysis

import (
	"context"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
)

// Advice is the values of a turn's moves for the side to move.
type Advice struct {
	By   string    `json:"by"`   // table, the exact solution, or search
	Win  []float64 `json:"win"`  // probability of winning after each move, 0 to 1
	Best int       `json:"best"` // index of the best move, the first on a tie
	Line []string  `json:"line"` // the [Line] of the best move, in notation
}

// Regret returns the win probability that a move loses against the best.
func (a *Advice) Regret(move int) float64 { return a.Win[a.Best] - a.Win[move] }

// Advise values the legal moves of a turn, of which there must be at least one, by an evaluator of
// its rules. The line is written by name, see [play.Follow].
func Advise(ctx context.Context, e play.Evaluator, t *play.Turn, name func(board.Side, board.Move) string) (*Advice, error) {
	v, err := e.Evaluate(ctx, t.Position, t.Roll)
	if err != nil {
		return nil, err
	}
	a := &Advice{By: e.By(), Win: v.Moves, Best: v.Best}
	a.Line, err = Line(ctx, e, t, a.Best, name)
	return a, err
}

// lineMoves is the maximum length of an expected line.
const lineMoves = 6

// Line returns the game by the best moves after a move of a turn if every roll is the
// [play.LikelyRoll]: at most six moves.
func Line(ctx context.Context, e play.Evaluator, t *play.Turn, move int, name func(board.Side, board.Move) string) ([]string, error) {
	return play.Follow(t.Rules, t.Position, t.Moves[move], lineMoves, name, func(p board.Position, _ int) (int, error) {
		v, err := e.Evaluate(ctx, p, play.LikelyRoll(t.Rules))
		return v.Best, err
	})
}
