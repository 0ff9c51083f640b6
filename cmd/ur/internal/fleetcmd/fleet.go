// Package fleetcmd implements the fleet commands and the flags by which other commands use a
// fleet.
package fleetcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const fleetLong = `Fleet distributes work over many machines, over NATS JetStream.

One process is the server: it keeps the tasks and results on disk. Any number of
machines run workers. "ur match", "ur tournament" and other commands take --fleet with
the address and print results identical to a local run. Workers and server may be
killed at any moment.

All members must run the same version of the program; others are rejected.`

// Command returns "ur fleet".
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("fleet", "Distribute work over many machines", fleetLong,
		newServeCommand(env), newWorkCommand(env), newStatusCommand(env), newDrainCommand(env), newKeyCommand(env))
}
