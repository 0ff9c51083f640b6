package fleetcmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

// tokenVariable is where the token of a fleet is read from when no file is named.
const tokenVariable = "UR_FLEET_TOKEN"

// Options are the flags by which a command finds a fleet.
type Options struct {
	url, token, seed, ca string
	wait                 bool // for a server that is not there yet
	cmd                  *cobra.Command
}

// Given reports whether a fleet is named.
func (o *Options) Given() bool { return o.url != "" }

// Flags adds the flags by which a command finds a fleet.
func Flags(cmd *cobra.Command, o *Options, what string) {
	o.cmd = cmd
	flags := cmd.Flags()
	flags.StringVar(&o.url, "fleet", "", what+`, as in "nats://127.0.0.1:4222"`)
	flags.StringVar(&o.token, "token-file", "", "file with the token of the fleet (default what stands in "+tokenVariable+")")
	flags.StringVar(&o.seed, "nkey-file", "", "file with the seed of a user's nkey, for a fleet that asks for one")
	flags.StringVar(&o.ca, "ca-file", "", "file with the certificate that signed that of the fleet")
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		for _, name := range []string{"token-file", "nkey-file", "ca-file"} {
			if cmd.Flags().Changed(name) && !o.Given() {
				return cli.UsageError("--%s is of a fleet, and --fleet names none: %s", name, wantFleet)
			}
		}
		return nil
	}
}

// wantFleet says what --fleet takes.
const wantFleet = `want the address that "ur fleet serve" printed, as in nats://127.0.0.1:4222`

// Join connects to the fleet.
func (o *Options) Join(ctx context.Context, name string) (*fleet.Conn, error) {
	if o.url == "" {
		return nil, cli.UsageError("--fleet is missing: %s", wantFleet)
	}
	if !strings.Contains(o.url, "://") {
		return nil, cli.UsageError("--fleet %q: want nats://HOST:PORT or tls://HOST:PORT", o.url)
	}
	token, err := readToken(o.token)
	if err != nil {
		return nil, err
	}
	return fleet.Dial(ctx, fleet.DialConfig{URL: o.url, Token: token, Seed: o.seed, CA: o.ca, Name: name, Wait: o.wait, Log: o.log})
}

// log prints a message about the connection.
func (o *Options) log(message string) {
	if o.cmd != nil {
		fmt.Fprintf(o.cmd.ErrOrStderr(), "ur: %s\n", message)
	}
}

// readToken reads a token from a file, or else from the environment.
func readToken(file string) (string, error) {
	if file == "" {
		return os.Getenv(tokenVariable), nil
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

// outstanding is how many spans are asked of a fleet at a time: enough for some hundred
// workers that each hold a few.
const outstanding = 512

// Venue returns where matches are played: on the fleet, if one is named, and else nil,
// which is here. luck is the file by which luck is measured. leave must be called at the
// end. parallel becomes how many spans are asked for at a time.
func (o *Options) Venue(ctx context.Context, luck string, parallel *int) (venue play.Backend, leave func() error, err error) {
	if !o.Given() {
		return nil, func() error { return nil }, nil
	}
	conn, err := o.Join(ctx, "ur client")
	if err != nil {
		return nil, nil, err
	}
	if *parallel == 0 {
		*parallel = outstanding
	}
	v := work.NewBackend(conn, luck)
	return v, func() error {
		defer conn.Close()
		if err := v.Close(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, context.Canceled) {
			return fmt.Errorf("leaving the fleet: %w", err)
		}
		return nil
	}, nil
}
