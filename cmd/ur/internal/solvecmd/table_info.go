package solvecmd

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// tableReport is the JSON form of a table file's description.
type tableReport struct {
	Schema    string          `json:"schema"` // ur.table/1
	File      string          `json:"file"`
	Format    string          `json:"format"` // urt or rgu
	Values    string          `json:"values"` // u16, percent16, f32 or f64
	Rules     string          `json:"rules"`  // name of the rule set
	Pieces    int             `json:"pieces"`
	Positions int             `json:"positions"` // in the file
	Bytes     int64           `json:"bytes"`     // size of the file
	Rounding  float64         `json:"rounding"`  // largest error by it, in probability
	Start     float64         `json:"start"`     // the first player's probability to win
	Meta      json.RawMessage `json:"meta"`      // metadata of the file
}

const tableInfoLong = `Info prints the header of a table file: its format, the numbers of pieces and
positions, the precision of its values, the winning chance of the first player, and
its metadata. It reads only the beginning of a .urt, and the keys of a .rgu. "ur table
verify" reads everything.

Exit codes: 0 done; 2 bad usage, or an unsound table file.`

// newTableInfoCommand returns "ur table info".
func newTableInfoCommand(env *cli.Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info FILE",
		Short: "Describe a table file",
		Long:  tableInfoLong,
		Example: `  ur table info finkel.urt
  ur table info finkel.rgu --json`,
		Args:              cli.Exactly(1, "one file"),
		ValidArgsFunction: completeTables(1),
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := openTable(args[0])
			if err != nil {
				return err
			}
			defer t.Close()
			report := newTableReport(args[0], t)
			if err := t.Err(); err != nil {
				return cli.UsageError("%w", err)
			}
			if asJSON {
				return cli.WriteJSON(env.Stdout, report)
			}
			return report.print(env)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object, of schema ur.table/1")
	return cmd
}

// newTableReport asks a table about itself.
func newTableReport(name string, t solve.RankedFile) tableReport {
	info := t.Info()
	return tableReport{
		Schema:    "ur.table/1",
		File:      name,
		Format:    info.Encoding.Format(),
		Values:    info.Encoding.Values(),
		Rules:     info.Rules.Name(),
		Pieces:    info.Pieces,
		Positions: info.Entries,
		Bytes:     info.Bytes,
		Rounding:  info.Encoding.Rounding(),
		Start:     solve.Win(t, info.Rules.Start()),
		Meta:      info.Meta,
	}
}

// print writes the report for people.
func (r tableReport) print(env *cli.Env) error {
	rounding, decimals := "not rounded", 10
	if r.Rounding > 0 {
		rounding = fmt.Sprintf("rounded by %.1e at most", r.Rounding)
		decimals = min(decimals, int(-math.Log10(100*r.Rounding))) // those left by rounding
	}
	fmt.Fprintf(env.Stdout, "%s: perfect play with %s a side\n\n", r.File, text.Plural(r.Pieces, "piece"))
	fmt.Fprintf(env.Stdout, "  rules       %s\n", r.Rules)
	fmt.Fprintf(env.Stdout, "  form        .%s, values %s, %s\n", r.Format, r.Values, rounding)
	fmt.Fprintf(env.Stdout, "  positions   %s\n", text.Grouped(r.Positions))
	fmt.Fprintf(env.Stdout, "  size        %s bytes\n", text.Grouped(r.Bytes))
	fmt.Fprintf(env.Stdout, "  start       the first player wins %.*f %%\n", decimals, 100*r.Start)
	if string(r.Meta) != "{}" {
		fmt.Fprintf(env.Stdout, "  also        %s\n", r.Meta)
	}
	return nil
}
