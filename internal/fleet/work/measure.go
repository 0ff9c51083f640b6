package work

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
)

// Suite says what is measured on every kind of processor, and how.
type Suite struct {
	Engines []string         `json:"engines,omitempty"` // by name; nil for all. Those that a processor cannot run are skipped
	Levels  []bench.Level    `json:"levels"`
	Size    bench.Size       `json:"size"` // of the work
	Count   int              `json:"count"`
	Time    time.Duration    `json:"time_ns"` // of a sample
	Within  float64          `json:"within,omitempty"`
	Seed    uint64           `json:"seed"`
	Clock   experiment.Clock `json:"clock,omitempty"`
	Pin     bool             `json:"pin"` // to one core, whichever

	// Record measures all that goes on record as well: scaling, pieces and profile.
	Record bool `json:"record,omitempty"`
}

// options are those of the run on this machine.
func (s Suite) options() (o bench.Options, skipped []bench.Skipped, err error) {
	all := engine.All()
	if s.Engines != nil {
		all = nil
		for _, name := range s.Engines {
			e, err := engine.Lookup(name)
			if err != nil {
				return o, nil, err
			}
			all = append(all, e)
		}
	}
	o.Engines, skipped = bench.ThatRun(all)
	o.Levels = s.Levels
	o.Count, o.BenchTime, o.Within, o.Seed, o.TimedBy = s.Count, s.Time, s.Within, s.Seed, s.Clock
	o.OpenCounters = experiment.OpenCounters
	if s.Pin {
		o.Pin = &experiment.Pin{Core: experiment.AnyCore}
	}
	return o, skipped, o.Check()
}

// Measurement is what was measured on a kind of processor.
type Measurement struct {
	Kind    string `json:"kind"`
	Samples string `json:"samples"` // in Go's benchmark format, with a checksum at the end

	// Record has the results and the environment; scaling, pieces and profile where the
	// suite asked for them.
	Record record.Record `json:"record"`
}

// Measurements measures on a fleet.
type Measurements struct {
	conn    *fleet.Conn
	session *fleet.Session
}

// NewMeasurements returns a suite that a fleet measures, anew every time. It must be
// closed.
func NewMeasurements(ctx context.Context, conn *fleet.Conn, s Suite) (*Measurements, error) {
	data, err := json.Marshal(struct {
		Suite
		Occasion string `json:"occasion"` // tells this time from others: time is no function of the settings
	}{s, rand.Text()})
	if err != nil {
		return nil, err
	}
	e := fleet.Experiment{Kind: measureKind{}.Name(), Code: CodeVersion(), Spec: data}
	session, err := conn.Open(ctx, e, checkMeasurement)
	if err != nil {
		return nil, err
	}
	return &Measurements{conn, session}, nil
}

// Kinds returns the kinds of processors that there are among the workers, by name.
func (m *Measurements) Kinds(ctx context.Context) ([]string, error) {
	return m.conn.Kinds(ctx, CodeVersion())
}

// On waits until a worker on a kind of processor has measured. A [*fleet.NoWorkerError]
// says that there is none left.
func (m *Measurements) On(ctx context.Context, kind string) (Measurement, error) {
	var result Measurement
	output, err := m.session.DoOn(ctx, kind, kind)
	if err != nil {
		return result, err
	}
	return result, json.Unmarshal(output, &result)
}

// Close takes what nobody has begun off the queue, and stops asking.
func (m *Measurements) Close(ctx context.Context) error {
	return errors.Join(m.session.Withdraw(ctx), m.session.Close())
}

// checkMeasurement says what of a measurement cannot be.
func checkMeasurement(task uint64, output json.RawMessage) error {
	var m Measurement
	if err := json.Unmarshal(output, &m); err != nil {
		return err
	}
	saved, err := experiment.ParseSaved([]byte(m.Samples))
	switch {
	case fleet.TaskOfKind(m.Kind) != task || m.Record.Environment.Slug() != m.Kind:
		return fmt.Errorf("it is of the processor %s", m.Record.Environment.Slug())
	case err != nil:
		return fmt.Errorf("samples: %w", err)
	case len(m.Record.Results.Rows) != len(saved.Names):
		return fmt.Errorf("it has %d results of %d benchmarks", len(m.Record.Results.Rows), len(saved.Names))
	}
	return nil
}

// measureKind measures suites.
type measureKind struct{}

func (measureKind) Name() string { return "measure" }

// LimitFactor allows for a record of all engines.
func (measureKind) LimitFactor() int { return 6 }

func (measureKind) Open(_ context.Context, spec json.RawMessage, _ func(string) (string, error)) (fleet.Runner, error) {
	var r measureRunner
	if err := json.Unmarshal(spec, &r.suite); err != nil {
		return nil, fmt.Errorf("measurement: %w", err)
	}
	return r, nil
}

type measureRunner struct {
	suite Suite
}

// Run measures on this machine, which must be of the kind that is asked for.
func (r measureRunner) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	m := Measurement{Kind: MachineKind()}
	var kind string
	if err := json.Unmarshal(work, &kind); err != nil || fleet.TaskOfKind(kind) != task {
		return nil, &fleet.Failure{Message: fmt.Sprintf("measurement %d is asked for as %s", task, work)}
	}
	if kind != m.Kind {
		return nil, fmt.Errorf("a measurement on %s came to %s", kind, m.Kind)
	}
	options, skipped, err := r.suite.options()
	if err != nil {
		return nil, &fleet.Failure{Message: err.Error()}
	}
	environment := experiment.ReadEnvironment()
	run, err := r.measure(ctx, options)
	var mismatch *bench.MismatchError
	switch {
	case errors.As(err, &mismatch): // a fault of this kind of processor
		return nil, &fleet.Failure{Message: fmt.Sprintf("%s: %v", kind, err)}
	case err != nil:
		return nil, err
	}
	environment = environment.Of(run.Run)
	var samples bytes.Buffer
	if err := run.WriteBenchmarks(&samples, environment); err != nil {
		return nil, err
	}
	m.Samples = samples.String()
	m.Record = record.Record{Slug: kind, Environment: environment, Results: run.Results(environment, skipped)}
	if r.suite.Record {
		m.Record, err = record.Taker{Run: run, Environment: environment, Skipped: skipped}.Record(ctx)
	}
	return m, err
}

// measure measures the ladder.
func (r measureRunner) measure(ctx context.Context, o bench.Options) (*bench.Run, error) {
	workload, err := bench.NewWorkload(r.suite.Size)
	if err != nil {
		return nil, &fleet.Failure{Message: err.Error()}
	}
	if err := ur.Available(engine.Oracle()); err != nil {
		return nil, err
	}
	return bench.Measure(ctx, workload, o)
}
