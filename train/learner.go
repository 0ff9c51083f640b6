package train

import (
	"context"
	"encoding/json"
	"io"
)

// Learner is one way to learn, and how far it has come. It serves one goroutine,
// and may play on several of its own.
type Learner interface {
	// Method is the name of the way to learn, as in "evolve".
	Method() string

	// Settings are everything that the result depends on but for the number of
	// games: a value that encoding/json can write. Two learners of one method and
	// of equal settings learn the same.
	Settings() any

	// Step learns from some more games and returns their number, which is at least
	// 1. With an error, such as that of ctx, the learner is as it was before.
	Step(ctx context.Context) (games int64, err error)

	// Measure plays against rivals to find out how strong the learner has become.
	// It must not change what Step does. Before are the scores of the measurement
	// before this one, if there was one: a rival that was beaten then stays so.
	Measure(ctx context.Context, before []Score) ([]Score, error)

	// Finished reports whether more steps would be in vain, and why.
	Finished() (reason string, finished bool)

	// State returns everything that steps change; SetState puts a learner of equal
	// settings into that state, or leaves it as it was and says what is wrong.
	State() (json.RawMessage, error)
	SetState(json.RawMessage) error

	// WriteResult writes what has been learned, with its provenance.
	WriteResult(w io.Writer, p Provenance) error
}

// regretful is a [Learner] whose Measure finds out its regret too, where it can.
type regretful interface {
	Learner

	// Regret returns the regret that was last measured, in points a decision, and whether
	// there is one.
	Regret() (points float64, measured bool)
}
