//go:build play

package servecmd

import (
	"context"

	"github.com/seed-09dcdc84/ur/web"
	"github.com/spf13/cobra"
)

// fleetOptions has no flags: a build for playing knows no fleet.
type fleetOptions struct{}

func (*fleetOptions) addFlags(*cobra.Command) {}

func (*fleetOptions) join(context.Context, *web.Config) (leave func(), err error) {
	return func() {}, nil
}
