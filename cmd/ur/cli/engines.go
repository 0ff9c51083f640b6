package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// engineEntry is one engine of "ur engines list".
type engineEntry struct {
	Name      string       `json:"name"`
	Board     string       `json:"board"`
	Eval      string       `json:"eval"`      // evaluator of positions
	Needs     []ur.Feature `json:"needs"`     // required CPU features
	Available bool         `json:"available"` // whether it can run here

	// Bytes is the memory for a pair of brains: 0 when the engine cannot run here.
	Bytes  int    `json:"bytes"`
	Reason string `json:"reason,omitempty"` // why it is not available
}

const enginesLong = `An engine combines a board representation with an evaluator and is named board/eval.
All engines make exactly the same choices; they differ in speed and in the CPU
features they require.

UR_DISABLE=avx512,avx2 masks tiers of CPU features.`

// newEnginesCommand returns "ur engines".
func newEnginesCommand(env *cli.Env) *cobra.Command {
	return cli.NewGroup("engines", "List and verify engines", enginesLong,
		newEnginesListCommand(env),
		newEnginesVerifyCommand(env),
	)
}

// newEnginesListCommand returns "ur engines list".
func newEnginesListCommand(env *cli.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the engines and their requirements",
		Long: `List prints every engine with its required CPU features, whether it can run here or
the reason why not, and its memory for a pair of brains in bytes: tables, accumulators
and boards. The default engine, the fastest, is marked *.`,
		Example: `  ur engines list
  UR_DISABLE=avx512 ur engines list --json`,
		RunE: func(*cobra.Command, []string) error {
			entries, err := listEngines()
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(env.Stdout, entries)
			}
			return printEngines(env, entries)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print an array of JSON objects")
	return cmd
}

// listEngines describes all engines.
func listEngines() ([]engineEntry, error) {
	var entries []engineEntry
	for _, e := range engine.All() {
		entry := engineEntry{Name: e.Name(), Needs: append([]ur.Feature{}, e.Needs()...), Available: true}
		entry.Board, entry.Eval = engine.SplitName(e)
		if err := ur.Available(e); err != nil {
			entry.Available, entry.Reason = false, strings.TrimPrefix(err.Error(), e.Name()+" ")
		} else {
			g, err := e.New(ur.Setup{Light: ur.DefaultBrain(), Dark: ur.DefaultBrain()})
			if err != nil {
				return nil, err
			}
			entry.Bytes = g.Bytes()
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// printEngines writes the list for people.
func printEngines(env *cli.Env, entries []engineEntry) error {
	table := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "  engine\tbytes\tneeds")
	for _, e := range entries {
		mark := " "
		if e.Name == engine.Fastest().Name() {
			mark = "*"
		}
		needs := "-"
		if len(e.Needs) > 0 {
			needs = text.Join(e.Needs, " ")
		}
		if e.Available {
			fmt.Fprintf(table, "%s %s\t%d\t%s\n", mark, e.Name, e.Bytes, needs)
		} else {
			fmt.Fprintf(table, "%s %s\t-\t%s\tnot here: %s\n", mark, e.Name, needs, e.Reason)
		}
	}
	return table.Flush()
}
