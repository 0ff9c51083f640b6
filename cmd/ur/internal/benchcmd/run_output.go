package benchcmd

import (
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// runFormats are the formats of "ur bench run".
var runFormats = []string{cli.FormatText, cli.FormatMarkdown, cli.FormatCSV, cli.FormatJSON, cli.FormatBenchmarks}

// interrupted prints what an interrupted run has, if that is enough to say something,
// writes its samples, and says how to go on. It does not go on record. Its error is
// the reason: Ctrl-C, or a command that failed.
func (b *benchRun) interrupted(run *bench.Run, reason error) error {
	if run.Rounds == 0 {
		what := "no round was complete, and nothing is written"
		if b.resume != "" {
			what = b.resume + " is as it was"
		}
		fmt.Fprintf(b.env.Stderr, "interrupted: %s\n", what)
		return reason
	}
	unsaved := b.writeSamples(run)
	if run.Rounds >= stat.MinCount || b.format == cli.FormatBenchmarks {
		if err := b.print(run); err != nil {
			return errors.Join(err, unsaved)
		}
	}
	if unsaved != nil {
		return fmt.Errorf("interrupted, and the samples are lost: %w", unsaved)
	}
	b.sayHowToGoOn(run)
	return reason
}

// sayHowToGoOn tells how an interrupted run can be resumed.
func (b *benchRun) sayHowToGoOn(run *bench.Run) {
	fmt.Fprintf(b.env.Stderr, "interrupted after %d of %d rounds", run.Rounds, run.Options.Count)
	if b.output == "" {
		fmt.Fprintln(b.env.Stderr, "; a run that writes its samples with -o FILE can be resumed")
		return
	}
	again := ""
	if len(b.commands) > 0 {
		again = " and the same --exec"
	}
	fmt.Fprintf(b.env.Stderr, ", which are in %s\ngo on with: ur bench run --resume %s%s\n", b.output, b.output, again)
}

// print writes the run to stdout in the chosen format.
func (b *benchRun) print(run *bench.Run) error {
	results := run.Results(b.machine, b.skipped)
	switch b.format {
	case cli.FormatJSON:
		return cli.WriteJSON(b.env.Stdout, results)
	case cli.FormatCSV:
		return results.WriteCSV(b.env.Stdout)
	case cli.FormatMarkdown:
		return results.WriteMarkdown(b.env.Stdout)
	case cli.FormatBenchmarks:
		return run.WriteBenchmarks(b.env.Stdout, b.machine)
	}
	return results.WriteText(b.env.Stdout)
}

// writeSamples writes the file of -o.
func (b *benchRun) writeSamples(run *bench.Run) error {
	if b.output == "" {
		return nil
	}
	err := wholefile.Write(b.output, func(w io.Writer) error { return run.WriteBenchmarks(w, b.machine) })
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}
