// Package join holds the flags by which commands find a fleet, and connects to it.
package join

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// TokenVariable is where the token of a fleet is read from when no file is named.
const TokenVariable = "UR_FLEET_TOKEN"

// Options are the flags by which a command finds a fleet.
type Options struct {
	URL                         string        // of the server; "" without a fleet
	TokenFile, SeedFile, CAFile string        // see [fleet.DialConfig]
	Verify                      float64       // share of the tasks to compute a second time, 0 to 1
	Patience                    time.Duration // for a server that is not there

	only []string // flags that only make sense with a fleet
	cmd  *cobra.Command
}

// Given reports whether a fleet is named.
func (o *Options) Given() bool { return o.URL != "" }

// Flags adds the flags by which a command finds a fleet.
func Flags(cmd *cobra.Command, o *Options, what string) {
	o.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&o.URL, "fleet", "", what+`, as in "nats://127.0.0.1:4222"`)
	flags.StringVar(&o.TokenFile, "token-file", "", "file with the fleet's token (default $"+TokenVariable+")")
	flags.StringVar(&o.SeedFile, "nkey-file", "", "file with the seed of the user's nkey")
	flags.StringVar(&o.CAFile, "ca-file", "", "file with the fleet's CA certificate")
	o.only = []string{"token-file", "nkey-file", "ca-file"}
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		for _, name := range o.only {
			if cmd.Flags().Changed(name) && !o.Given() {
				return cli.UsageError("--%s needs --fleet (%s)", name, wantFleet)
			}
		}
		return nil
	}
}

// wantFleet describes the value of --fleet.
const wantFleet = `want the address that "ur fleet serve" printed, as in nats://127.0.0.1:4222`

// clientPatience is how long a client waits for an absent server: a killed server may be
// restarting.
const clientPatience = 10 * time.Second

// Join connects to the fleet.
func (o *Options) Join(ctx context.Context, name string) (*fleet.Conn, error) {
	if o.URL == "" {
		return nil, cli.UsageError("missing --fleet (%s)", wantFleet)
	}
	if !strings.Contains(o.URL, "://") {
		return nil, cli.UsageError("--fleet: %q has no scheme (want nats://HOST:PORT or tls://HOST:PORT)", o.URL)
	}
	token, err := ReadToken(o.TokenFile)
	if err != nil {
		return nil, err
	}
	return fleet.Dial(ctx, fleet.DialConfig{URL: o.URL, Token: token, Seed: o.SeedFile, CA: o.CAFile, Name: name, Patience: o.Patience, Log: o.log})
}

// log prints a message about the connection.
func (o *Options) log(message string) {
	if o.cmd != nil {
		fmt.Fprintf(o.cmd.ErrOrStderr(), "%s: %s\n", o.cmd.Root().Name(), message)
	}
}

// ReadToken reads a token from a file, or from the environment without one.
func ReadToken(file string) (string, error) {
	if file == "" {
		return os.Getenv(TokenVariable), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", cli.UsageError("--token-file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if token == "" {
		return "", cli.UsageError("--token-file: %s is empty", file)
	}
	return token, nil
}

// VerifyFlag adds the flag for the share of a fleet's tasks to recompute locally.
func VerifyFlag(cmd *cobra.Command, o *Options) {
	cmd.Flags().Var(cli.PercentFlag{Part: &o.Verify, Whole: true}, "verify", "share of fleet tasks to recompute locally; a difference exits with code 3")
	o.only = append(o.only, "verify")
}

// Outstanding is the number of spans of a match a client requests from a fleet at a time:
// enough for some hundred workers with a few each.
const Outstanding = 512

// Client connects a client of matches. It waits for a server that was killed.
func (o *Options) Client(ctx context.Context, name string) (*fleet.Conn, error) {
	o.Patience = clientPatience
	return o.Join(ctx, name)
}

// leaveTime is how long a client waits for the server when it leaves.
const leaveTime = 5 * time.Second

// Leave closes a client and its connection, and returns the error of its run as the command's:
// a result that differs is a failed verification. An error on leaving is only printed, because
// the run has its result.
func (o *Options) Leave(ctx context.Context, conn *fleet.Conn, end func(context.Context) error, run error) error {
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	if err := end(ctx); err != nil {
		o.log(fmt.Sprintf("leaving the fleet: %v", err))
	}
	if errors.As(run, new(*fleet.ResultMismatchError)) {
		return cli.VerificationError("%w", run)
	}
	return run
}
