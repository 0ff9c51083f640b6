package bench

import (
	"context"
	"io"
	"sync"
	"testing"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// defaultWorkload is shared by the tests of the work that is published.
var defaultWorkload = sync.OnceValues(func() (*Workload, error) { return NewWorkload(DefaultSize()) })

// smallWorkload is shared by all tests.
var smallWorkload = sync.OnceValues(func() (*Workload, error) {
	return NewWorkload(Size{Positions: 64, TurnGames: 3, Games: 5, FirstGames: 2})
})

func testWorkload(t *testing.T) *Workload {
	t.Helper()
	w, err := smallWorkload()
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// runOptions measure engines at levels of a work.
type runOptions struct {
	Engines []ur.Engine
	Levels  []Level
	experiment.Options
}

// select returns the set that the suite engines measures.
func (o runOptions) selected(t *testing.T, w *Workload) (experiment.Options, Set) {
	t.Helper()
	s := enginesSuite()
	set, err := s.Select(Selection{Engines: append([]ur.Engine{}, o.Engines...), Levels: o.Levels, Size: w.Size})
	if err != nil {
		t.Fatal(err)
	}
	return s.Complete(o.Options, set), set
}

// engineRun is a run of the suite engines.
type engineRun struct {
	*experiment.Run
	Workload *Workload
	set      Set
}

// measure measures as "ur bench run" does.
func measure(ctx context.Context, t *testing.T, w *Workload, o runOptions) (*engineRun, error) {
	t.Helper()
	options, set := o.selected(t, w)
	run, err := experiment.Measure(ctx, options)
	if run == nil {
		return nil, err
	}
	return &engineRun{run, w, set}, err
}

// write writes the samples in Go's benchmark format.
func (r *engineRun) write(out io.Writer, e experiment.Environment) error {
	return r.Write(out, enginesSuite().Heading(e, r.set))
}

// results are those of the run.
func (r *engineRun) results() experiment.Results {
	results := experiment.NewResults(experiment.Environment{}, r.Options.Seed)
	results.Add(EnginesSuite, r.Run, r.set.Work)
	return results
}

// row is the row of an engine at a level.
func (r *engineRun) row(engine string, level Level) (experiment.Row, bool) {
	return experiment.Find(r.results().Rows, EnginesSuite, engine, string(level))
}
