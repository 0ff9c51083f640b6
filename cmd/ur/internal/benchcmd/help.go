package benchcmd

import (
	"context"
	"errors"

	"github.com/schollz/progressbar/v3"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
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

// bar is a progress bar of phases, each of which counts anew.
type bar struct {
	*progressbar.ProgressBar
	what string // currently shown
}

func newBar(env *cli.Env, what string) *bar { return &bar{cli.NewProgress(env, 1, what), what} }

// show shows how far a phase is.
func (b *bar) show(what string, done, all int) {
	if what != b.what {
		b.Reset()
		b.Describe(what)
		b.what = what
	}
	b.ChangeMax(all)
	_ = b.Set(min(done, max(1, all)-1)) // at its end a bar would begin a new one
}

// progress shows the progress of an experiment.
func (b *bar) progress(p experiment.Progress) { b.show(string(p.Phase), p.Done, p.All) }

// done takes the bar off the terminal.
func (b *bar) done() {
	_ = b.Clear()
	_ = b.Exit()
}
