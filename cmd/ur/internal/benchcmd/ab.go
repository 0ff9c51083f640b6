package benchcmd

import (
	"errors"
	"flag"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/internal/abcommand"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newBenchABCommand returns "ur bench ab": the program benchab as a command.
func newBenchABCommand(env *cli.Env) *cobra.Command {
	c := abcommand.New()
	cmd := &cobra.Command{
		Use:   "ab [BASE [HEAD]] [PACKAGES]",
		Args:  cobra.ArbitraryArgs,
		Short: "Check whether a commit made a Go module slower",
		Long:  strings.ReplaceAll(abcommand.Long, "NAME", "ur bench ab"),
		Example: `  ur bench ab
  ur bench ab v1.2.0 HEAD ./... --limit 5% --limit 'Parse=10%'
  ur bench ab HEAD~1 --bench Hash --time 1m --format markdown -o comment.md
  ur bench ab --old './old.test -test.bench .' --new './new.test -test.bench .'`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			bar := cli.NewPartBar(env, "reading")
			defer bar.Clear()
			progress := func(p ab.Progress) {
				bar.Describe(abcommand.Line(p))
				if p.Rows > 0 {
					bar.Done(float64(p.Decided) / float64(p.Rows))
				}
			}
			return abError(c.Run(cmd.Context(), args, env.Stdout, progress))
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok && invalid.GetFlag().Name == "limit" {
			return cli.UsageError("--limit: %w", invalid.Unwrap())
		}
		return cmd.Parent().FlagErrorFunc()(cmd, err)
	})
	own := flag.NewFlagSet("ab", flag.ContinueOnError)
	c.Flags(own)
	for _, name := range abcommand.Order() {
		f := pflag.PFlagFromGoFlag(own.Lookup(name))
		if name == "output" {
			f.Shorthand = "o"
		}
		cmd.Flags().AddFlag(f)
	}
	for name, values := range map[string][]string{"format": ab.Formats(), "clock": {string(ab.AutoClock), string(ab.CPU), string(ab.Wall)}, "undecided": {"pass", "fail"}, "missing": {"ignore"}} {
		cli.CompleteFrom(cmd, name, values...)
	}
	return cmd
}

// abError gives an error of package command its exit code.
func abError(err error) error {
	var exit *abcommand.ExitError
	if !errors.As(err, &exit) {
		return err
	}
	switch exit.Code {
	case cli.BadUsage:
		return cli.UsageError("%w", exit.Err)
	case cli.FailedVerification:
		return cli.VerificationError("%w", exit.Err)
	case cli.Inconclusive:
		return cli.InconclusiveError("%w", exit.Err)
	case cli.Interrupted:
		return cli.ErrInterrupted
	}
	return err
}
