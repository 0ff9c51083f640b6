package fleetcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/fleet/work"
	"github.com/spf13/cobra"
)

const drainLong = `Drain makes all workers leave. Their unfinished tasks and the queue stay for workers
that join after --off.

--off admits workers again, those of the version of this program. To upgrade a fleet,
drain it and start the new server or, with a NATS server of your own, run
"ur fleet drain --off" with the new program.`

// newDrainCommand returns "ur fleet drain".
func newDrainCommand(env *cli.Env) *cobra.Command {
	var o join.Options
	var off bool
	cmd := &cobra.Command{
		Use:     "drain",
		Short:   "Make all workers leave",
		Long:    drainLong,
		Example: `  ur fleet drain --fleet nats://127.0.0.1:4222`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conn, err := o.Join(cmd.Context(), "ur drain")
			if err != nil {
				return err
			}
			defer conn.Close()
			if off {
				if err := conn.SetCode(cmd.Context(), work.CodeVersion()); err != nil {
					return err
				}
			}
			return conn.Drain(cmd.Context(), !off)
		},
	}
	join.Flags(cmd, &o, "address of the fleet")
	cmd.Flags().BoolVar(&off, "off", false, "admit workers again")
	return cmd
}
