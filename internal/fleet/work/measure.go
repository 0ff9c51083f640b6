package work

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// Plan is a measurement on every kind of processor.
type Plan struct {
	Suites  []string         `json:"suites"`
	Match   string           `json:"match,omitempty"`   // a regular expression of benchmarks; "" for all
	Engines []string         `json:"engines,omitempty"` // by name; nil for all. Unavailable ones are skipped
	Levels  []bench.Level    `json:"levels,omitempty"`
	Size    bench.Size       `json:"size"`    // of the work of engines
	Count   int              `json:"count"`   // 0 for that of each suite
	Time    time.Duration    `json:"time_ns"` // of a sample; 0 for that of each suite
	Within  float64          `json:"within,omitempty"`
	Seed    uint64           `json:"seed"`
	Clock   experiment.Clock `json:"clock,omitempty"`
	Pin     bool             `json:"pin"` // to one core, whichever
}

// selection is the part of the suites measured on this machine.
func (p Plan) selection() (s bench.Selection, err error) {
	s.Size, s.Levels = p.Size, p.Levels
	if p.Match != "" {
		if s.Match, err = regexp.Compile(p.Match); err != nil {
			return s, err
		}
	}
	if p.Engines == nil {
		return s, nil
	}
	var all []ur.Engine
	for _, name := range p.Engines {
		e, err := engine.Lookup(name)
		if err != nil {
			return s, err
		}
		all = append(all, e)
	}
	s.Engines, s.Skipped = bench.Runnable(all)
	if s.Engines == nil {
		s.Engines = []ur.Engine{engine.Oracle()}
	}
	return s, nil
}

// options are how it is measured.
func (p Plan) options() experiment.Options {
	o := experiment.Options{Count: p.Count, BenchTime: p.Time, Within: p.Within, Seed: p.Seed, TimedBy: p.Clock, OpenCounters: experiment.OpenCounters}
	if p.Pin {
		o.Pin = &experiment.Pin{Core: experiment.AnyCore}
	}
	return o
}

// Measurement is the outcome on a kind of processor.
type Measurement struct {
	Kind    string             `json:"kind"`
	Samples []string           `json:"samples"` // of each suite in Go's benchmark format, with a checksum at the end
	Results experiment.Results `json:"results"`
}

// Measurements measures on a fleet.
type Measurements struct {
	conn    *fleet.Conn
	session *fleet.Session
}

// NewMeasurements returns a plan to be measured by a fleet, anew every time. It must be closed.
func NewMeasurements(ctx context.Context, conn *fleet.Conn, p Plan) (*Measurements, error) {
	data, err := json.Marshal(struct {
		Plan
		Occasion string `json:"occasion"` // unique: the settings do not determine times
	}{p, rand.Text()})
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

// Kinds returns the kinds of processors among the workers, by name.
func (m *Measurements) Kinds(ctx context.Context) ([]string, error) {
	return m.conn.Kinds(ctx, CodeVersion())
}

// On waits for the measurement of a worker on a kind of processor. A [*fleet.NoWorkerError]
// reports that none is left.
func (m *Measurements) On(ctx context.Context, kind string) (Measurement, error) {
	var result Measurement
	output, err := m.session.DoOn(ctx, kind, kind)
	if err != nil {
		return result, err
	}
	return result, json.Unmarshal(output, &result)
}

// Close removes waiting tasks from the queue, and closes the session.
func (m *Measurements) Close(ctx context.Context) error {
	return errors.Join(m.session.Withdraw(ctx), m.session.Close())
}

// checkMeasurement returns an error for an impossible measurement.
func checkMeasurement(task uint64, output json.RawMessage) error {
	var m Measurement
	if err := json.Unmarshal(output, &m); err != nil {
		return err
	}
	benchmarks := 0
	for _, text := range m.Samples {
		saved, err := experiment.ParseSaved([]byte(text))
		if err != nil {
			return fmt.Errorf("samples: %w", err)
		}
		benchmarks += len(saved.Names)
	}
	switch {
	case fleet.TaskOfKind(m.Kind) != task || m.Results.Slug() != m.Kind:
		return fmt.Errorf("result of another processor, %s", m.Results.Slug())
	case benchmarks == 0 || len(m.Results.Rows) != benchmarks:
		return fmt.Errorf("%d results of %d benchmarks", len(m.Results.Rows), benchmarks)
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
	if err := json.Unmarshal(spec, &r.plan); err != nil {
		return nil, fmt.Errorf("measurement: %w", err)
	}
	return r, nil
}

type measureRunner struct {
	plan Plan
}

// Run measures on this machine, which must be of the requested kind.
func (r measureRunner) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	m := Measurement{Kind: MachineKind()}
	var kind string
	if err := json.Unmarshal(work, &kind); err != nil || fleet.TaskOfKind(kind) != task {
		return nil, &fleet.Failure{Message: fmt.Sprintf("measurement %d is asked for as %s", task, work)}
	}
	if kind != m.Kind {
		return nil, fmt.Errorf("a measurement on %s came to %s", kind, m.Kind)
	}
	selection, err := r.plan.selection()
	if err != nil {
		return nil, &fleet.Failure{Message: err.Error()}
	}
	if err := ur.Available(engine.Oracle()); err != nil {
		return nil, err
	}
	m.Results = experiment.NewResults(experiment.ReadEnvironment(), r.plan.Seed)
	for _, name := range r.plan.Suites {
		err := r.measure(ctx, name, selection, &m)
		var wrong *experiment.CheckError
		switch {
		case errors.As(err, &wrong): // a fault of this kind of processor
			return nil, &fleet.Failure{Message: fmt.Sprintf("%s: %v", kind, err)}
		case err != nil:
			return nil, err
		}
	}
	return m, nil
}

// measure adds a suite to a measurement.
func (r measureRunner) measure(ctx context.Context, name string, of bench.Selection, m *Measurement) error {
	suite, err := bench.LookupSuite(name)
	if err != nil {
		return &fleet.Failure{Message: err.Error()}
	}
	set, err := suite.Select(of)
	if err != nil {
		return &fleet.Failure{Message: err.Error()}
	}
	run, err := experiment.Measure(ctx, suite.Complete(r.plan.options(), set))
	if err != nil {
		return err
	}
	m.Results.Add(name, run, set.Work)
	m.Results.Skipped = append(m.Results.Skipped, set.Skipped...)
	var samples strings.Builder
	err = run.Write(&samples, suite.Heading(m.Results.Environment, set))
	m.Samples = append(m.Samples, samples.String())
	return err
}
