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

const serveLong = `Serve runs a NATS server with JetStream in this process and prints a line with its
address when it listens. Ctrl-C stops it; a restart with the same store resumes.

By default it listens on this machine only. Any other --addr needs authentication: a
token (--token-file, or ` + join.TokenVariable + `), or the public keys of users (--user,
repeatable) made by "ur fleet key". With a certificate it uses TLS.

Serve rejects a damaged store and names the file. --repair moves damaged parts to
STORE/damaged, keeps the others, and has missing results computed again. If the store
can no longer be written, for example because the disk is full, the server stops.

Workers and clients must run the same version of the program as the server; others
are rejected.

With --nats it uses a NATS server or cluster of your own, with JetStream enabled: it
prepares it for a fleet of this version, prints the address for --fleet, and exits.`

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
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if own.Given() {
				own.TokenFile = token
				for _, name := range []string{"store", "addr", "repair", "user", "cert-file", "key-file"} {
					if cmd.Flags().Changed(name) {
						return cli.UsageError("--%s cannot be used with --nats, which names another server", name)
					}
				}
				return makeReady(cmd.Context(), env, own)
			}
			if c.Store == "" {
				return cli.UsageError("missing --store (want a folder for jobs and results)")
			}
			if c.Token, err = join.ReadToken(token); err != nil {
				return err
			}
			return serve(cmd.Context(), env, c)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&c.Store, "store", "", "folder for jobs and results")
	flags.StringVar(&c.Addr, "addr", "127.0.0.1:4222", "address to listen on, HOST:PORT; port 0 selects a free port")
	flags.BoolVar(&c.Repair, "repair", false, "move damaged parts of the store aside and compute them again")
	flags.StringVar(&token, "token-file", "", "file with the token required of all members (default $"+join.TokenVariable+")")
	flags.StringArrayVar(&c.Users, "user", nil, "public nkey of an authorized user; repeatable")
	flags.StringVar(&c.CertFile, "cert-file", "", "file with the TLS certificate")
	flags.StringVar(&c.KeyFile, "key-file", "", "file with the key of the certificate")
	flags.StringVar(&own.URL, "nats", "", "address of your own NATS server to prepare for a fleet")
	flags.StringVar(&own.SeedFile, "nkey-file", "", "file with the seed of a user's nkey, for --nats")
	flags.StringVar(&own.CAFile, "ca-file", "", "file with the CA certificate of --nats")
	return cmd
}

// serverGC is the growth of a server's memory before a garbage collection, in percent: most of
// the memory are jobs that stay, and the machine may be small.
const serverGC = 40

// serve serves until ctx ends.
func serve(ctx context.Context, env *cli.Env, c fleet.ServeConfig) error {
	if err := c.Check(); err != nil {
		return cli.UsageError("%w", err)
	}
	if err := cli.CheckFolder("--store", c.Store); err != nil {
		return err
	}
	c.Log = func(message string) { fmt.Fprintln(env.Stderr, message) }
	debug.SetGCPercent(serverGC)
	if err := checkAddr(ctx, c.Addr); err != nil {
		return err
	}
	s, err := fleet.Serve(c)
	switch {
	case errors.As(err, new(*fleet.DamagedStoreError)):
		return fmt.Errorf("%w; \"ur fleet serve --store %s --repair\" moves damaged parts aside and has them computed again", err, c.Store)
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

// makeReady prepares a running NATS server for a fleet of this program's version.
func makeReady(ctx context.Context, env *cli.Env, o join.Options) error {
	if !strings.Contains(o.URL, "://") {
		return cli.UsageError("--nats: %q has no scheme (want nats://HOST:PORT or tls://HOST:PORT)", o.URL)
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

// checkAddr returns an error if an address cannot be listened on.
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
