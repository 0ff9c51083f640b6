package game

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/analysis"
	"github.com/seed-09dcdc84/ur/play/puzzle"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
)

// quickPieces is the greatest number of pieces of a game solved for a request, which takes
// about a second.
const quickPieces = 3

// newEvaluator returns the evaluator of the game: the exact solution, of a file or of a game of
// [quickPieces] at most, or the built-in net.
func (s *state) newEvaluator() (play.Evaluator, error) {
	r := s.Rules()
	if record.RulesText(r) != r.Name() { // a custom one
		return nil, fmt.Errorf("the rule set %q has neither a table nor a net here: its games are not judged", r.Name())
	}
	return s.service.evaluators.FindWithin(context.Background(), r, quickPieces)
}

// Hints are the values of a person's moves. Probabilities are for the side to move.
type Hints struct {
	Schema string  `json:"schema"` // ur.web-hints/1
	By     string  `json:"by"`     // table, the exact solution, or search
	Before float64 `json:"before"` // probability to win before the roll
	Moves  []Hint  `json:"moves"`  // hints in move order
}

// Hint is the value of a move.
type Hint struct {
	Move
	Win    float64  `json:"win"`            // probability to win after the move
	Regret float64  `json:"regret"`         // loss against the best move
	Mark   string   `json:"mark"`           // "", inaccuracy, mistake or blunder
	Line   []string `json:"line,omitempty"` // best moves: the game from this one on if every roll is the likeliest

	Why *analysis.Why `json:"why,omitempty"` // under rules that brains play, if there is another move
}

// newHint returns the value of a move of a side.
func newHint(r *board.Rules, m board.Move, side board.Side, win, regret float64) Hint {
	return Hint{Move: pageMove(r, m, side), Win: win, Regret: regret, Mark: analysis.Mark(regret)}
}

const hintLines = 3 // number of best moves with a line of their own in hints

// newHints values the moves of the side to move.
func (s *state) newHints() (*Hints, error) {
	t, set, ctx := s.Turn(), s.Rules(), context.Background()
	e, err := s.newEvaluator()
	if err != nil {
		return nil, err
	}
	before, err := e.Evaluate(ctx, t.Position, search.NoRoll)
	h := &Hints{Schema: "ur.web-hints/1", By: e.By(), Before: before.Win, Moves: []Hint{}}
	if err != nil || len(t.Moves) == 0 {
		return h, err
	}
	advice, err := analysis.Advise(ctx, e, t, set.Notation)
	if err != nil {
		return nil, err
	}
	var order []int // the best first
	for i, m := range t.Moves {
		h.Moves = append(h.Moves, newHint(set, m, t.Side(), advice.Win[i], advice.Regret(i)))
		h.Moves[i].Why = advice.Why(t, i)
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(advice.Win[b], advice.Win[a]) })
	for _, i := range order[:min(hintLines, len(order))] {
		if h.Moves[i].Line, err = analysis.Line(ctx, e, t, i, set.Notation); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (s *state) analyzeGame(ctx context.Context) (*analysis.Game, error) {
	e, err := s.newEvaluator()
	if err != nil {
		return nil, err
	}
	return analysis.Analyze(ctx, s.Record(), interruptible{e})
}

// interruptible is an evaluator that ends with its context: an analysis of thousands of turns takes
// longer than a request may. It looks at the deadline itself: in a page without a server no timer runs
// while a question is answered.
type interruptible struct{ play.Evaluator }

func (e interruptible) Evaluate(ctx context.Context, p board.Position, roll int) (play.Evaluation, error) {
	err := ctx.Err()
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		err = context.DeadlineExceeded
	}
	if err != nil {
		return play.Evaluation{}, err
	}
	return e.Evaluator.Evaluate(ctx, p, roll)
}

type puzzleList struct {
	Schema  string   `json:"schema"`  // ur.web-puzzles/1
	Puzzles []Puzzle `json:"puzzles"` // sorted by number
}

// Puzzle is a position and a roll, with the values of the moves by the exact solution.
type Puzzle struct {
	Number int    `json:"number"` // number from 1
	Title  string `json:"title"`  // its theme; it may reveal the answer
	Board  []int  `json:"board"`  // 33 numbers
	Side   string `json:"side"`   // side to move
	Roll   int    `json:"roll"`   // 1 to 4
	Moves  []Hint `json:"moves"`  // hints in move order
}

func listPuzzles() (any, error) {
	all, err := puzzle.All()
	if err != nil {
		return nil, err
	}
	list := puzzleList{Schema: "ur.web-puzzles/1", Puzzles: []Puzzle{}}
	for _, p := range all {
		turn := p.MustTurn()
		side := turn.Side()
		shown := Puzzle{Number: p.Number, Title: p.Title(), Board: boardNumbers(turn.Rules, turn.Position),
			Side: side.String(), Roll: p.Roll}
		for i, m := range turn.Moves {
			shown.Moves = append(shown.Moves, newHint(board.Finkel(), m, side, p.Moves[i].Win, p.Moves[i].Regret))
		}
		list.Puzzles = append(list.Puzzles, shown)
	}
	return list, nil
}
