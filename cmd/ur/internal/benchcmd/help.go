package benchcmd

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
)

// flags names the flag for a field of options.
var flags = map[string]string{"Count": "count", "BenchTime": "benchtime", "Nets": "net"}

// explained turns a measurement error into the command's error. Invalid options name the flag. A
// benchmark that disagrees with its oracle is a failed verification. Other errors stay unchanged.
func explained(err error) error {
	var given *cli.ExitError
	var option *config.Error
	var mismatch *bench.MismatchError
	var wrong *sample.CheckError
	switch {
	case errors.As(err, &given):
		return err
	case errors.As(err, &option):
		if option.Err != nil {
			return cli.UsageError("--%s: %w", flags[option.Field], option.Err)
		}
		return cli.UsageError("--%s: %s", flags[option.Field], option.Msg)
	case errors.As(err, &mismatch):
		return cli.VerificationError("%w\nIts speed means nothing. See \"ur engines --verify\".", err)
	case errors.As(err, &wrong):
		return cli.VerificationError("%w", wrong)
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	}
	return err
}
