// Package join holds the flags of a command's fleet, and connects to it.
package join

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// Variable is the environment variable with the default of --fleet.
const Variable = "UR_FLEET"

// Options are the flags of a command's fleet.
type Options struct {
	URL    string  // server's address; "" for the default
	Verify float64 // share of the tasks to compute a second time, 0 to 1

	// Patience is how long to wait for a missing server; [Options.AddFlags] sets it to the patience of
	// clients, who wait for a killed server.
	Patience time.Duration

	cmd *cobra.Command
}

// Given reports whether a fleet is named.
func (o *Options) Given() bool { return o.address() != "" }

// address returns the value of --fleet, or of its variable.
func (o *Options) address() string { return cmp.Or(o.URL, os.Getenv(Variable)) }

// AddFlags adds --fleet for the purpose in the help of a tag, and for the tag client:"true" also --verify, the share
// of the tasks to recompute locally.
func (o *Options) AddFlags(cmd *cobra.Command, tag reflect.StructTag) {
	o.cmd, o.Patience = cmd, 10*time.Second
	cmd.Flags().StringVar(&o.URL, "fleet", "",
		tag.Get("help")+" at `URL`, as in nats://127.0.0.1:4222 (default $"+Variable+")")
	if tag.Get("client") != "" {
		cmd.Flags().Var((*share)(&o.Verify), "verify",
			"share of fleet tasks to recompute locally; a difference exits with code 3")
	}
}

// share is the value of --verify: a percentage, "3%", stored as a fraction, 0.03.
type share float64

func (s *share) String() string {
	if *s == 0 {
		return ""
	}
	return fmt.Sprintf("%g%%", 100**s)
}

// Set wants the sign: without it, 0.5 could mean half of one percent or a half.
func (s *share) Set(text string) error {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	percent, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !ok || err != nil || !(percent > 0 && percent <= 100) {
		return fmt.Errorf("invalid percentage (want a number above 0%% and at most 100%%, with the sign %%)")
	}
	*s = share(percent / 100)
	return nil
}

// Type is also the name in an error about the flag.
func (*share) Type() string { return "percentage like 1%" }

// Check checks a client's flags.
func (o *Options) Check() error {
	if o.Verify > 0 && !o.Given() {
		return cli.UsageError("--verify needs --fleet (%s)", wantFleet)
	}
	return nil
}

// wantFleet describes the value of --fleet.
const wantFleet = "want the address of a NATS server, as in nats://127.0.0.1:4222"

// Join connects to the fleet.
func (o *Options) Join(ctx context.Context, name string) (*fleet.Conn, error) {
	address := o.address()
	if address == "" {
		return nil, cli.UsageError("missing --fleet (%s)", wantFleet)
	}
	switch scheme, _, found := strings.Cut(address, "://"); {
	case !found:
		return nil, cli.UsageError("--fleet: %q has no scheme (want nats://HOST:PORT or tls://HOST:PORT)", address)
	case scheme != "nats" && scheme != "tls" && scheme != "ws" && scheme != "wss":
		return nil, cli.UsageError("--fleet: unknown scheme %q (want nats://HOST:PORT or tls://HOST:PORT)", scheme)
	}
	return fleet.Dial(ctx, fleet.DialConfig{URL: address, Name: name, Patience: o.Patience, Log: o.log})
}

func (o *Options) log(message string) {
	fmt.Fprintf(o.cmd.ErrOrStderr(), "%s: %s\n", o.cmd.Root().Name(), message)
}

// Outstanding is the number of spans of a match a client requests from a fleet at a time:
// enough for some hundred workers with a few each.
const Outstanding = 512

// leaveTime is how long a client waits for the server when it leaves.
const leaveTime = 5 * time.Second

// Leave calls end, which may be nil, closes the connection, and returns the error of a client's run
// as the command's: a different result is a failed verification. An error on leaving is only
// printed, because the run has its result.
func (o *Options) Leave(ctx context.Context, conn *fleet.Conn, end func(context.Context) error, run error) error {
	defer conn.Close()
	if end != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if err := end(ctx); err != nil {
			o.log(fmt.Sprintf("leaving the fleet: %v", err))
		}
	}
	if errors.As(run, new(*fleet.ResultMismatchError)) {
		return cli.VerificationError("%w", run)
	}
	return run
}
