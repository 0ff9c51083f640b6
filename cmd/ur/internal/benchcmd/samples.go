package benchcmd

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// samples are the flags of a command that measures a list of subjects which is always the same.
type samples struct {
	env *cli.Env

	count     int
	benchTime time.Duration
	seed      uint64
	output    string
}

// flags adds the flags to a command.
func (s *samples) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&s.count, "count", experiment.DefaultCount, "samples of each, at least 4")
	f.DurationVar(&s.benchTime, "benchtime", experiment.DefaultBenchTime, "time that a sample should take")
	f.Uint64Var(&s.seed, "seed", 1, "seed of the order of measuring and of the confidence intervals")
	f.StringVarP(&s.output, "output", "o", "", "write the samples in Go's benchmark format to `file`")
	_ = cmd.MarkFlagFilename("output")
}

// options returns what the flags ask for.
func (s *samples) options() (experiment.Options, error) {
	o := experiment.Options{Count: s.count, BenchTime: s.benchTime, Seed: s.seed, Pin: &experiment.Pin{Core: experiment.AnyCore}}
	if err := o.Check(true); err != nil {
		return o, explained(err)
	}
	return o, nil
}

// measure measures behind a progress bar, and says on which machine. When it is ended early there
// is a run beside the error, unless nothing was complete.
func (s *samples) measure(
	o experiment.Options, measure func(experiment.Options) (*experiment.Run, error),
) (*experiment.Run, experiment.Environment, error) {
	machine := experiment.ReadEnvironment()
	bar := newBar(s.env, string(experiment.Checking))
	defer bar.done()
	o.Progress = bar.progress
	run, err := measure(o)
	var wrong *experiment.CheckError
	if errors.As(err, &wrong) {
		return nil, machine, cli.VerificationError("%w", wrong)
	}
	if run != nil {
		machine = machine.Of(run)
	}
	return run, machine, explained(err)
}

// write writes the file of -o.
func (s *samples) write(run *experiment.Run, h experiment.Heading) error {
	if s.output == "" {
		return nil
	}
	if err := wholefile.Write(s.output, func(w io.Writer) error { return run.Write(w, h) }); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}
