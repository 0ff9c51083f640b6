//go:build !play

package playcmd

import (
	"context"

	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/seed-09dcdc84/ur/play"
)

// fleetBackend plays matches on the fleet. luck is the file by which luck is measured. The error
// of the match must be passed to leave, which returns it as the command's.
func fleetBackend(ctx context.Context, o *join.Options, luck string) (backend play.Backend, leave func(error) error, err error) {
	conn, err := o.Client(ctx, "ur client")
	if err != nil {
		return nil, nil, err
	}
	b := work.NewBackend(conn, luck)
	b.Verify = o.Verify
	return b, func(err error) error { return o.Leave(ctx, conn, b.Close, err) }, nil
}
