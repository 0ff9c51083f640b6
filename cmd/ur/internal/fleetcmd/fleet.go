// Package fleetcmd implements the fleet commands.
package fleetcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const fleetLong = `Fleet distributes matches and training over many machines.

A fleet is a NATS server with JetStream, and any number of machines that run "ur fleet
work". "ur match" and other commands take --fleet with the address of the server, or
find it in $UR_FLEET, and print results identical to a local run. Server, workers and
clients may be killed at any moment. Workers take the tasks of their own version of
the program.

A server for this machine: go tool nats-server -js -sd DIR -a 127.0.0.1
Credentials belong in the address: nats://TOKEN@HOST:4222, tls://USER:PASSWORD@HOST:4222`

// Command returns "ur fleet".
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("fleet", "Distribute work over many machines", fleetLong, newWorkCommand(env), newStatusCommand(env))
}
