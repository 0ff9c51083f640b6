package fleetcmd

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/cmd/internal/join"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

const workLong = `Work computes tasks of the fleet until Ctrl-C.

It first compares the fastest engine of this machine with the oracle, and exits with
code 3 if they differ. Tasks unfinished when it ends or is killed go to other workers.
While the server is unavailable, it waits.`

// newWorkCommand returns "ur fleet work".
func newWorkCommand(env *cli.Env) *cobra.Command {
	var o join.Options
	var parallel int
	cmd := &cobra.Command{
		Use:     "work",
		Short:   "Run a fleet worker",
		Long:    workLong,
		Example: `  ur fleet work --fleet nats://127.0.0.1:4222 --parallel 2`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Patience = math.MaxInt64
			return runWork(cmd.Context(), env, o, parallel)
		},
	}
	join.Flags(cmd, &o, "work for the fleet")
	cmd.Flags().IntVar(&parallel, "parallel", 0, "concurrent tasks (default one per processor)")
	return cmd
}

// runWork verifies the engine and works.
func runWork(ctx context.Context, env *cli.Env, o join.Options, parallel int) error {
	if parallel < 0 || parallel > play.MaxParallel {
		return cli.UsageError("--parallel must be 0 to %d, got %d", play.MaxParallel, parallel)
	}
	conn, err := o.Join(ctx, "ur worker")
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	defer conn.Close()
	e := engine.Fastest()
	err = verify(ctx, e)
	switch {
	case ctx.Err() != nil:
		return cli.ErrInterrupted
	case err != nil:
		return cli.VerificationError("%w", err)
	}
	host, _ := os.Hostname() // without one the name is ""
	c := fleet.WorkConfig{
		Code: work.CodeVersion(), Name: workerName(host), Parallel: cmp.Or(parallel, runtime.GOMAXPROCS(0)), Kinds: work.Kinds(e),
		About: fleet.Machine{Host: host, CPU: ur.CPUName(), Cores: runtime.NumCPU(), Engine: e.Name()},
		Log:   func(message string) { fmt.Fprintln(env.Stderr, message) },
	}
	if c.Cache, err = cacheFolder(); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "worker %s of version %s, on %s, %s at a time\n", c.Name, c.Code, e.Name(), text.Plural(c.Parallel, "task"))
	return conn.Work(ctx, c)
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

// workerName returns a unique name of letters, digits and hyphens for a worker.
func workerName(host string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '-'
	}, fmt.Sprintf("%s-%d", host, os.Getpid()))
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
