//go:build !play

package servecmd

import (
	"context"

	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/web"
	"github.com/spf13/cobra"
)

// fleetOptions are the flags of a fleet whose workers the page shows.
type fleetOptions struct{ join.Options }

// addFlags adds the flags.
func (o *fleetOptions) addFlags(cmd *cobra.Command) {
	join.Flags(cmd, &o.Options, "address of a fleet whose workers are shown")
}

// join lets the page show the fleet, if one is given, until leave is called.
func (o *fleetOptions) join(ctx context.Context, c *web.Config) (leave func(), err error) {
	if !o.Given() {
		return func() {}, nil
	}
	conn, err := o.Join(ctx, "ur serve")
	if err != nil {
		return nil, err
	}
	c.Fleet = func(ctx context.Context) (any, error) { return conn.Status(ctx) }
	return conn.Close, nil
}
