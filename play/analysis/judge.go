package analysis

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/internal/lookahead"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Judge values moves and positions of a rule set. A Judge is not safe for concurrent use.
type Judge interface {
	// Moves writes to dst the probability, 0 to 1, that the side to move wins after each of the
	// legal moves of a roll. There must be at least one.
	Moves(dst []float64, p board.Position, moves []board.Move)

	// Position returns the probability that the side to move wins, before the roll.
	Position(p board.Position) float64

	// By names the method: "table", the exact solution, or "search".
	By() string

	// Err returns the damage found so far in the table of the judge, or nil. Check it before
	// the values are used.
	Err() error
}

// ByTable judges by the exact solution.
func ByTable(t *solve.Table) Judge { return tableJudge{t} }

type tableJudge struct{ table *solve.Table }

func (j tableJudge) By() string                        { return "table" }
func (j tableJudge) Err() error                        { return j.table.Err() }
func (j tableJudge) Position(p board.Position) float64 { return j.table.Win(p) }

func (j tableJudge) Moves(dst []float64, p board.Position, moves []board.Move) {
	for i, m := range moves {
		dst[i] = j.table.After(p, m)
	}
}

// searchPlies is the depth of the search that judges without a table.
const searchPlies = 2

// BySearch judges by a search of [searchPlies] plies whose leaves a net values.
func BySearch(q *valuenet.Integer) Judge {
	return &netJudge{player: play.Net{Spec: "net", Value: q}.Ahead(searchPlies)}
}

type netJudge struct {
	player   play.Search
	pieces   int // of the searcher's games
	searcher *play.Searcher
	err      error
}

func (j *netJudge) By() string { return "search" }
func (j *netJudge) Err() error { return j.err }

// search searches a position to searchPlies, before its roll or after.
func (j *netJudge) search(p board.Position, roll int) search.Result {
	if j.searcher == nil || j.pieces != p.Pieces() {
		if j.searcher, _, j.err = j.player.Searcher(context.Background(), p.Pieces()); j.err != nil {
			j.searcher = nil
			return search.Result{}
		}
		j.pieces = p.Pieces()
	}
	r, err := j.searcher.Search(context.Background(), p, roll, search.Limits{Depth: searchPlies, First: searchPlies, AllMoves: true})
	if err != nil {
		j.err = err
	}
	return r
}

// Moves searches the position after the roll, of which the moves tell the length.
func (j *netJudge) Moves(dst []float64, p board.Position, moves []board.Move) {
	for i, v := range j.search(p, int(moves[0].To-moves[0].From)).Moves {
		dst[i] = play.WinOf(v)
	}
}

// Position is the mean over the rolls of the best move of each.
func (j *netJudge) Position(p board.Position) float64 {
	if winner, over := p.Winner(); over {
		if winner == p.Turn() {
			return 1
		}
		return 0
	}
	return play.WinOf(j.search(p, search.NoRoll).Value)
}

// FindJudge returns the judge for games of a rule set with its number of pieces: the exact
// solution of [play.FindTable], or where there is none a search with the built-in net. A table
// that exists but cannot be used is an error.
func FindJudge(ctx context.Context, r *board.Rules, file string) (Judge, error) {
	table, err := play.FindTable(ctx, r, file)
	var missing *solve.MissingTableError
	switch {
	case err == nil:
		return ByTable(table), nil
	case !errors.As(err, &missing):
		return nil, err
	}
	_, q, noNet := valuenet.BuiltinFor(r)
	if noNet != nil {
		return nil, fmt.Errorf("%w, and %w", err, noNet)
	}
	return BySearch(q), nil
}

// Advice is the values of a turn's moves for the side to move.
type Advice struct {
	By   string    `json:"by"`   // table, the exact solution, or search
	Win  []float64 `json:"win"`  // probability of winning after each move, 0 to 1
	Best int       `json:"best"` // index of the best move, the first on a tie
	Line []string  `json:"line"` // the [Line] of the best move, in notation
}

// Regret returns the win probability that a move loses against the best.
func (a *Advice) Regret(move int) float64 { return a.Win[a.Best] - a.Win[move] }

// Advise judges the legal moves of a position of a rule set, of which there must be at least one.
// It returns an error if the judge is unreliable.
func Advise(j Judge, r *board.Rules, p board.Position, moves []board.Move) (*Advice, error) {
	a := &Advice{By: j.By(), Win: make([]float64, len(moves))}
	j.Moves(a.Win, p, moves)
	a.Best = slices.Index(a.Win, slices.Max(a.Win))
	a.Line = Line(j, r, p, moves[a.Best], r.Notation)
	return a, j.Err()
}

// LikelyRoll returns the likeliest roll of a rule set, the longest of several: 2 with the dice of
// all built-in ones.
func LikelyRoll(r *board.Rules) int { return lookahead.LikelyRoll(r) }

// lineMoves is the maximum length of an expected line.
const lineMoves = 6

// Line returns the game by the best moves after a first one if every roll is the [LikelyRoll]: at
// most six moves, each as name writes it, such as [board.Rules.Notation], or "pass".
func Line(j Judge, r *board.Rules, p board.Position, first board.Move, name func(board.Side, board.Move) string) []string {
	var win [board.MaxMoves]float64
	line, _ := lookahead.Follow(r, p, first, lineMoves, name, func(p board.Position, moves []board.Move, _ int) (int, error) {
		j.Moves(win[:len(moves)], p, moves)
		return slices.Index(win[:len(moves)], slices.Max(win[:len(moves)])), nil
	})
	return line
}
