package searchcmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/experiment"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/bench/searching"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

const measureLong = `Measure takes what every algorithm and technique of look-ahead is worth, in nodes
and time, in one interleaved run; the median time of a decision at depth 6; the
largest overrun of 10 ms a move; how long a cancelled search goes on; two threads
over one; and the regret of a decision by depth, for which it needs the exact
solution of 7 pieces. It takes some minutes, and writes a record as JSON. With
--parts only these are measured anew, and the others stay as they are in the
file of -o. The match against perfect play is played only where it is named: by a
player of 100 ms a move it takes an hour and a half.`

// newMeasureCommand returns "ur search measure".
func newMeasureCommand(env *cli.Env) *cobra.Command {
	var table, out, cpu string
	o := searching.Options{}
	cmd := &cobra.Command{
		Use:               "measure",
		Short:             "Measure what every technique of look-ahead is worth",
		Long:              measureLong,
		Example:           "  ur search measure -o results/MACHINE/search.json",
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for flag, n := range map[string]int{"samples": o.Samples, "decisions": o.Decisions, "regret": o.Regret} {
				if n < 1 {
					return cli.UsageError("--%s must be at least 1, got %d", flag, n)
				}
			}
			if o.Depths < 0 || o.Depths > 8 {
				return cli.UsageError("--depths must be 0 to 8, got %d", o.Depths)
			}
			if o.Games < 2 || o.Games%2 != 0 {
				return cli.UsageError("--games must be even and at least 2, got %d", o.Games)
			}
			for _, part := range o.Parts {
				if !slices.Contains(searching.Parts(), part) {
					return cli.UsageError("--parts %q is unknown, want some of %s", part, strings.Join(searching.Parts(), ", "))
				}
			}
			r := &searching.Record{}
			if o.Parts != nil && out != "" {
				var err error
				if r, err = readRecord(out); err != nil {
					return err
				}
			}
			if _, err := play.ParsePlayer(o.Player); err != nil {
				return cli.UsageError("--player: %w", err)
			}
			if o.Depths > 0 && (o.Parts == nil || slices.Contains(o.Parts, "regret")) || slices.Contains(o.Parts, "match") {
				t, err := pick.Table(cmd.Context(), table, board.MaxPieces)
				if err != nil {
					return err
				}
				o.Table = t
			}
			o.Progress = func(what string) { fmt.Fprintf(env.Stderr, "measuring %s\n", what) }
			if err := r.Measure(cmd.Context(), o); err != nil {
				return err
			}
			machine := experiment.ReadEnvironment()
			r.CPU, r.Commit = cmp.Or(cpu, machine.Processor()), cmp.Or(machine.Commit, "unknown")
			if out == "" {
				return cli.WriteIndentedJSON(env.Stdout, r)
			}
			return wholefile.Write(out, func(w io.Writer) error { return cli.WriteIndentedJSON(w, r) })
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.IntVar(&o.Samples, "samples", 10, "samples of each algorithm and technique")
	f.IntVar(&o.Decisions, "decisions", 200, "decisions of Ur")
	f.IntVar(&o.Regret, "regret", 100_000, "decisions for the regret of depths 1 to 3; deeper ones take a quarter of them for each ply")
	f.IntVar(&o.Depths, "depths", 6, "the deepest search whose regret is measured; 0 for none")
	f.StringVar(&o.Player, "player", "search:time=100ms", "player of the match against perfect play")
	cli.CompleteFlag(cmd, "player", pick.CompletePlayers(false))
	f.IntVar(&o.Games, "games", 1000, "games of the match, an even number")
	f.StringSliceVar(&o.Parts, "parts", nil, "measure only some of "+strings.Join(searching.Parts(), ", "))
	cli.CompleteFlag(cmd, "parts", completions(searching.Parts()))
	pick.TableFlag(cmd, &table)
	f.StringVar(&cpu, "cpu", "", "name of the processor, for the record (default what it says of itself)")
	f.StringVarP(&out, "output", "o", "", "`FILE` of the record (default standard output)")
	return cmd
}

const reportLong = `Report puts the figures of a record into a document, between the lines
` + searching.PageBegin + ` and ` + searching.PageEnd + `, and draws its plot. With --check nothing is changed, and the
exit code is 3 when the document or the plot is not up to date.`

// newReportCommand returns "ur search report".
func newReportCommand(*cli.Env) *cobra.Command {
	var docs, svg string
	var check bool
	cmd := &cobra.Command{
		Use:     "report RECORD",
		Short:   "Put the figures of a record into docs/search.md",
		Long:    reportLong,
		Example: "  ur search report results/MACHINE/search.json",
		Args:    cli.Exactly(1, "one record"),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := readRecord(args[0])
			if err != nil {
				return err
			}
			page, err := os.ReadFile(docs)
			if err != nil {
				return cli.UsageError("--docs: %w", err)
			}
			path, err := filepath.Rel(filepath.Dir(docs), svg)
			if err != nil {
				return cli.UsageError("--svg: %w", err)
			}
			page, err = r.Replace(page, filepath.ToSlash(path))
			if err != nil {
				return cli.UsageError("%s: %w", docs, err)
			}
			if check {
				return errors.Join(upToDate(svg, r.Plot()), upToDate(docs, page))
			}
			if err := wholefile.Write(svg, func(w io.Writer) error { _, err := w.Write(r.Plot()); return err }); err != nil {
				return err
			}
			return wholefile.Write(docs, func(w io.Writer) error { _, err := w.Write(page); return err })
		},
	}
	cmd.Flags().StringVar(&docs, "docs", "docs/search.md", "`FILE` with a place for the figures")
	cmd.Flags().StringVar(&svg, "svg", "docs/plots/search.svg", "`FILE` of the plot")
	cmd.Flags().BoolVar(&check, "check", false, "change nothing, fail when a file is not up to date")
	return cmd
}

// upToDate fails when a file does not hold what it should.
func upToDate(name string, want []byte) error {
	have, err := os.ReadFile(name)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	if !bytes.Equal(have, want) {
		return cli.VerificationError("%s is not what its record makes: run \"ur search report RECORD\"", name)
	}
	return nil
}

func readRecord(name string) (*searching.Record, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	var r searching.Record
	if err := json.Unmarshal(data, &r); err != nil || r.Schema != searching.RecordSchema {
		return nil, cli.UsageError("%s is no record of look-ahead: want JSON of schema %q", name, searching.RecordSchema)
	}
	return &r, nil
}
