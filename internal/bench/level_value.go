package bench

import (
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/bench/corpus"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// valueLevel is getValue of positions held by the engine.
func valueLevel() descriptor {
	return descriptor{
		level: Value, benchmark: "Value", unit: "ns/eval",
		newWork: func(w *Workload) (work, error) { return newValueWork(w) },
	}
}

// valueWork are positions with their values.
type valueWork struct {
	positions []board.Position
	values    []int32
}

// newValueWork takes the positions from the corpus, spread evenly. They are the positions an
// engine evaluates in play: the candidates of each turn.
func newValueWork(w *Workload) (*valueWork, error) {
	turns, err := corpus.Parse(corpusText)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	var candidates []board.Position
	for _, t := range turns {
		for _, m := range t.Position.Moves(nil, t.Roll) {
			candidates = append(candidates, t.Position.Apply(m))
		}
	}
	if w.Size.Positions > len(candidates) {
		return nil, fmt.Errorf("workload: the corpus has %d candidates, fewer than %d", len(candidates), w.Size.Positions)
	}
	v := &valueWork{}
	for i := range w.Size.Positions {
		p := candidates[i*len(candidates)/w.Size.Positions]
		v.positions = append(v.positions, p)
		v.values = append(v.values, w.Brain.Value(p))
	}
	return v, nil
}

func (v *valueWork) answers() []any { return []any{v.values} }

func (v *valueWork) bind(c *Case) (task, error) {
	if err := c.play(c.work.Brain, c.work.Brain); err != nil {
		return nil, err
	}
	c.game.Load(v.positions)
	return &valueTask{c, v, make([]int32, len(v.positions))}, nil
}

// valueTask is an engine with its positions.
type valueTask struct {
	*Case
	work   *valueWork
	values []int32
}

func (t *valueTask) pass() (float64, error) {
	t.game.Values(t.values, board.Light)
	return float64(len(t.values)), nil
}

func (t *valueTask) check() (string, error) {
	t.game.Values(t.values, board.Light)
	return differentValue(t.values, t.work.values, t.work.positions), nil
}

// differentValue describes the first wrong value, or is "".
func differentValue(got, want []int32, of []board.Position) string {
	for i := range want {
		if got[i] != want[i] {
			return fmt.Sprintf("value of %s is %d (want %d)", of[i], got[i], want[i])
		}
	}
	return ""
}

func (t *valueTask) metrics(float64) []experiment.Metric { return nil }
