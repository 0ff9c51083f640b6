package benchcmd

import (
	"errors"
	"io"
	"io/fs"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

const benchReportLong = `Report prints the ladders of your records in markdown. With --html it writes one page
with the tables and plots of all records instead. The page needs nothing but a browser,
and follows its light or dark style. The same records give the same bytes.`

// newBenchReportCommand returns "ur bench report".
func newBenchReportCommand(env *cli.Env) *cobra.Command {
	var results, html string
	var force bool
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the ladders on record, or write a page of them",
		Long:  benchReportLong,
		Example: `  ur bench report
  ur bench report --html report.html`,
		RunE: func(*cobra.Command, []string) error { return benchReport(env, results, html, force) },
	}
	flags := cmd.Flags()
	flags.StringVar(&results, "results", "results", "`folder` of the records")
	flags.StringVar(&html, "html", "", "write one page with all records to this `file`")
	cli.ForceFlag(cmd, &force)
	return cmd
}

// benchReport prints the records, or writes a page of them.
func benchReport(env *cli.Env, results, html string, force bool) error {
	if err := cli.CheckOutput("--html", html, force); err != nil {
		return err
	}
	records, err := record.Read(results)
	if errors.Is(err, fs.ErrNotExist) {
		return cli.UsageError("--results: %w\nMake a record with \"ur bench run --record\".", err)
	}
	if err != nil {
		return cli.UsageError("--results: %w", err)
	}
	if html == "" {
		return record.WriteReport(env.Stdout, records)
	}
	return wholefile.Write(html, func(w io.Writer) error { return record.WritePage(w, records) })
}
