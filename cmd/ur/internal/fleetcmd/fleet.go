// Package fleetcmd holds the commands about many machines, and the flags by which other
// commands ask a fleet.
package fleetcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const fleetLong = `Fleet lets many machines do one piece of work, over NATS JetStream.

One process serves: it keeps what is to be done, and what was done, on disk. Any
number of machines work. Then "ur match", "ur tournament" and others take --fleet
with the address, and print what they would print on one machine, to the last
count. Workers and server may be killed at any moment.

All programs of a fleet are of one version: others are turned away.`

// Command returns "ur fleet".
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("fleet", "Share work among many machines", fleetLong,
		newServeCommand(env), newWorkCommand(env), newStatusCommand(env), newDrainCommand(env), newKeyCommand(env))
}
