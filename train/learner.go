package train

import (
	"context"
	"encoding/json"
	"io"
)

// Learner is a learning method with its progress. It is not safe for concurrent use, but may
// play on several goroutines.
type Learner interface {
	// Method is the name of the way to learn, as in "evolve".
	Method() string

	// Settings are the inputs that determine the result, except for the number of games: a
	// value for encoding/json. Two learners of one method with equal settings learn the same.
	Settings() any

	// Step learns from some more games and returns their number, at least 1. After an error,
	// such as that of ctx, the learner is unchanged.
	Step(ctx context.Context) (games int64, err error)

	// Measure plays against rivals to measure the learner's strength. It must not change the
	// effect of Step. Before holds the previous scores, if any: a rival beaten then stays so.
	Measure(ctx context.Context, before []Score) ([]Score, error)

	// Finished reports whether further steps have no effect, and the reason.
	Finished() (reason string, finished bool)

	// State returns everything changed by steps; SetState puts a learner of equal settings into
	// that state, or leaves it unchanged and returns an error that names the fault.
	State() (json.RawMessage, error)
	SetState(json.RawMessage) error

	// WriteResult writes the learned player, with its provenance.
	WriteResult(w io.Writer, p Provenance) error
}

// regretful is a [Learner] whose Measure finds out its regret too, where it can.
type regretful interface {
	Learner

	// Regret returns the last measured regret, in points per decision, if any.
	Regret() (points float64, measured bool)
}
