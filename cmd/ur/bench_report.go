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
	check   bool
}

const benchReportLong = `Report prints the ladders of the records in markdown. With --readme it puts them
into a file instead, between the lines "<!-- ladder:begin -->" and
"<!-- ladder:end -->". With --check it changes nothing, and fails with exit code 3
when the file is not up to date.`

// newBenchReportCommand returns "ur bench report".
func newBenchReportCommand(env *environment) *cobra.Command {
	r := &benchReport{env: env}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the ladders on record, or put them into a README",
		Long:  benchReportLong,
		Example: `  ur bench report
  ur bench report --readme README.md`,
		Args:              exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return r.run() },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.results, "results", "results", "`folder` of the records")
	flags.StringVar(&r.readme, "readme", "", "`file` to put the ladders into")
	flags.BoolVar(&r.check, "check", false, "only check that the file of --readme is up to date")
	return cmd
}

func (r *benchReport) run() error {
	if r.check && r.readme == "" {
		return usageError("--check wants --readme FILE: the file to check")
	}
	records, err := bench.ReadRecords(r.results)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError("--results: %w\nMake a record with \"ur bench run --record\".", err)
	}
	if err != nil {
		return usageError("--results: %w", err)
	}
	if r.readme == "" {
		bench.WriteReport(r.env.stdout, records)
		return nil
	}
	return r.replace(records)
}

// replace puts the ladders into the README, or checks that they are there.
func (r *benchReport) replace(records []bench.Record) error {
	old, err := os.ReadFile(r.readme)
	if err != nil {
		return usageError("--readme: %w", err)
	}
	text, err := bench.ReplaceLadder(old, records)
	switch {
	case err != nil:
		return usageError("%s: %w", r.readme, err)
	case bytes.Equal(text, old):
		return nil
	case r.check:
		return verificationError("%s: the ladder is not that of the records: run \"ur bench report --readme %s\"", r.readme, r.readme)
	}
	err = bench.WriteFile(r.readme, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("--readme: %w", err)
	}
	return nil
}
