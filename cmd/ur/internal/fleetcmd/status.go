package fleetcmd

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/seed-09dcdc84/ur/cmd/internal/join"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

const statusLong = `Status lists the workers of a fleet with their engines, speeds and longest-running
tasks, and the queue of each version of the program. Tasks that were started before
but not finished are counted separately: if their number does not fall, they are
stuck. At the end it lists waiting tasks without a worker and tasks returned by
workers.`

// newStatusCommand returns "ur fleet status".
func newStatusCommand(env *cli.Env) *cobra.Command {
	var o join.Options
	var asJSON, watch bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "List workers and queue",
		Long:  statusLong,
		Example: `  ur fleet status --fleet nats://127.0.0.1:4222
  ur fleet status --fleet nats://127.0.0.1:4222 --watch`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runStatus(cmd.Context(), env, &o, asJSON, watch)
		},
	}
	join.Flags(cmd, &o, "show the fleet")
	cmd.Flags().BoolVar(&watch, "watch", false, "refresh every second until Ctrl-C")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, of schema ur.fleet/1, a line each with --watch")
	return cmd
}

// runStatus prints the status once, or again and again.
func runStatus(ctx context.Context, env *cli.Env, o *join.Options, asJSON, watch bool) error {
	conn, err := o.Join(ctx, "ur status")
	if err != nil {
		return err
	}
	defer conn.Close()
	for {
		s, err := conn.Status(ctx)
		switch {
		case ctx.Err() != nil:
			return cli.ErrInterrupted
		case err != nil:
			return fmt.Errorf("fleet: %w", err)
		case asJSON:
			err = cli.WriteJSON(env.Stdout, s)
		default:
			if watch && cli.IsTerminal(env.Stdout) {
				fmt.Fprint(env.Stdout, "\x1b[H\x1b[2J")
			}
			err = printStatus(env.Stdout, s)
		}
		if err != nil || !watch {
			return err
		}
		select {
		case <-ctx.Done():
			return cli.ErrInterrupted
		case <-time.After(time.Second):
		}
	}
}

// printStatus writes the status for people.
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
