// Package benchcmd holds the commands that measure.
package benchcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const benchLong = `Bench measures engines beside each other and keeps the records of it.

Engines are measured at four levels: "value" is getValue of positions that the
engine holds, "turn" a whole turn with all its candidates, "game" a whole game, and
"match" a whole game between two brains that differ. Turns of engines that play
games side by side are measured in whole games. "go test -bench . ./bench" runs the
same benchmarks under the same names.`

// Command returns "ur bench" with its sub-commands.
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("bench", "Measure engines beside each other", benchLong,
		newBenchRunCommand(env),
		newBenchScalingCommand(env),
		newBenchPiecesCommand(env),
		newBenchNetsCommand(env),
		newBenchSearchCommand(env),
		newBenchProfileCommand(env),
		newBenchDoctorCommand(env),
		newBenchReportCommand(env),
		newBenchCompareCommand(env),
		newBenchGateCommand(env),
		newBenchABCommand(env),
	)
}
