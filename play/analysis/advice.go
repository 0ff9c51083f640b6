package analysis

import (
	"errors"
	"slices"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/ursearch"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// SearchPlies is the depth of the search that judges where there is no table.
const SearchPlies = 2

// FindJudge returns the judge of games of a number of pieces: the exact solution where its
// table is at hand, in the cache, and else a search by the built-in net. Nothing is solved.
// A table that is there but of no use is an error.
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

// Advice is what the moves of a turn are worth to the side that must make one of them.
type Advice struct {
	By   string    `json:"by"`   // table, the exact solution, or search
	Win  []float64 `json:"win"`  // the probability, 0 to 1, that it wins after each move
	Best int       `json:"best"` // index of the best move, the first on a tie

	// Line is the game by the best moves if every roll after this one is a 2, the most
	// likely one, in the notation of moves, the best move first, or "pass".
	Line []string `json:"line"`
}

// Regret returns what a move gives away of the probability to win.
func (a *Advice) Regret(move int) float64 { return a.Win[a.Best] - a.Win[move] }

// lineMoves is how many moves the line of an advice tells.
const lineMoves = 6

// Advise judges the legal moves of a position, of which there is at least one. An error says
// that what is judged by cannot be believed.
func Advise(j Judge, p board.Position, moves []board.Move) (*Advice, error) {
	a := &Advice{By: j.By(), Win: make([]float64, len(moves))}
	j.Moves(a.Win, p, moves)
	a.Best = slices.Index(a.Win, slices.Max(a.Win))
	a.Line = line(j, p, moves[a.Best])
	return a, Damage(j)
}

// line follows the best moves, from a first one on.
func line(j Judge, p board.Position, first board.Move) []string {
	texts := []string{first.Notation(p.Turn())}
	p = p.Apply(first)
	var win [board.MaxMoves]float64
	for len(texts) < lineMoves {
		if _, over := p.Winner(); over {
			break
		}
		moves := p.Moves(nil, ursearch.LikelyRoll)
		if len(moves) == 0 {
			texts = append(texts, "pass")
			p = p.Pass()
			continue
		}
		j.Moves(win[:len(moves)], p, moves)
		best := moves[slices.Index(win[:len(moves)], slices.Max(win[:len(moves)]))]
		texts = append(texts, best.Notation(p.Turn()))
		p = p.Apply(best)
	}
	return texts
}

// Damage returns what was found to be wrong with the table that a judge goes by.
func Damage(j Judge) error {
	if t, ok := j.(tableJudge); ok {
		return solve.Damage(t.table)
	}
	return nil
}
