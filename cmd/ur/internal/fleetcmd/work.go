package fleetcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

const workLong = `Work computes tasks of the fleet until Ctrl-C or "ur fleet drain".

It first compares its engine with the oracle. If they differ, or if the version of the
program is not that of the fleet, it exits with code 3. Tasks unfinished when it ends
or is killed go to other workers. While the server is unavailable, it waits.`

// workOptions are the flags of "ur fleet work".
type workOptions struct {
	fleet    join.Options
	parallel int
	limit    time.Duration
	engine   string
	name     string
}

// newWorkCommand returns "ur fleet work".
func newWorkCommand(env *cli.Env) *cobra.Command {
	var o workOptions
	cmd := &cobra.Command{
		Use:     "work",
		Short:   "Run a fleet worker",
		Long:    workLong,
		Example: `  ur fleet work --fleet nats://127.0.0.1:4222 --parallel 2`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runWork(cmd.Context(), env, o)
		},
	}
	join.Flags(cmd, &o.fleet, "address of the fleet")
	cmd.Flags().IntVar(&o.parallel, "parallel", 0, "concurrent tasks (default one per processor)")
	cmd.Flags().DurationVar(&o.limit, "task-limit", fleet.DefaultTaskLimit, "time limit of a task; training tasks get 24 times as long")
	pick.EngineFlag(cmd, &o.engine, "engine that evaluates for brains (default the fastest here)")
	cmd.Flags().StringVar(&o.name, "name", "", "name in the list of workers (default host and process)")
	return cmd
}

// runWork verifies the engine and works.
func runWork(ctx context.Context, env *cli.Env, o workOptions) error {
	if o.parallel < 0 || o.parallel > play.MaxParallel {
		return cli.UsageError("--parallel must be 0 to %d, got %d", play.MaxParallel, o.parallel)
	}
	o.parallel = cmp.Or(o.parallel, runtime.GOMAXPROCS(0))
	e, err := pick.Engine(o.engine)
	if err != nil {
		return err
	}
	if o.limit <= 0 {
		return cli.UsageError("--task-limit must be more than 0, got %s", o.limit)
	}
	o.fleet.Patience = math.MaxInt64
	conn, err := o.fleet.Join(ctx, "ur worker")
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	defer conn.Close()
	c := fleet.WorkConfig{
		Code: work.CodeVersion(), Name: workerName(o.name), Parallel: o.parallel, TaskLimit: o.limit, Kinds: work.Kinds(e),
		About: machine(e),
		Log:   func(message string) { fmt.Fprintln(env.Stderr, message) },
	}
	if err := verify(ctx, e); err != nil {
		if errors.Is(err, context.Canceled) {
			return cli.ErrInterrupted
		}
		return errors.Join(cli.VerificationError("%w: this worker is not let in", err), conn.TurnAway(ctx, c, err.Error()))
	}
	if c.Cache, err = cacheFolder(); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "worker %s of version %s, on %s, %s at a time\n", c.Name, c.Code, e.Name(), text.Plural(o.parallel, "task"))
	err = conn.Work(ctx, c)
	if errors.As(err, new(*fleet.VersionError)) {
		return cli.VerificationError("%w", err)
	}
	return err
}

// verifyGames is the number of games that compare a worker's engine with the oracle before the
// worker joins.
const verifyGames = 200

// verify compares an engine with the oracle.
func verify(ctx context.Context, e ur.Engine) error {
	v, err := engine.NewVerifier(ctx, engine.VerifyOptions{Seed: uint64(time.Now().UnixNano()), Games: verifyGames, Positions: 20})
	if err != nil {
		return err
	}
	_, err = v.Verify(ctx, e)
	return err
}

// machine describes the machine of this process.
func machine(e ur.Engine) fleet.Machine {
	host, _ := os.Hostname() // without one the name is ""
	return fleet.Machine{
		Host: host, CPU: ur.CPUName(), Kind: work.MachineKind(), Cores: runtime.NumCPU(), Engine: e.Name(),
	}
}

// workerName returns a unique name of letters, digits and hyphens for a worker.
func workerName(given string) string {
	name := given
	if name == "" {
		host, _ := os.Hostname()
		name = fmt.Sprintf("%s-%d", host, os.Getpid())
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '-'
	}, name)
	return clean[max(0, len(clean)-60):]
}

// cacheFolder returns where files of experiments are kept on this machine.
func cacheFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot create a folder for fleet files: %w", err)
	}
	folder := filepath.Join(cache, "ur", "fleet")
	return folder, os.MkdirAll(folder, 0o755)
}
