package play

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/search"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
)

// Evaluator values positions and moves under one rule set. The instances of players with values
// implement it; they serve one goroutine each.
type Evaluator interface {
	// Evaluate values a position and, after a roll, its moves. The roll is [search.NoRoll]
	// before the dice are thrown.
	Evaluate(ctx context.Context, p board.Position, roll int) (Evaluation, error)

	// By names the method: "table", the exact solution, "search" or "brain".
	By() string
}

// Evaluation holds a position's values for the side to move.
type Evaluation struct {
	// Win is the probability to win, 0 to 1: by the roll's best move, or before the roll
	// its expectation. Brains have none.
	Win float64

	// Moves are the probabilities to win after each move in [board.Rules.Moves], or after the pass;
	// empty before the roll and for brains.
	Moves []float64

	// Values are a brain's values for the positions after the moves or the pass, for Light.
	Values []int32

	Best   int            // index of the best move, the first on a tie; -1 without a roll or a move
	Search *search.Result // result from players that search; valid until the next evaluation

	searcher *Searcher
}

// Line returns the expected continuation after a position's search, if every later roll is
// the likeliest: at most a number of moves in notation, the best move first.
func (e *Evaluation) Line(ctx context.Context, p board.Position, best board.Move, most int) ([]string, error) {
	return e.searcher.line(ctx, p, best, e.Search.Depth, most)
}

// NewEvaluator returns an evaluator for games under a rule set by a player: a brain on the given
// engine, the exact solution, a search, or a one-ply search for any other player that values
// positions. It returns an error for a player without values.
func NewEvaluator(p Player, r *board.Rules, e ur.Engine) (Evaluator, error) {
	instance, err := p.New(e)
	if err != nil {
		return nil, err
	}
	if evaluator, ok := instance.(Evaluator); ok {
		return evaluator, nil
	}
	if p.Leaf == nil {
		return nil, fmt.Errorf("player %q has no values (want brain, net, perfect, level:N, greedy or search:...)",
			p.Spec)
	}
	return searchTo(p.Spec, r, p, 1).NewSearcher(), nil
}

// TableEvaluator evaluates by the exact solution, for any number of goroutines.
func TableEvaluator(t *solve.Table) Evaluator {
	return pooledEvaluator{NewPool(NewPerfect("perfect", t.Rules(), OneTable(t)), nil), "table"}
}

// NetEvaluator evaluates by a two-ply search whose leaves a net values, for any number of
// goroutines.
func NetEvaluator(q *valuenet.Integer) Evaluator {
	return pooledEvaluator{NewPool(Net{Spec: netName, Value: q}.ahead(2).Player(), nil), "search"}
}

// pooledEvaluator evaluates by a player's idle instance; its instances are evaluators.
type pooledEvaluator struct {
	*Pool
	by string
}

func (p pooledEvaluator) By() string { return p.by }

func (p pooledEvaluator) Evaluate(ctx context.Context, at board.Position, roll int) (v Evaluation, err error) {
	err = p.use(func(i Instance) error {
		v, err = i.(Evaluator).Evaluate(ctx, at, roll)
		v.Search, v.searcher = nil, nil // another goroutine may evaluate next
		return err
	})
	return v, err
}

// Evaluators finds evaluators and keeps them by rule set and number of pieces. The zero value is
// ready for any number of goroutines.
type Evaluators struct{ found sync.Map }

// Find returns the evaluator for games under a rule set with its number of pieces: the exact solution
// in [DefaultTables], or where there is none a search with the built-in net. It serves any number of
// goroutines. A table that exists but cannot be used is an error.
func (e *Evaluators) Find(ctx context.Context, r *board.Rules) (Evaluator, error) {
	return e.FindWithin(ctx, r, board.MaxPieces)
}

// FindWithin is Find for callers that cannot wait: it solves games with at most a number of pieces.
func (e *Evaluators) FindWithin(ctx context.Context, r *board.Rules, pieces int) (Evaluator, error) {
	key := fmt.Sprint(record.RulesText(r), r.Pieces())
	if found, ok := e.found.Load(key); ok {
		return found.(Evaluator), nil
	}
	found, err := findEvaluator(ctx, r, pieces)
	if err == nil {
		e.found.Store(key, found)
	}
	return found, err
}

// findEvaluator returns a new evaluator for [Evaluators.FindWithin].
func findEvaluator(ctx context.Context, r *board.Rules, pieces int) (Evaluator, error) {
	table, err := DefaultTables().Find(r)
	if _, missing := errors.AsType[*solve.MissingTableError](err); missing && r.Pieces() <= pieces {
		table, err = DefaultTables().Table(ctx, r)
	}
	if err == nil {
		return TableEvaluator(table), nil
	}
	if _, missing := errors.AsType[*solve.MissingTableError](err); !missing {
		return nil, err
	}
	_, q, noNet := valuenet.BuiltinFor(r)
	if noNet != nil {
		return nil, fmt.Errorf("%w, and %w", err, noNet)
	}
	return NetEvaluator(q), nil
}
