package benchcmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/bench"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/profile"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// benchProfile is "ur bench profile".
type benchProfile struct {
	env  *cli.Env
	size bench.Size // of the work

	engines []string
	levels  []string
	top     int
	time    time.Duration
	seed    uint64
	noPin   bool
	asJSON  bool
	output  string
	force   bool
}

const benchProfileLong = `Profile shows where engines spend their time: by function, by function with its
callees, and by line of Go or assembly. It samples 100 times a second. Engines take
turns in slices of a tenth of a second, in random order, so disturbances affect all
alike.

The output has the share of each line in the samples, and the corresponding time of an
evaluation, a turn or a game. Functions above the engine are left out. In assembly,
the slow instruction is often the one before the reported line.

"go tool pprof" reads the file of -o. Its samples have the labels engine and level, as
in "go tool pprof -tagfocus engine=bits/table -top FILE".`

// newBenchProfileCommand returns "ur bench profile".
func newBenchProfileCommand(env *cli.Env) *cobra.Command {
	return (&benchProfile{env: env, size: bench.DefaultSize()}).command()
}

func (b *benchProfile) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile [ENGINE...]",
		Args:  cobra.ArbitraryArgs,
		Short: "Show where engines spend their time",
		Long:  benchProfileLong,
		Example: `  ur bench profile --engine lanes/go
  ur bench profile --engine 'bits*' --level value,game --top 5
  ur bench profile --engine squares/avx2 -o squares.pb.gz
  go tool pprof squares.pb.gz`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return pick.EngineNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			b.engines = append(b.engines, args...)
			return b.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	addEnginesFlag(cmd, &b.engines, "profile")
	flags.Lookup("engine").Usage = "`names` of engines to profile, or patterns as in 'bits*' (default: the fastest here)"
	addLevelsFlag(cmd, &b.levels, "profile", "game")
	flags.IntVar(&b.top, "top", 10, "entries of a list, 0 for all")
	flags.DurationVar(&b.time, "time", profile.DefaultTime, "time to profile each engine at each level")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of the slices")
	flags.BoolVar(&b.noPin, "no-pin", false, "let the system move the work between cores")
	flags.BoolVar(&b.asJSON, "json", false, "print one JSON object, of schema ur.profile/1")
	flags.StringVarP(&b.output, "output", "o", "", "write the profile to `file`, as in FILE.pb.gz, for \"go tool pprof\"")
	cli.ForceFlag(cmd, &b.force)
	return cmd
}

func (b *benchProfile) run(ctx context.Context) error {
	engines, levels, err := b.selected()
	if err != nil {
		return err
	}
	options := profile.Options{Time: b.time, Seed: b.seed}
	if !b.noPin {
		options.Pin = &experiment.Pin{Core: experiment.AnyCore}
	}
	workload, err := bench.NewWorkload(b.size)
	if err != nil {
		return err
	}
	if err := workload.Profiled(&options, engines, levels); err != nil {
		return err
	}
	bar := cli.NewProgress(b.env, 1, "profiling")
	defer bar.Clear()
	options.Progress = func(done int) { bar.Show("profiling", done, options.Slices()) }
	collected, err := profile.Collect(ctx, options)
	bar.Clear()
	if collected == nil {
		return explained(err)
	}
	p := workload.Profile(collected, experiment.ReadEnvironment(), b.top)
	if err := b.print(p); err != nil {
		return err
	}
	if err := b.write(collected.Raw); err != nil {
		return err
	}
	if collected.Interrupted {
		return cli.ErrInterrupted
	}
	return nil
}

// selected returns the engines and levels of the flags, checked with the rest of the flags.
func (b *benchProfile) selected() (engines []ur.Engine, levels []bench.Level, err error) {
	engines, levels = []ur.Engine{engine.Fastest()}, []bench.Level{bench.Game}
	if len(b.engines) > 0 {
		if engines, err = pick.Engines(b.engines); err != nil {
			return nil, nil, err
		}
	}
	if len(b.levels) > 0 {
		if levels, err = levelsNamed(b.levels); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case b.top < 0:
		return nil, nil, cli.UsageError("--top must be 0 or more, got %d", b.top)
	case b.time <= 0:
		return nil, nil, cli.UsageError("--time: must be positive, got %v", b.time)
	}
	return engines, levels, cli.CheckOutput("-o", b.output, b.force)
}

// print writes the lists, or the JSON object.
func (b *benchProfile) print(p *profile.Profile) error {
	if b.asJSON {
		return cli.WriteJSON(b.env.Stdout, p)
	}
	return p.WriteText(b.env.Stdout)
}

// write writes the file of -o.
func (b *benchProfile) write(raw []byte) error {
	if b.output == "" {
		return nil
	}
	err := wholefile.Write(b.output, func(w io.Writer) error {
		_, err := w.Write(raw)
		return err
	})
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}
