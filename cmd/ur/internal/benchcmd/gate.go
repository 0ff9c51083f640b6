package benchcmd

import (
	"fmt"
	"math"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// benchGate is "ur bench gate".
type benchGate struct {
	env *cli.Env
	comparisonFlags

	rule    compare.GateRule
	missing string
}

const benchGateLong = `Gate compares NEW with OLD, as "ur bench compare" does, and fails if a benchmark
became worse. The exit code is 3 if a change for the worse is significant and larger
than --max-regress, 4 if the samples are too few or too noisy, and 0 otherwise. Lines
such as "Unit games/s better=higher" define the better direction of a unit. The
directions of common units are built in; other units are not judged. Two units of one
measurement, such as us/game and games/s, are judged once.

Verdict, interval and p come from one test. A benchmark is a regression if the whole
interval of its change lies above 0, and most of it above --max-regress. It passes if
the interval ends below --max-regress. Otherwise it is undecided.

False alarms: p is corrected for the number of benchmarks that can vary (Holm 1979),
so at most 5 % of the files (--alpha) give any false alarm. For sides measured in
turns (--paired, or files with a line "interleaved", as written by "ur bench ab") this
holds for every machine. For sides measured one after the other, a change must pass
the Mann-Whitney test and a second test that is robust against a steady drift. If the
machine changes its speed between OLD and NEW, two files cannot show the cause of a
difference: measure both sides in turns, as "ur bench ab" does.

A benchmark missing in NEW is undecided, unless --missing is ignore, and so is a NEW
with a line "FAIL". Log lines between benchmarks are skipped with a note.

For undecided benchmarks gate prints the smallest change that the samples would detect
with a probability of 90 %, and the number of samples needed.`

// newBenchGateCommand returns "ur bench gate".
func newBenchGateCommand(env *cli.Env) *cobra.Command {
	return (&benchGate{env: env}).command()
}

func (g *benchGate) command() *cobra.Command {
	g.rule = compare.DefaultRule()
	cmd := &cobra.Command{
		Use:   "gate OLD NEW",
		Short: "Fail when benchmarks have become slower",
		Long:  benchGateLong,
		Example: `  ur bench gate old.txt new.txt
  ur bench gate --max-regress 5% old.txt new.txt
  ur bench gate --paired --filter .unit:ns/op old.txt new.txt`,
		Args: cli.Exactly(2, "two files or folders, OLD and NEW"),
		RunE: func(cmd *cobra.Command, args []string) error { return g.run(cmd, args) },
	}
	g.add(cmd, compare.ReportFormats(), "the report")
	flags := cmd.Flags()
	flags.Var(cli.PercentFlag{Part: &g.rule.MaxRegress}, "max-regress", "largest change for the worse that passes")
	flags.StringVar(&g.missing, "missing", "", "`ignore` benchmarks that NEW lacks (default: exit code 4)")
	cli.CompleteFrom(cmd, "missing", "ignore")
	return cmd
}

func (g *benchGate) run(cmd *cobra.Command, paths []string) error {
	g.rule.Alpha = g.options.Alpha
	if g.missing != "" && g.missing != "ignore" {
		return cli.UsageError("--missing: %q (want ignore)", g.missing)
	}
	g.rule.IgnoreMissing = g.missing == "ignore"
	comparison, err := g.compare(cmd, paths)
	if err != nil {
		return err
	}
	if err := g.rule.Check(); err != nil {
		return cli.UsageError("%w", err)
	}
	report, err := compare.Gate(comparison, g.rule)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	if err := report.Write(g.env.Stdout, g.format); err != nil {
		return err
	}
	return gateError(report)
}

// gateError turns the verdict into an exit code.
func gateError(report *compare.Report) error {
	switch report.Verdict {
	case verdict.Regression:
		return cli.VerificationError("regression: %s", namesOf(report.With(verdict.Regression)))
	case verdict.Undecided:
		if undecided := report.With(verdict.Undecided); len(undecided) > 0 {
			return cli.InconclusiveError("undecided: %s", namesOf(undecided))
		}
		return cli.InconclusiveError("undecided: %s reports failures", report.New)
	}
	return nil
}

// namesOf lists the first few rows.
func namesOf(rows []compare.Judged) string {
	const most = 3
	var names []string
	for _, row := range rows[:min(most, len(rows))] {
		name := row.Benchmark
		if !math.IsNaN(row.Delta) {
			name += fmt.Sprintf(" %+.2f%% %s", 100*row.Delta, row.Unit)
		}
		names = append(names, name)
	}
	if len(rows) > most {
		names = append(names, fmt.Sprintf("and %d more", len(rows)-most))
	}
	return strings.Join(names, ", ")
}
