package benchcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/sample"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/spf13/cobra"
)

// benchRun is "ur bench run".
type benchRun struct {
	env  *cli.Env
	size bench.Size // size of the engines' work

	Suites    []string      `flag:"suite"`
	Match     string        `flag:"bench" help:"measure only benchmarks whose name matches <REGEXP>"`
	Engines   []string      `flag:"engine" help:"<names> of engines to measure, as in array16/avx2,bits/scalar, or patterns as in 'bits*' (default: all that this CPU can run)"`
	Levels    []string      `flag:"level"`
	Count     bool          `flag:"count" help:"count instructions per eval and per game"`
	Samples   int           `flag:"samples" help:"samples of each benchmark, at least 4 (default 20, of reversi 9)"`
	BenchTime time.Duration `flag:"benchtime" help:"time that a sample should take (default 25ms, of pieces 5ms, of scaling 100ms)"`
	Seed      uint64        `flag:"seed" default:"1" help:"seed of the order of measuring"`
	JSON      bool          `flag:"json"`
	Output    string        `flag:"output,o" help:"write the samples in Go's benchmark format to <file>"`
	Profile   string        `flag:"cpuprofile" help:"write a CPU profile to <file>, and print the hottest functions of each engine"`
	cli.Overwrite
	Record bool `flag:"record" help:"keep the rows in the folder results"`

	given    func(flag string) bool // whether the user typed a flag
	counter  *bench.Counter         // nil without --count
	measured record.Results         // so far
	finished bytes.Buffer           // samples of the finished suites, in Go's benchmark format
}

const benchRunLong = `Run measures suites of benchmarks in one process. The samples of a suite are
interleaved: each round takes a sample of every benchmark, in a new random order, so
other programs disturb all of them alike. Every benchmark is checked against its
oracle before it is measured.

The suites are:

@SUITES@

The tables show medians. A speedup is the baseline's time divided by that of the row,
from samples of the same round, with its 95 % confidence interval. The baseline of
engines, array16/scalar, is always measured too. The ladder has ns/eval at the level
"value", ns/turn at "turn", and at "moves" without values, and us/game at "game". An engine that plays several games
at once gets 10,000 games a call, and its turns are measured in whole games; every
other engine gets the first 250 games.

The run stays on one core if the system allows it, except for benchmarks of several
threads. Times are CPU time on Linux, which excludes other programs. Of several
threads they are wall-clock time.

Ctrl-C ends the run early and prints the complete rounds if there are at least 4. The
file of -o is written after every round, in Go's benchmark format, for "go tool
benchstat" and "benchab OLD.txt NEW.txt".

--count adds instructions per eval and per game, counted by perf events or valgrind.
Counts do not depend on load. Valgrind has no AVX-512; engines that need it are listed
as not counted.

--cpuprofile labels the samples of the profile with engine and level, as in "go tool
pprof -top -tagfocus engine=bits/table FILE". 100 samples a second are few: raise
--samples. Times are wall-clock time then.

--record writes the rows to results/MACHINE/SUITE.json with the CPU, commit, date and
command. Rows of benchmarks that were not measured stay.`

func (b *benchRun) newCommand() *cobra.Command {
	suites := text.List(bench.Suites(),
		func(s bench.Suite) string { return fmt.Sprintf("  %-8s  %s", s.Name, s.Short) })
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Measure suites of benchmarks",
		Long:  strings.Replace(benchRunLong, "@SUITES@", strings.Join(suites, "\n"), 1),
		Example: `  ur bench run
  ur bench run --engine 'array16/avx2,bits*' --level game
  ur bench run --suite search,nets --bench 'game=ur|NetDecision'
  ur bench run --samples 40 -o new.txt   # go tool benchstat old.txt new.txt
  ur bench run --count --level value,game`,
		RunE: func(cmd *cobra.Command, _ []string) error { return b.runSuites(cmd.Context()) },
	}
	b.Suites = []string{bench.EnginesSuite}
	flags := cli.WithFlags(cmd, b).Flags()
	b.given = flags.Changed
	flags.Lookup("suite").Usage = "`suites` to measure: " + strings.Join(bench.SuiteNames(), ", ")
	cli.CompleteFrom(cmd, "suite", bench.SuiteNames()...)
	cli.CompleteFlag(cmd, "engine", pick.CompleteEngines)
	levels := text.List(bench.Scopes(), func(s bench.Scope) string { return string(s) })
	flags.Lookup("level").Usage = "`levels` to measure: " + strings.Join(levels, ", ") + " (default: all)"
	cli.CompleteFrom(cmd, "level", levels...)
	flags.Lookup("json").Usage = "print one JSON object, of schema " + record.ResultsSchema
	return cmd
}

