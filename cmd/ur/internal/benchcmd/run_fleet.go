package benchcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// onFleet measures on every kind of processor among the workers of a fleet, and prints, writes
// and records the results of each.
func (b *benchRun) onFleet(ctx context.Context) error {
	p, err := b.fleetPlan(ctx)
	if err != nil {
		return explained(err)
	}
	conn, err := b.fleet.Join(ctx, "ur bench run")
	if err != nil {
		return err
	}
	defer conn.Close()
	m, err := work.NewMeasurements(ctx, conn, p)
	if err != nil {
		return err
	}
	defer m.Close(context.WithoutCancel(ctx)) //nolint:errcheck // nothing is asked any more
	kinds, err := m.Kinds(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("fleet: %w", err)
	case len(kinds) == 0:
		return errors.New("the fleet has no workers: nothing can be measured")
	}
	fmt.Fprintf(b.env.Stderr, "measuring on %s of processor\n", text.Plural(len(kinds), "kind"))
	measured, failed := b.measureKinds(ctx, m, kinds)
	for _, one := range measured {
		failed = errors.Join(failed, b.show(one, len(kinds) > 1), b.keepMeasurement(one))
	}
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	return failed
}

// fleetPlan is the measurement for every kind of processor, from the flags.
func (b *benchRun) fleetPlan(ctx context.Context) (w work.Plan, err error) {
	for _, flag := range []string{"resume", "cpu", "core", "workers", "net", "table"} {
		if b.given(flag) {
			return w, cli.UsageError("--%s cannot be used with --fleet: it applies to this machine", flag)
		}
	}
	p, err := b.plan(ctx) // checks everything common to the fleet
	if err != nil {
		return w, err
	}
	o := p.options
	w = work.Plan{
		Match: b.match, Levels: p.selection.Levels, Size: b.size, Count: o.Count, Time: o.BenchTime, Within: o.Within,
		Seed: o.Seed, Clock: o.TimedBy, Pin: o.Pin != nil,
	}
	w.Suites = text.List(p.suites, func(s bench.Suite) string { return s.Name })
	if len(b.engines) > 0 {
		w.Engines, err = pick.EnginesNamed(b.engines)
	}
	return w, err
}

// measureKinds measures on all kinds at a time. A kind that cannot be measured is an error,
// returned with the results of the others.
func (b *benchRun) measureKinds(ctx context.Context, m *work.Measurements, kinds []string) (measured []work.Measurement, err error) {
	results := make([]work.Measurement, len(kinds))
	errs := make([]error, len(kinds))
	var said sync.Mutex
	var measuring sync.WaitGroup
	for i, kind := range kinds {
		measuring.Go(func() {
			results[i], errs[i] = m.On(ctx, kind)
			said.Lock()
			defer said.Unlock()
			if errs[i] != nil {
				errs[i] = fmt.Errorf("%s was not measured: %w", kind, errs[i])
				return
			}
			fmt.Fprintf(b.env.Stderr, "measured %s\n", kind)
		})
	}
	measuring.Wait()
	for i, r := range results {
		if errs[i] == nil {
			measured = append(measured, r)
		}
	}
	return measured, errors.Join(errs...)
}

// show prints a measurement in the chosen format: JSON as a line for each kind, tables
// under the name of the kind where there are several.
func (b *benchRun) show(m work.Measurement, heading bool) error {
	out := b.env.Stdout
	if heading && b.format == cli.FormatText {
		fmt.Fprintf(out, "%s\n\n", m.Kind)
		defer fmt.Fprintln(out)
	}
	if heading && b.format == cli.FormatMarkdown {
		fmt.Fprintf(out, "## %s\n\n", m.Kind)
	}
	return printResults(out, b.format, m.Results, []byte(strings.Join(m.Samples, "")))
}

// keepMeasurement writes the samples to the folder of -o, in a file named after the kind, and
// the record to that of --results.
func (b *benchRun) keepMeasurement(m work.Measurement) error {
	if b.output != "" {
		if err := os.MkdirAll(b.output, 0o777); err != nil {
			return fmt.Errorf("-o: %w", err)
		}
		err := wholefile.Write(filepath.Join(b.output, m.Kind+".txt"), func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Join(m.Samples, ""))
			return err
		})
		if err != nil {
			return fmt.Errorf("-o: %w", err)
		}
	}
	return b.keep(m.Results)
}
