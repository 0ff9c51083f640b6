package fleetcmd

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/spf13/cobra"
)

const serveLong = `Serve runs a NATS server with JetStream in this process, and prints a line with
its address when it listens. It ends with Ctrl-C; whoever starts it again with the
same store goes on where it stood.

It listens on this machine alone unless --addr says otherwise, and then it must
ask who comes: by a token (--token-file, or ` + join.TokenVariable + `), or by the public
keys of users (--user, once for each), as "ur fleet key" makes them. A
certificate makes it speak TLS.

A store that is damaged is refused, with the file. --repair moves its damaged parts
to STORE/damaged, keeps the others, and has what is missing computed again. A store
that cannot be written any more, as on a full disk, ends the server with the reason.

The fleet is of the version of this program: workers and clients of others are
turned away.

With a NATS server or cluster of your own, in which JetStream must be switched on,
nothing is served: --nats makes it ready for a fleet of this version, prints its
address, which goes to --fleet everywhere, and ends.`

// newServeCommand returns "ur fleet serve".
func newServeCommand(env *cli.Env) *cobra.Command {
	var c fleet.ServeConfig
	var own join.Options // a server of the user's own, by --nats
	var token string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the fleet server",
		Long:  serveLong,
		Example: `  ur fleet serve --store fleet
  UR_FLEET_TOKEN=secret ur fleet serve --store fleet --addr 0.0.0.0:4222
  ur fleet serve --nats nats://nats.example.org:4222`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if own.Given() {
				own.TokenFile = token
				for _, name := range []string{"store", "addr", "repair", "user", "cert-file", "key-file"} {
					if cmd.Flags().Changed(name) {
						return cli.UsageError("--%s is of a server in this process, and --nats names another one: leave one of them out", name)
					}
				}
				return makeReady(cmd.Context(), env, own)
			}
			if c.Store == "" {
				return cli.UsageError("--store is missing: want a folder for jobs and results")
			}
			if c.Token, err = join.ReadToken(token); err != nil {
				return err
			}
			return serve(cmd.Context(), env, c)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&c.Store, "store", "", "folder that keeps jobs and results")
	flags.StringVar(&c.Addr, "addr", "127.0.0.1:4222", "where to listen, HOST:PORT; port 0 takes any")
	flags.BoolVar(&c.Repair, "repair", false, "set damaged parts of the store aside, and begin them anew")
	flags.StringVar(&token, "token-file", "", "file with the token that all must know (default what stands in "+join.TokenVariable+")")
	flags.StringArrayVar(&c.Users, "user", nil, "public nkey of a user who may come; may be given again")
	flags.StringVar(&c.CertFile, "cert-file", "", "file with the certificate, to speak TLS")
	flags.StringVar(&c.KeyFile, "key-file", "", "file with the key of the certificate")
	flags.StringVar(&own.URL, "nats", "", "address of a NATS server of your own, to be made ready for a fleet")
	flags.StringVar(&own.SeedFile, "nkey-file", "", "file with the seed of a user's nkey, for --nats")
	flags.StringVar(&own.CAFile, "ca-file", "", "file with the certificate that signed that of --nats")
	return cmd
}

// serverGC is how much a server's memory may grow before garbage is collected, in percent:
// most of it are jobs that stay, and the machine may be a small one.
const serverGC = 40

// serve serves until ctx ends.
func serve(ctx context.Context, env *cli.Env, c fleet.ServeConfig) error {
	if err := c.Check(); err != nil {
		return cli.UsageError("%w", err)
	}
	c.Log = func(message string) { fmt.Fprintln(env.Stderr, message) }
	debug.SetGCPercent(serverGC)
	if err := checkAddr(ctx, c.Addr); err != nil {
		return err
	}
	s, err := fleet.Serve(c)
	switch {
	case errors.As(err, new(*fleet.DamagedStoreError)):
		return fmt.Errorf("%w; \"ur fleet serve --store %s --repair\" keeps what is whole, sets the rest aside, and has it computed anew", err, c.Store)
	case errors.Is(err, fleet.ErrStoreInUse):
		return cli.UsageError("%w: stop it, or name another --store", err)
	case err != nil:
		return err
	}
	defer s.Close()
	if err := setVersion(ctx, s); err != nil {
		return err
	}
	fmt.Fprintln(env.Stdout, s.URL())
	return s.Wait(ctx)
}

// makeReady makes a NATS server that is there one of a fleet of this program's version.
func makeReady(ctx context.Context, env *cli.Env, o join.Options) error {
	if !strings.Contains(o.URL, "://") {
		return cli.UsageError("--nats %q: want nats://HOST:PORT or tls://HOST:PORT", o.URL)
	}
	conn, err := o.Join(ctx, "ur serve")
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetCode(ctx, work.CodeVersion()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(env.Stdout, o.URL)
	return err
}

// checkAddr returns an error if nobody could listen at an address.
func checkAddr(ctx context.Context, addr string) error {
	l, err := cli.Listen(ctx, addr)
	if err != nil {
		return err
	}
	return l.Close()
}

// setVersion makes the fleet one of this program's version.
func setVersion(ctx context.Context, s *fleet.Server) error {
	conn, err := s.Dial(ctx, "ur serve")
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.SetCode(ctx, work.CodeVersion())
}
