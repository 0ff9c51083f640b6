package play

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board"
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

// Evaluation holds the values of a position for the side to move.
type Evaluation struct {
	// Win is the probability to win, 0 to 1: by the best move of the roll, or before the roll
	// its expectation. Brains have none.
	Win float64

	// Moves are the probabilities to win after each of [board.Rules.Moves], or after the pass;
	// empty before the roll and for brains.
	Moves []float64

	// Values are a brain's values of the positions after the moves or the pass, for Light.
	Values []int32

	Best   int            // index of the best move, the first on a tie; -1 without a roll or a move
	Search *search.Result // of players that search; valid until the next evaluation

	searcher *Searcher
}

// Line returns the expected continuation after the search of a position, if every later roll is
// the likeliest: at most a number of moves in notation, the best move first.
func (e *Evaluation) Line(ctx context.Context, p board.Position, best board.Move, most int) ([]string, error) {
	return e.searcher.line(ctx, p, best, e.Search.Depth, most)
}

// NewEvaluator returns an evaluator for games of a rule set by a player: a brain on the given
// engine, the exact solution, a search, or a search of one ply for any other player with values of
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
		return nil, fmt.Errorf("player %q has no values (want brain, net, perfect, level:N, greedy or search:...)", p.Spec)
	}
	return &searchInstance{player: searchTo(p.Spec, r, p, 1)}, nil
}

// TableEvaluator evaluates by the exact solution, for any number of goroutines.
func TableEvaluator(t *solve.Table) Evaluator {
	return newPool(func() Evaluator { return &perfectInstance{player: Perfect{"perfect", t.Rules(), OneTable(t)}} })
}

// NetEvaluator evaluates by a search of two plies whose leaves a net values, for any number of
// goroutines.
func NetEvaluator(q *valuenet.Integer) Evaluator {
	return newPool(func() Evaluator { return &searchInstance{player: Net{Spec: netName, Value: q}.ahead(2)} })
}

// evaluatorPool evaluates by an idle evaluator at a time.
type evaluatorPool struct {
	idle sync.Pool
	by   string
}

func newPool(evaluator func() Evaluator) *evaluatorPool {
	return &evaluatorPool{sync.Pool{New: func() any { return evaluator() }}, evaluator().By()}
}

func (p *evaluatorPool) By() string { return p.by }

func (p *evaluatorPool) Evaluate(ctx context.Context, at board.Position, roll int) (Evaluation, error) {
	e := p.idle.Get().(Evaluator)
	defer p.idle.Put(e)
	v, err := e.Evaluate(ctx, at, roll)
	v.Search, v.searcher = nil, nil // another goroutine may evaluate next
	return v, err
}

// FindEvaluator returns the evaluator of games of a rule set with its number of pieces: the exact
// solution of [DefaultTables], or where there is none a search with the built-in net, for any number of
// goroutines. A table that exists but cannot be used is an error.
func FindEvaluator(ctx context.Context, r *board.Rules) (Evaluator, error) {
	table, err := DefaultTables().Table(ctx, r)
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
