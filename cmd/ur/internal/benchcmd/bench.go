// Package benchcmd holds the commands "ur bench".
package benchcmd

import (
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

const benchLong = `Bench measures engines, searches, nets and Reversi.

"ur bench run" measures suites of benchmarks in one process, interleaved. "go test
-bench" runs the same benchmarks under the same names, and "go tool benchstat" compares
files of either. "benchab OLD.txt NEW.txt" judges such files, and benchab compares commits.`

// Command returns "ur bench" with its sub-commands.
func Command(env *cli.Env) *cobra.Command {
	return cli.NewGroup("bench", "Measure and compare", benchLong,
		newBenchRunCommand(env),
		newBenchDoctorCommand(env),
	)
}
