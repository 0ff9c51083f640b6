// Package fleetcmd implements the fleet commands.
package fleetcmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"text/tabwriter"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/cmd/internal/join"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

const fleetLong = `Fleet distributes matches and training over many machines.

A fleet is a NATS server with JetStream, and any number of machines that run "ur fleet
work". "ur match" and other commands take --fleet with the address of the server, or
find it in $UR_FLEET, and print results identical to a local run. Server, workers and
clients may be killed at any moment. Workers take the tasks of their own version of
the program.

A server for this machine: go tool nats-server -js -sd DIR -a 127.0.0.1
Credentials belong in the address: nats://TOKEN@HOST:4222, tls://USER:PASSWORD@HOST:4222`

// Command returns "ur fleet".
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("fleet", "Distribute work over many machines", fleetLong, newWorkCommand(env),
		newStatusCommand(env))
}

const workLong = `Work computes tasks of the fleet until Ctrl-C.

It first compares the fastest engine of this machine with the oracle, and exits with
code 3 if they differ. Tasks unfinished when it ends or is killed go to other workers.
While the server is unavailable, it waits.`

type workOptions struct {
	Fleet    join.Options `help:"work for the fleet"`
	Parallel int          `flag:"parallel" help:"concurrent tasks (default one per processor)"`
}

func newWorkCommand(env *cli.Env) *cobra.Command {
	var o workOptions
	return cli.WithFlags(&cobra.Command{
		Use:     "work",
		Short:   "Run a fleet worker",
		Long:    workLong,
		Example: `  ur fleet work --fleet nats://127.0.0.1:4222 --parallel 2`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Fleet.Patience = math.MaxInt64
			return runWork(cmd.Context(), env, o)
		},
	}, &o)
}

func runWork(ctx context.Context, env *cli.Env, o workOptions) error {
	if o.Parallel < 0 || o.Parallel > play.MaxParallel {
		return cli.UsageError("--parallel must be 0 to %d, got %d", play.MaxParallel, o.Parallel)
	}
	conn, err := o.Fleet.Join(ctx, "ur worker")
	if err != nil {
		return err
	}
	defer conn.Close()
	e := engine.Fastest()
	if err := VerifyEngine(ctx, e); err != nil {
		return cli.VerificationError("%w", err)
	}
	host, _ := os.Hostname() // without one the name is ""
	c := fleet.WorkConfig{
		Code: work.CodeVersion(), Name: workerName(host), Parallel: cmp.Or(o.Parallel, runtime.GOMAXPROCS(0)),
		Kinds: work.Kinds(e),
		About: fleet.Machine{Host: host, CPU: report.CPUName(), Cores: runtime.NumCPU(), Engine: e.Name()},
		Log:   func(message string) { fmt.Fprintln(env.Stderr, message) },
	}
	if c.Cache, err = cacheFolder(); err != nil {
		return err
	}
	fmt.Fprintf(env.Stderr, "worker %s of version %s, on %s, %s at a time\n", c.Name, c.Code, e.Name(),
		text.Plural(c.Parallel, "task"))
	return conn.Work(ctx, c)
}

// verifyGames is the number of games to compare a worker's engine with the oracle before the
// worker joins.
const verifyGames = 200

// VerifyEngine compares an engine with the oracle.
func VerifyEngine(ctx context.Context, e ur.Engine) error {
	v, err := engine.NewVerifier(ctx,
		engine.VerifyOptions{Seed: uint64(time.Now().UnixNano()), Games: verifyGames, Positions: 20})
	if err != nil {
		return err
	}
	_, err = v.Verify(ctx, e)
	return err
}

// unnamable matches a character forbidden in a worker's name.
var unnamable = text.Regexp(`[^-0-9A-Za-z]`)

// workerName returns a unique name of letters, digits and hyphens for a worker.
func workerName(host string) string {
	clean := unnamable().ReplaceAllString(fmt.Sprintf("%s-%d", host, os.Getpid()), "-")
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

const statusLong = `Status lists the workers of a fleet with their engines, speeds and longest-running
tasks, and the queue of each version of the program. Tasks that were started before
but not finished are counted separately: if their number does not fall, they are
stuck. At the end it lists waiting tasks without a worker and tasks returned by
workers.`

type statusOptions struct {
	Fleet join.Options `help:"show the fleet"`
	Watch bool         `flag:"watch" help:"refresh every second until Ctrl-C"`
	JSON  bool         `flag:"json" help:"print one JSON object, of schema ur.fleet/1, a line each with --watch"`
}

func newStatusCommand(env *cli.Env) *cobra.Command {
	var o statusOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "status",
		Short: "List workers and queue",
		Long:  statusLong,
		Example: `  ur fleet status --fleet nats://127.0.0.1:4222
  ur fleet status --fleet nats://127.0.0.1:4222 --watch`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), env, o) },
	}, &o)
}

// runStatus prints the status once, or again and again.
func runStatus(ctx context.Context, env *cli.Env, o statusOptions) error {
	conn, err := o.Fleet.Join(ctx, "ur status")
	if err != nil {
		return err
	}
	defer conn.Close()
	for {
		s, err := conn.Status(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("fleet: %w", err)
		case o.JSON:
			err = cli.WriteJSON(env.Stdout, s)
		default:
			if o.Watch && cli.IsTerminal(env.Stdout) {
				fmt.Fprint(env.Stdout, "\x1b[H\x1b[2J")
			}
			err = printStatus(env.Stdout, s)
		}
		if err != nil || !o.Watch {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func printStatus(w io.Writer, s fleet.Status) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "worker\tengine\tat a time\ttasks\ta second\tgames a second\theld\tlongest\tprocessor\n")
	for _, m := range s.Workers {
		longest := time.Duration(m.LongestSeconds * float64(time.Second)).Round(100 * time.Millisecond).String()
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.4g\t%.4g\t%d\t%s\t%s\n",
			m.Name, m.On.Engine, m.Parallel, m.Tasks, m.Rate, m.Games, m.Held, longest, m.On.CPU)
	}
	fmt.Fprintf(t, "\nversion\tworkers\twaiting\theld\tbegun before\n")
	for _, q := range s.Queue {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\n", q.Code, q.Workers, q.Waiting, q.Held, q.Redelivered)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s in the store, %s\n", text.Plural(int64(s.Results), "result"), cli.Size(int64(s.Bytes)))
	for _, what := range s.Stuck {
		fmt.Fprintf(w, "stuck: %s\n", what)
	}
	return nil
}
