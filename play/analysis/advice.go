package analysis

import (
	"errors"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// SearchPlies is the depth of the search that judges without a table.
const SearchPlies = 2

// FindJudge returns the judge for games with a number of pieces: the exact solution if its
// table is in the cache, otherwise a search with the built-in net. It never solves the game. A
// table that exists but cannot be used is an error.
func FindJudge(pieces int) (Judge, error) {
	table, err := play.DefaultTables().Find(pieces)
	var missing *solve.MissingTableError
	switch {
	case err == nil:
		return ByTable(table), nil
	case errors.As(err, &missing):
		value, err := valuenet.Builtin()
		if err != nil {
			return nil, err
		}
		return BySearch(value, SearchPlies), nil
	}
	return nil, err
}

// Advice is the values of a turn's moves for the side to move.
type Advice struct {
	By   string    `json:"by"`   // table, the exact solution, or search
	Win  []float64 `json:"win"`  // probability of winning after each move, 0 to 1
	Best int       `json:"best"` // index of the best move, the first on a tie

	// Line is the game by the best moves if every roll after this one is the [LikelyRoll], in
	// the notation of moves, the best move first, or "pass".
	Line []string `json:"line"`
}

// Regret returns the win probability that a move loses against the best.
func (a *Advice) Regret(move int) float64 { return a.Win[a.Best] - a.Win[move] }

// lineMoves is the maximum length of the expected line of an advice.
const lineMoves = 6

// Advise judges the legal moves of a position of a rule set, of which there must be at least one.
// It returns an error if the judge is unreliable.
func Advise(j GameJudge, r *rules.Rules, p rules.Position, moves []board.Move) (*Advice, error) {
	a := &Advice{By: j.By(), Win: make([]float64, len(moves))}
	j.Moves(a.Win, p, moves)
	a.Best = slices.Index(a.Win, slices.Max(a.Win))
	a.Line = Line(j, r, p, moves[a.Best])
	return a, j.Err()
}

// LikelyRoll returns the likeliest roll of a rule set, the longest of several: 2 with the dice of
// all built-in ones.
func LikelyRoll(r *rules.Rules) int {
	likely := 0
	for roll := range r.MaxRoll() + 1 {
		if r.Weight(roll) >= r.Weight(likely) {
			likely = roll
		}
	}
	return likely
}

// Line returns the game by the best moves after a first one if every roll is the likeliest, as in
// [Advice].
func Line(j GameJudge, r *rules.Rules, p rules.Position, first board.Move) []string {
	name := func(m board.Move, side board.Side) string { return r.Notation(side, m) }
	var win [rules.MaxMoves]float64
	line, _ := ursearch.Follow(r, p, first, LikelyRoll(r), lineMoves, name, func(p rules.Position, moves []board.Move, _ int) (int, error) {
		j.Moves(win[:len(moves)], p, moves)
		return slices.Index(win[:len(moves)], slices.Max(win[:len(moves)])), nil
	})
	return line
}
