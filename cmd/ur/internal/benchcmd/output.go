package benchcmd

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
)

// noticeable is the share of other programs' time worth reporting.
const noticeable = 0.02

// describeRun prints how a run was measured.
func describeRun(w io.Writer, run *sample.Run) {
	where := "on any core: " + run.Pinning.Reason
	if run.Pinning.Core != nil {
		where = fmt.Sprintf("on core %d", *run.Pinning.Core)
	}
	fmt.Fprintf(w, "measured %s, by the clock %s, in an order by seed %d\n", where, sample.DefaultClock(),
		run.Options.Seed)
	if run.Others > noticeable {
		fmt.Fprintf(w, "other programs took %.0f %% of the time; it is left out\n", 100*run.Others)
	}
}

// keepRows records the rows of results.
func keepRows(w io.Writer, results record.Results) error {
	results.SetTook()
	folder, err := record.Keep(resultsFolder, results)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	fmt.Fprintf(w, "recorded under %s\n", folder)
	return nil
}

// keepInterrupted prints the complete rounds of an interrupted run, if they are enough, and writes its
// samples. Nothing is recorded. Its error is the reason: Ctrl-C, or a failed program.
func (b *benchRun) keepInterrupted(run *sample.Run, reason error) error {
	if len(b.measured.Rows) == 0 {
		if run != nil {
			fmt.Fprintln(b.env.Stderr, "interrupted: no round was complete, and nothing is written")
		}
		return reason
	}
	err := b.writeSamples(nil)
	if run == nil || run.Rounds >= sample.MinCount {
		err = errors.Join(err, printResults(b.env.Stdout, b.measured, b.asJSON))
	}
	if err != nil {
		return fmt.Errorf("interrupted: %w", err)
	}
	if run != nil {
		fmt.Fprintf(b.env.Stderr, "interrupted after %d of %d rounds\n", run.Rounds, run.Options.Count)
	}
	return reason
}

// printResults writes results to stdout.
func printResults(out io.Writer, results record.Results, asJSON bool) error {
	if asJSON {
		return cli.WriteJSON(out, results)
	}
	return results.WriteText(out)
}

// writeSamples writes the file of -o: the finished suites, and the current one.
func (b *benchRun) writeSamples(underWay []byte) error {
	if b.output == "" {
		return nil
	}
	return writeOutput("-o", b.output, slices.Concat(b.finished.Bytes(), underWay))
}

// writeOutput writes the file of a flag.
func writeOutput(flag, name string, content []byte) error {
	if err := safefile.WriteBytes(name, content); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