// checkFlags checks the flags of the measurement and of the files.
func (b *benchRun) checkFlags() error {
	switch {
	case b.given("samples") && b.Samples < sample.MinCount:
		return cli.UsageError("--samples: must be at least %d for a ratio, and 10 for one of use, got %d",
			sample.MinCount, b.Samples)
	case b.given("benchtime") && b.BenchTime <= 0:
		return cli.UsageError("--benchtime must be positive, got %v", b.BenchTime)
	case b.Record && b.given("samples") && b.Samples < sample.MinRecordCount &&
		!slices.Contains(b.Suites, bench.ReversiSuite):
		return cli.UsageError("--record: %d samples (want --samples %d or more)", b.Samples, sample.MinRecordCount)
	}
	if err := cmp.Or(cli.CheckOutput("-o", b.Output, b.Force), cli.CheckOutput("--cpuprofile", b.Profile, b.Force),
		cli.CheckBinary("--cpuprofile", b.Profile)); err != nil {
		return err
	}
	if b.Record {
		return cli.CheckFolder("--record", resultsFolder)
	}
	return nil
}

// resultsFolder is the folder of records.
const resultsFolder = "results"

// flagSuites names the suites of each flag.
var flagSuites = []struct {
	flag   string
	suites []string
}{
	{"engine", []string{bench.EnginesSuite, "moves", "pieces", "scaling"}},
	{"level", []string{bench.EnginesSuite}},
	{"count", []string{bench.EnginesSuite}},
}

// selectSuites returns the suites, each once, and the user's selection from them.
func (b *benchRun) selectSuites() (suites []bench.Suite, s bench.Selection, err error) {
	for i, name := range b.Suites {
		suite, err := bench.LookupSuite(name)
		if err != nil {
			return nil, s, cli.UsageError("--suite: %w", err)
		}
		if slices.Index(b.Suites, name) == i {
			suites = append(suites, suite)
		}
	}
	for _, of := range flagSuites {
		if b.given(of.flag) && !slices.ContainsFunc(suites,
			func(s bench.Suite) bool { return slices.Contains(of.suites, s.Name) }) {
			return nil, s, cli.UsageError("--%s cannot be used with --suite %s (want %s)", of.flag,
				strings.Join(b.Suites, ","), strings.Join(of.suites, ", "))
		}
	}
	s.Size = b.size
	if b.Match != "" {
		if s.Match, err = regexp.Compile(b.Match); err != nil {
			return nil, s, cli.UsageError("--bench: %w", err)
		}
	}
	if err := ur.Available(engine.Oracle()); err != nil {
		return nil, s, cli.UsageError("%w", err) // it runs everywhere: UR_DISABLE is wrong
	}
	if b.given("engine") {
		if s.Engines, s.Skipped, err = pick.SelectEngines(b.Engines); err != nil {
			return nil, s, err
		}
		if len(s.Engines) == 0 {
			return nil, s, cli.UsageError("--engine: empty list (want names of engines or patterns)")
		}
	}
	for _, name := range b.Levels {
		scope, err := bench.ParseScope(name)
		if err != nil {
			return nil, s, cli.UsageError("--level: %w", err)
		}
		s.Scopes = append(s.Scopes, scope)
	}
	return suites, s, nil
}

