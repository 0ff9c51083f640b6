package benchcmd

import (
	"io"

	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/bench/commithistory"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

const benchHistoryLong = `History follows benchmarks along the commits whose comparisons "ur bench ab --store"
keeps in a folder, and lists the commits at which each became significantly slower or
faster. Steps follow one another by their commits, or by their dates.`

// historyJSON is the output of "ur bench history --json".
type historyJSON struct {
	Schema string                 `json:"schema"` // ur.history/1
	Steps  []commithistory.Step   `json:"steps"`  // one for each pair of commits
	Series []commithistory.Series `json:"series"` // one for each benchmark
}

// newBenchHistoryCommand returns "ur bench history".
func newBenchHistoryCommand(env *cli.Env) *cobra.Command {
	var svg string
	var asJSON, force bool
	cmd := &cobra.Command{
		Use:   "history FOLDER",
		Short: "Follow benchmarks along a chain of commits",
		Long:  benchHistoryLong,
		Example: `  ur bench ab HEAD~1 HEAD --store results
  ur bench history results --svg history.svg`,
		Args: cli.Exactly(1, "the folder of --store"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := cli.CheckOutput("--svg", svg, force); err != nil {
				return err
			}
			steps, err := commithistory.Read(args[0], verdict.DefaultRule())
			if err != nil {
				return cli.UsageError("%w", err)
			}
			series := commithistory.Follow(steps)
			if svg != "" {
				err := wholefile.Write(svg, func(w io.Writer) error {
					_, err := w.Write(commithistory.Chart(steps, series))
					return err
				})
				if err != nil {
					return err
				}
			}
			if asJSON {
				return cli.WriteJSON(env.Stdout, historyJSON{"ur.history/1", steps, series})
			}
			return commithistory.Write(env.Stdout, steps, series)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&svg, "svg", "", "draw the chart to `file`")
	cli.ForceFlag(cmd, &force)
	flags.BoolVar(&asJSON, "json", false, "print one JSON object, of schema ur.history/1")
	return cmd
}
