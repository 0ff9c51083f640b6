package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/spf13/cobra"
)

// benchReport is "ur bench report".
type benchReport struct {
	env *environment

	results string
	readme  string
	docs    string
	check   bool
}

const benchReportLong = `Report prints the ladders of the records in markdown. With --readme it puts them
into a file instead, between the lines "<!-- ladder:begin -->" and
"<!-- ladder:end -->". With --docs it fills a document about the engines: every block

  <!-- figures:array16/avx2:begin -->
  <!-- figures:array16/avx2:end -->

with the figures of that engine, each beside its ratio to the baseline and to the
engine before it on the ladder, and every block "<!-- scaling:begin -->" to
"<!-- scaling:end -->" with the scaling over cores. A record that has no figures of an
engine adds nothing to its block, or why it was skipped.

With --check nothing is changed, and the exit code is 3 when a file is not up to
date.`

// newBenchReportCommand returns "ur bench report".
func newBenchReportCommand(env *environment) *cobra.Command {
	r := &benchReport{env: env}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the ladders on record, or put them into documents",
		Long:  benchReportLong,
		Example: `  ur bench report
  ur bench report --readme README.md
  ur bench report --docs docs/ladder.md --check`,
		Args:              exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return r.run() },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.results, "results", "results", "`folder` of the records")
	flags.StringVar(&r.readme, "readme", "", "`file` to put the ladders into")
	flags.StringVar(&r.docs, "docs", "", "`file` to put the figures of engines into")
	flags.BoolVar(&r.check, "check", false, "only check that the files of --readme and --docs are up to date")
	return cmd
}

func (r *benchReport) run() error {
	if r.check && r.readme == "" && r.docs == "" {
		return usageError("--check wants --readme FILE or --docs FILE: the file to check")
	}
	records, err := bench.ReadRecords(r.results)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError("--results: %w\nMake a record with \"ur bench run --record\".", err)
	}
	if err != nil {
		return usageError("--results: %w", err)
	}
	if r.readme == "" && r.docs == "" {
		bench.WriteReport(r.env.stdout, records)
		return nil
	}
	if r.readme != "" {
		err = r.replace("--readme", r.readme, records, bench.ReplaceLadder)
	}
	if r.docs != "" {
		err = errors.Join(err, r.replace("--docs", r.docs, records, bench.ReplaceFigures))
	}
	return err
}

// replace puts what the records say into the file of a flag, or checks that it is
// there.
func (r *benchReport) replace(flag, file string, records []bench.Record, replaced func([]byte, []bench.Record) ([]byte, error)) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return usageError("%s: %w", flag, err)
	}
	text, err := replaced(old, records)
	switch {
	case err != nil:
		return usageError("%s: %w", file, err)
	case bytes.Equal(text, old):
		return nil
	case r.check:
		return verificationError("%s: the figures are not those of the records: run \"ur bench report %s %s\"", file, flag, file)
	}
	err = bench.WriteFile(file, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
