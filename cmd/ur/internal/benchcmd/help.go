package benchcmd

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/experiment"
)

// flags names the flag for a field of options.
var flags = map[string]string{
	"Count": "count", "BenchTime": "benchtime", "Within": "ci", "Workers": "workers",
	"Nets": "net", "Time": "time", "Work": "engine",
}

// explained turns a measurement error into the command's error. Invalid options and an unknown
// core name the flag. A benchmark that disagrees with its oracle is a failed verification. Other
// errors stay unchanged.
func explained(err error) error {
	var said *cli.ExitError
	var option *config.Error
	var pin *experiment.PinError
	var mismatch *bench.MismatchError
	var wrong *experiment.CheckError
	switch {
	case errors.As(err, &said):
		return err
	case errors.As(err, &option):
		if option.Err != nil {
			return cli.UsageError("--%s: %w", flags[option.Field], option.Err)
		}
		return cli.UsageError("--%s: %s", flags[option.Field], option.Msg)
	case errors.As(err, &pin):
		return cli.UsageError("--core: %w", err)
	case errors.As(err, &mismatch):
		return cli.VerificationError("%w\nIts speed means nothing. See \"ur engines verify\".", err)
	case errors.As(err, &wrong):
		return cli.VerificationError("%w", wrong)
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	}
	return err
}

// progressOn shows the progress of an experiment on a bar.
func progressOn(bar *cli.Bar) func(experiment.Progress) {
	return func(p experiment.Progress) { bar.Show(string(p.Phase), p.Done, p.All) }
}