func (b *benchRun) runSuites(ctx context.Context) error {
	if served, err := bench.ServeCounts(b.size); served {
		return err
	}
	suites, selection, err := b.selectSuites()
	if err := cmp.Or(err, b.checkFlags()); err != nil {
		return err
	}
	if b.Count {
		if b.counter, err = bench.FindCounter(ctx, "bench", "run", "--count"); err != nil {
			return cli.UsageError("--count: %w", err)
		}
	}
	var profile bytes.Buffer
	if b.Profile != "" {
		if err := pprof.StartCPUProfile(&profile); err != nil {
			return fmt.Errorf("--cpuprofile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	b.measured = record.NewResults(record.ReadEnvironment(), b.Seed)
	for _, suite := range suites {
		if run, err := b.measureSuite(ctx, suite, selection); err != nil {
			return b.keepInterrupted(run, explainError(err))
		}
	}
	err = errors.Join(b.writeSamples(nil), printResults(b.env.Stdout, b.measured, b.JSON))
	if b.Record {
		err = errors.Join(err, b.keepRows())
	}
	return errors.Join(err, b.writeProfile(&profile))
}

// writeProfile ends the CPU profile, writes it, and prints each engine's hottest functions.
func (b *benchRun) writeProfile(profile *bytes.Buffer) error {
	if b.Profile == "" {
		return nil
	}
	pprof.StopCPUProfile()
	if err := writeOutput("--cpuprofile", b.Profile, profile.Bytes()); err != nil {
		return err
	}
	out := b.env.Stdout
	if b.JSON {
		out = b.env.Stderr
	}
	return sample.WriteHottest(out, profile.Bytes())
}

// explainError returns the command's error: a benchmark in disagreement with its oracle is a failed
// verification.
func explainError(err error) error {
	if errors.As(err, new(*sample.CheckError)) {
		return cli.VerificationError("%w\nIts speed means nothing. See \"ur engines --verify\".", err)
	}
	return err
}

// measureSuite measures a suite, under a progress bar, and adds it to the results. The file of -o is
// written after every round, so a kill costs one.
func (b *benchRun) measureSuite(ctx context.Context, suite bench.Suite, of bench.Selection) (*sample.Run, error) {
	bar := cli.NewProgress(b.env, 1, sample.Checking)
	defer bar.Clear()
	set, err := suite.Select(of)
	if errors.Is(err, bench.ErrNoMatch) {
		return nil, cli.UsageError("--bench: %w (want a regexp of names such as %s)", err,
			"Value/board=array16/eval=scalar")
	}
	if err != nil {
		return nil, err
	}
	for i := range set.Benchmarks {
		if b.Profile != "" {
			set.Benchmarks[i].Clock = report.Wall // the profiler's timer makes the clock of CPU time tick in milliseconds
		}
	}
	options := suite.Complete(sample.Options{Count: b.Samples, BenchTime: b.BenchTime, Seed: b.Seed}, set)
	options.Progress = bar.Show
	heading := suite.Heading(b.measured.Environment, set)
	fmt.Fprintf(b.env.Stderr, "suite %s: checking %s, then measuring\n", suite.Name,
		text.Plural(len(set.Benchmarks), "benchmark"))
	if b.Output != "" {
		options.AfterRound = func(run *sample.Run) error {
			var text bytes.Buffer
			if err := run.Write(&text, heading); err != nil {
				return err
			}
			_ = b.writeSamples(text.Bytes()) // a full disk must not end the run: the last write reports it
			return nil
		}
	}
	run, err := sample.Measure(ctx, options)
	bar.Clear()
	if run == nil || run.Rounds == 0 {
		return run, err
	}
	describeRun(b.env.Stderr, run)
	if err == nil && b.counter != nil {
		err = b.countInstructions(ctx, run)
	}
	run.Add(&b.measured, suite.Name, set.Work)
	b.measured.Skipped = append(b.measured.Skipped, set.Skipped...)
	return run, errors.Join(err, run.Write(&b.finished, heading))
}

// countInstructions adds the instructions to the series of a run, under a progress bar.
func (b *benchRun) countInstructions(ctx context.Context, run *sample.Run) error {
	bar := cli.NewProgress(b.env, 1, "counting")
	defer bar.Clear()
	left, err := b.counter.Count(ctx, run, func(done, all int) { bar.Show("counting", done, all) })
	b.measured.Counter, b.measured.NotCounted = b.counter.String(), left
	return err
}

// noticeable is the share of other programs' time worth reporting.
const noticeable = 0.02

// describeRun prints how a run was measured.
func describeRun(w io.Writer, run *sample.Run) {
	where := "on any core: " + run.Pinning.Reason
	if run.Pinning.Core != nil {
		where = fmt.Sprintf("on core %d", *run.Pinning.Core)
	}
	fmt.Fprintf(w, "measured %s, by the clock %s, in an order by seed %d\n", where,
		run.Clock(), run.Options.Seed)
	if run.Others > noticeable {
		fmt.Fprintf(w, "other programs took %.0f %% of the time; it is left out\n", 100*run.Others)
	}
}

// keepRows records the rows.
func (b *benchRun) keepRows() error {
	b.measured.SetTook()
	folder, err := record.Keep(resultsFolder, b.measured)
	if err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	fmt.Fprintf(b.env.Stderr, "recorded under %s\n", folder)
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
		err = errors.Join(err, printResults(b.env.Stdout, b.measured, b.JSON))
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
	if b.Output == "" {
		return nil
	}
	return writeOutput("-o", b.Output, slices.Concat(b.finished.Bytes(), underWay))
}

// writeOutput writes the file of a flag.
func writeOutput(flag, name string, content []byte) error {
	if err := safefile.WriteBytes(name, content); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
