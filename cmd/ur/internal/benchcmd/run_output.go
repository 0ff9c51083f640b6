package benchcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// runFormats are the formats of "ur bench run".
var runFormats = []string{cli.FormatText, cli.FormatMarkdown, cli.FormatCSV, cli.FormatJSON, cli.FormatBenchmarks}

// finish prints a complete run and writes the files asked for. What cannot be
// printed is written all the same, and the other way round.
func (b *benchRun) finish(ctx context.Context, run *bench.Run, machine bench.Environment, skipped []bench.Skipped) error {
	results := run.Results(machine, skipped)
	err := errors.Join(b.writeSamples(run, machine), b.print(run, machine, results))
	if !b.record || err != nil {
		return err
	}
	scaling, err := measureScaling(ctx, b.env, machine, b.scalingOptions())
	if err != nil {
		return err
	}
	pieces, err := measurePieces(ctx, b.env, machine, b.piecesOptions(run.Options))
	if err != nil {
		return err
	}
	collected, err := collectProfile(ctx, b.env, b.size, b.profileOptions(run.Options.Engines))
	if err != nil {
		return measureError(err)
	}
	record := bench.Record{
		Environment: machine, Results: results, Scaling: scaling, Pieces: pieces,
		Profile: collected.Profile(machine, defaultTop),
	}
	folder, err := bench.WriteRecord(b.results, run, record)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	fmt.Fprintf(b.env.Stderr, "recorded under %s\n", folder)
	return nil
}

// scalingOptions say how the scaling that goes on record is measured: with samples
// as many as those of the ladder, and longer by as much as they are by default.
func (b *benchRun) scalingOptions() bench.ScalingOptions {
	return bench.ScalingOptions{
		Engine:    engine.Fastest(),
		Count:     b.count,
		BenchTime: b.benchTime * (bench.DefaultScalingTime / bench.DefaultBenchTime),
		Seed:      b.seed,
	}
}

// piecesOptions say how the time by the number of pieces that goes on record is
// measured: as often as the ladder, and shorter by as much as it is by default.
func (b *benchRun) piecesOptions(run bench.Options) bench.PiecesOptions {
	return bench.PiecesOptions{
		Engines:   run.Engines,
		Count:     b.count,
		BenchTime: max(1, b.benchTime/(bench.DefaultBenchTime/bench.DefaultPiecesTime)),
		Seed:      b.seed,
		Pin:       run.Pin,
	}
}

// profileOptions say how the profile that goes on record is taken: of values and
// games, for as long as the samples of the ladder take three times over.
func (b *benchRun) profileOptions(engines []ur.Engine) bench.ProfileOptions {
	return bench.ProfileOptions{
		Engines: engines,
		Levels:  []bench.Level{bench.Value, bench.Game},
		Time:    3 * time.Duration(b.count) * b.benchTime,
		Seed:    b.seed,
		Pin:     &bench.Pin{Core: bench.AnyCore},
	}
}

// interrupted prints what an interrupted run has, if that is enough to say something,
// writes its samples, and says how to go on. It does not go on record. Its error is
// the reason: Ctrl-C, or a command that failed.
func (b *benchRun) interrupted(run *bench.Run, machine bench.Environment, skipped []bench.Skipped, reason error) error {
	reason = measureError(reason)
	if errors.Is(reason, context.Canceled) {
		reason = cli.ErrInterrupted
	}
	if run.Rounds == 0 {
		what := "no round was complete, and nothing is written"
		if b.resume != "" {
			what = b.resume + " is as it was"
		}
		fmt.Fprintf(b.env.Stderr, "interrupted: %s\n", what)
		return reason
	}
	unsaved := b.writeSamples(run, machine)
	if run.Rounds >= stat.MinCount || b.format == cli.FormatBenchmarks {
		if err := b.print(run, machine, run.Results(machine, skipped)); err != nil {
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
func (b *benchRun) print(run *bench.Run, machine bench.Environment, results bench.Results) error {
	switch b.format {
	case cli.FormatJSON:
		return cli.WriteJSON(b.env.Stdout, results)
	case cli.FormatCSV:
		return results.WriteCSV(b.env.Stdout)
	case cli.FormatMarkdown:
		results.WriteMarkdown(b.env.Stdout)
		return nil
	case cli.FormatBenchmarks:
		return run.WriteBenchmarks(b.env.Stdout, machine)
	}
	results.WriteText(b.env.Stdout)
	return nil
}

// writeSamples writes the file of -o.
func (b *benchRun) writeSamples(run *bench.Run, machine bench.Environment) error {
	if b.output == "" {
		return nil
	}
	err := wholefile.Write(b.output, func(w io.Writer) error { return run.WriteBenchmarks(w, machine) })
	if err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}
