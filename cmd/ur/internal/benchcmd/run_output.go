package benchcmd

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// runFormats are the formats of "ur bench run".
var runFormats = []string{cli.FormatText, cli.FormatMarkdown, cli.FormatCSV, cli.FormatJSON, cli.FormatBenchmarks}

// interrupted prints the complete rounds of an interrupted run, if they are enough, writes its
// samples, and explains how to continue. Nothing is recorded. Its error is the reason: Ctrl-C,
// or a failed program.
func (b *benchRun) interrupted(run *experiment.Run, reason error) error {
	if run == nil && len(b.measured.Rows) == 0 {
		return reason
	}
	if len(b.measured.Rows) == 0 {
		left := "no round was complete, and nothing is written"
		if b.resume != "" {
			left = b.resume + " is as it was"
		}
		fmt.Fprintf(b.env.Stderr, "interrupted: %s\n", left)
		return reason
	}
	unsaved := b.writeSamples(nil)
	if run == nil || run.Rounds >= stat.MinCount || b.format == cli.FormatBenchmarks {
		if err := b.print(); err != nil {
			return errors.Join(err, unsaved)
		}
	}
	if unsaved != nil {
		return fmt.Errorf("interrupted; the samples were lost: %w", unsaved)
	}
	b.explainResume(run)
	return reason
}

// explainResume prints how to continue an interrupted run.
func (b *benchRun) explainResume(run *experiment.Run) {
	if run == nil || run.Rounds == 0 {
		return
	}
	fmt.Fprintf(b.env.Stderr, "interrupted after %d of %d rounds", run.Rounds, run.Options.Count)
	switch {
	case b.output == "":
		fmt.Fprintln(b.env.Stderr, "; a run that writes its samples with -o FILE can be resumed")
		return
	case len(b.measured.Suites()) > 1:
		fmt.Fprintf(b.env.Stderr, ", which are in %s\n", b.output)
		return
	}
	fmt.Fprintf(b.env.Stderr, ", which are in %s\ncontinue with: ur bench run --resume %s\n", b.output, b.output)
}

// print writes the results to stdout in the chosen format.
func (b *benchRun) print() error {
	return printResults(b.env.Stdout, b.format, b.measured, b.samples.Bytes())
}

// printResults writes results in a format; samples are in Go's benchmark format.
func printResults(out io.Writer, format string, r experiment.Results, samples []byte) error {
	switch format {
	case cli.FormatJSON:
		return cli.WriteJSON(out, r)
	case cli.FormatCSV:
		return r.WriteCSV(out)
	case cli.FormatMarkdown:
		return r.WriteMarkdown(out)
	case cli.FormatBenchmarks:
		_, err := out.Write(samples)
		return err
	}
	return r.WriteText(out)
}

// writeSamples writes the file of -o: the finished suites, and the current one.
func (b *benchRun) writeSamples(underWay []byte) error {
	if b.output == "" {
		return nil
	}
	err := wholefile.Write(b.output, func(w io.Writer) error {
		_, err := w.Write(slices.Concat(b.samples.Bytes(), underWay))
		return err
	})
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}
