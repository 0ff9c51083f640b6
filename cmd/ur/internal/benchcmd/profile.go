package benchcmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// benchProfile is "ur bench profile".
type benchProfile struct {
	env  *cli.Env
	size bench.Size // of the work

	engines []string
	levels  []string
	diff    bool
	top     int
	time    time.Duration
	seed    uint64
	noPin   bool
	asJSON  bool
	output  string
}

// defaultTop is how many entries a list has.
const defaultTop = 10

const benchProfileLong = `Profile shows where engines spend their time: in which functions, in which functions
and what they call, and on which lines of Go or assembly. It interrupts them 100
times a second and notes where they are. Engines take turns in slices of a tenth of
a second, in random order, so that what disturbs the machine disturbs all.

A share is the part of the samples, and beside it stands what that is of the time of
an evaluation, a turn or a game. Functions above the engine are left out. A line of
assembly is often not the slow one itself, but the next one behind it.

With --diff two engines are compared: how much more or less time of a unit of work is
spent in a function or on a line of the second, with what may be chance.

The file of -o is read by "go tool pprof": its samples have the labels engine and
level, as in "go tool pprof -tagfocus engine=bits/table -top FILE".`

// newBenchProfileCommand returns "ur bench profile".
func newBenchProfileCommand(env *cli.Env) *cobra.Command {
	return (&benchProfile{env: env, size: bench.DefaultSize}).command()
}

func (b *benchProfile) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profile [ENGINE...]",
		Short: "Show where engines spend their time",
		Long:  benchProfileLong,
		Example: `  ur bench profile --engine lanes/go
  ur bench profile --engine 'bits*' --level value,game --top 5
  ur bench profile --diff array16/scalar array16/zeroskip
  ur bench profile --engine squares/avx2 -o squares.pb.gz    then: go tool pprof squares.pb.gz`,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return pick.EngineNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			b.engines = append(b.engines, args...)
			return b.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addEnginesFlag(cmd, &b.engines, "profile")
	flags.Lookup("engine").Usage = "`names` of engines to profile, or patterns as in 'bits*' (default: the fastest here)"
	addLevelsFlag(cmd, &b.levels, "profile", "game")
	flags.BoolVar(&b.diff, "diff", false, "show where the time of two engines differs")
	flags.IntVar(&b.top, "top", defaultTop, "entries of a list, 0 for all")
	flags.DurationVar(&b.time, "time", bench.DefaultProfileTime, "time to profile each engine at each level")
	flags.Uint64Var(&b.seed, "seed", 1, "seed of the order of the slices")
	flags.BoolVar(&b.noPin, "no-pin", false, "let the system move the work between cores")
	flags.BoolVar(&b.asJSON, "json", false, "print one JSON object, of schema ur.profile/1")
	flags.StringVarP(&b.output, "output", "o", "", "write the profile to `file`, as in FILE.pb.gz, for \"go tool pprof\"")
	return cmd
}

func (b *benchProfile) run(ctx context.Context) error {
	options, err := b.options()
	if err != nil {
		return err
	}
	collected, err := collectProfile(ctx, b.env, b.size, options)
	if collected == nil {
		return measureError(err)
	}
	if err := b.print(collected, options); err != nil {
		return err
	}
	if b.output != "" {
		err := wholefile.Write(b.output, func(w io.Writer) error {
			_, err := w.Write(collected.Raw)
			return err
		})
		if err != nil {
			return fmt.Errorf("-o: %w", err)
		}
	}
	if collected.Interrupted {
		return cli.ErrInterrupted
	}
	return nil
}

// options turns the flags into those of a profile.
func (b *benchProfile) options() (bench.ProfileOptions, error) {
	o := bench.ProfileOptions{Time: b.time, Seed: b.seed, Levels: []bench.Level{bench.Game}, Engines: []ur.Engine{engine.Fastest()}}
	var err error
	if len(b.engines) > 0 {
		if o.Engines, err = pick.Engines(b.engines); err != nil {
			return o, err
		}
	}
	if len(b.levels) > 0 {
		if o.Levels, err = levelsNamed(b.levels); err != nil {
			return o, err
		}
	}
	switch {
	case b.diff && (len(o.Engines) != 2 || len(o.Levels) != 1):
		return o, cli.UsageError("--diff wants two engines at one level, got %s at %s",
			cli.Plural(len(o.Engines), "engine"), cli.Plural(len(o.Levels), "level"))
	case b.top < 0:
		return o, cli.UsageError("--top must be 0 or more, got %d", b.top)
	}
	if !b.noPin {
		o.Pin = &bench.Pin{Core: bench.AnyCore}
	}
	if err := o.Check(); err != nil {
		return o, cli.UsageError("%w", err)
	}
	return o, cli.CheckOutput("-o", b.output)
}

// collectProfile profiles under a progress bar.
func collectProfile(ctx context.Context, env *cli.Env, size bench.Size, o bench.ProfileOptions) (*bench.Collected, error) {
	workload, err := bench.NewWorkload(size)
	if err != nil {
		return nil, err
	}
	bar := cli.NewProgress(env, o.Slices(), "profiling")
	defer bar.Exit()
	o.Progress = func(done int) { bar.Set(done) }
	return bench.CollectProfile(ctx, workload, o)
}

// print writes the lists, or the JSON object.
func (b *benchProfile) print(collected *bench.Collected, o bench.ProfileOptions) error {
	profile := collected.Profile(bench.ReadEnvironment(), b.top)
	if b.diff {
		var err error
		profile.Diff, err = collected.Diff(o.Engines[0].Name(), o.Engines[1].Name(), o.Levels[0], b.top)
		if err != nil {
			return err
		}
	}
	if b.asJSON {
		return cli.WriteJSON(b.env.Stdout, profile)
	}
	profile.WriteText(b.env.Stdout)
	return nil
}
