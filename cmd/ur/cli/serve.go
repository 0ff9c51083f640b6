package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/spf13/cobra"
)

const serveLong = `Serve serves the game as a web page and prints a line with its address when it
listens. On the page you play against any player and level, with hints, undo and
analysis, and share games by link. Ctrl-C stops the server. The page loads nothing from
other sites.

By default it listens on this machine only. With --addr it accepts requests to its
addresses and to the names of --host. There is no authentication: every client that
can reach it may play games. Put an authenticating reverse proxy in front of it if
needed.

--export writes a page without the features that need a server into a folder for any
web server, with the engine as WebAssembly. The command "go" builds it from the
sources in the working folder, or those that ur itself was built from.`

type serveOptions struct {
	Addr   string `flag:"addr" default:"127.0.0.1:8571" help:"address to listen on, HOST:PORT; port 0 selects a free port"`
	Export string `flag:"export" help:"write a page that needs no server to <folder> and exit"`
	cli.Overwrite
	Hosts cli.Texts `flag:"host" help:"additional host <name> to accept, as behind a proxy; repeatable"`
}

func newServeCommand(env *cli.Env) *cobra.Command {
	var o serveOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "serve",
		Short: "Serve the game as a web page",
		Long:  serveLong,
		Example: `  ur serve
  ur serve --addr 192.168.1.20:8571
  ur serve --export site`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("export") {
				return exportPage(cmd, env, o)
			}
			if o.Force {
				return cli.UsageError("--force has no meaning without --export")
			}
			return servePage(cmd.Context(), env, o)
		},
	}, &o)
}

func exportPage(cmd *cobra.Command, env *cli.Env, o serveOptions) error {
	for _, flag := range []string{"addr", "host"} {
		if cmd.Flags().Changed(flag) {
			return cli.UsageError("--%s cannot be used with --export, which serves nothing", flag)
		}
	}
	if err := cli.CheckFolder("--export", o.Export); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Export, 0o777); err != nil {
		return cli.UsageError("--export: %w", err)
	}
	if err := cli.CheckWritable("--export", filepath.Join(o.Export, "index.html")); err != nil {
		return err // before the engine is built
	}
	bar := cli.NewWait(env, "building the engine for browsers")
	size, err := web.Export(cmd.Context(), o.Export, o.Force)
	bar.Clear()
	switch {
	case errors.Is(err, web.ErrNotEmpty):
		return cli.UsageError("--export: %w", err)
	case errors.Is(err, web.ErrExported):
		return cli.UsageError("--export: %w (want another folder, or --force)", err)
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(env.Stdout, "%s holds the page, with an engine of %s: let any web server offer it\n",
		o.Export, cli.Size(size))
	return err
}

func servePage(ctx context.Context, env *cli.Env, o serveOptions) error {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return cli.UsageError("--addr: invalid address %q (want HOST:PORT, as in 127.0.0.1:8571)", o.Addr)
	}
	for _, name := range o.Hosts {
		if strings.ContainsAny(name, ":/ ") {
			return cli.UsageError("--host: invalid name %q (want one without scheme and port, as in ur.example)", name)
		}
	}
	s := web.New(web.Config{Version: process.Version(), Hosts: append(o.Hosts, host)})
	defer s.Close()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", o.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return cli.UsageError("--addr %s: address in use (want another port, or port 0 for any free port)", o.Addr)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return cli.UsageError("--addr %s: no address of this machine (want one, as in 127.0.0.1:8571)", o.Addr)
	case errors.Is(err, fs.ErrPermission):
		return cli.UsageError("--addr %s: permission denied (want another port, such as 8571)", o.Addr)
	case err != nil:
		return cli.UsageError("--addr %s: %w (want a host and port of this machine, as in 127.0.0.1:8571)", o.Addr, err)
	}
	fmt.Fprintf(env.Stdout, "http://%s/\n", l.Addr())
	return s.Serve(ctx, l)
}
