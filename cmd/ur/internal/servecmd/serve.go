// Package servecmd holds "ur serve".
package servecmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"runtime/debug"
	"strings"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/spf13/cobra"
)

const serveLong = `Serve shows the game as a page, and prints a line with its address when it listens:
play against any player and level, with hints, undo and an analysis after the game;
share a game by its link; follow matches, tournaments and trainings; see the ladder.
It ends with Ctrl-C. Nothing is loaded from elsewhere.

It listens on this machine alone unless --addr says otherwise. It then answers to its
addresses, and to the names of --host, and whoever can reach it may play, and let
players meet: put a server that asks who comes before it where that matters.

--data names a folder whose tournaments (DIR/log.jsonl of "ur tournament --out"),
checkpoints and curves of "ur train" are shown as they grow, and whose brains, nets and
tables may play. Nothing outside of it is opened.

--export writes the same page, but for what needs a server, into a folder that any web
server can offer, with the engine as WebAssembly. The command "go" builds it from the
sources: those of the working folder, or those that ur itself was built from.`

// options are the flags of "ur serve".
type options struct {
	addr, export  string
	data, results string
	hosts         []string
	fleet         join.Options
	parallel      int
}

// Command returns "ur serve".
func Command(env *cli.Env) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Show the game as a page in a browser",
		Long:  serveLong,
		Example: `  ur serve
  ur serve --addr 127.0.0.1:0 --data league
  ur serve --export site`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.parallel < 0 || o.parallel > play.MaxParallel {
				return cli.UsageError("--parallel must be 0 to %d, got %d", play.MaxParallel, o.parallel)
			}
			records, err := readRecords(o.results, cmd.Flags().Changed("results"))
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("export") {
				return export(cmd, env, o.export, records)
			}
			return serve(cmd.Context(), env, o, web.Config{
				Version: version(), Hosts: o.hosts, Data: o.data, Records: records, Parallel: o.parallel,
			})
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.addr, "addr", "127.0.0.1:8571", "where to listen, HOST:PORT; port 0 takes any")
	flags.StringVar(&o.export, "export", "", "write the page that needs no server to a `folder`, and serve nothing")
	flags.StringArrayVar(&o.hosts, "host", nil, "further `name` to answer to, as behind another server; may be given again")
	flags.StringVar(&o.data, "data", "", "`folder` of tournaments, trainings, brains, nets and tables")
	flags.StringVar(&o.results, "results", "results", "`folder` of the records that the ladder shows")
	flags.IntVar(&o.parallel, "parallel", 0, "threads of a match that is begun in the page (default one for each processor)")
	join.Flags(cmd, &o.fleet, "address of a fleet whose workers are shown")
	cli.CompleteFlag(cmd, "export", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	cli.CompleteFlag(cmd, "data", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	cli.CompleteFlag(cmd, "results", cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs))
	return cmd
}

// version returns that of the program.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// readRecords reads the records of a folder, which need not be there unless somebody has
// named it.
func readRecords(folder string, named bool) ([]record.Record, error) {
	if _, err := os.Stat(folder); !named && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	records, err := record.Read(folder)
	if err != nil && !named {
		return nil, nil // a folder of that name that is something else
	}
	if err != nil {
		return nil, cli.UsageError("--results: %w", err)
	}
	return records, nil
}

// export writes the page that needs no server.
func export(cmd *cobra.Command, env *cli.Env, folder string, records []record.Record) error {
	for _, flag := range []string{"addr", "host", "data", "fleet", "parallel"} {
		if cmd.Flags().Changed(flag) {
			return cli.UsageError("--export serves nothing, so that --%s has no meaning: leave one of them out", flag)
		}
	}
	if folder == "" {
		return cli.UsageError("--export is empty: want a folder to write to")
	}
	size, err := web.Export(cmd.Context(), folder, records)
	switch {
	case errors.Is(err, web.ErrNotEmpty):
		return cli.UsageError("--export: %w", err)
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s holds the page, with an engine of %s: let any web server offer it\n", folder, cli.Size(size))
	return err
}

// serve listens until ctx ends.
func serve(ctx context.Context, env *cli.Env, o options, c web.Config) error {
	host, _, err := net.SplitHostPort(o.addr)
	if err != nil {
		return cli.UsageError("--addr %q: want HOST:PORT, as in 127.0.0.1:8571", o.addr)
	}
	for i, name := range c.Hosts {
		c.Hosts[i] = strings.ToLower(name)
	}
	if host != "" {
		c.Hosts = append(c.Hosts, strings.ToLower(host))
	}
	if o.fleet.Given() {
		conn, err := o.fleet.Join(ctx, "ur serve")
		if err != nil {
			return err
		}
		defer conn.Close()
		c.Fleet = func(ctx context.Context) (any, error) { return status(ctx, conn) }
	}
	s, err := web.New(c)
	if err != nil {
		return cli.UsageError("--data: %w", err)
	}
	defer s.Close()
	l, err := cli.Listen(ctx, o.addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "http://%s/\n", l.Addr())
	return s.Serve(ctx, l)
}

// status returns the status of a fleet.
func status(ctx context.Context, conn *fleet.Conn) (any, error) { return conn.Status(ctx) }
