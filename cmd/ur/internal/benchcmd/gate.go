package benchcmd

import (
	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/gate"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/spf13/cobra"
)

const benchGateLong = `Gate compares the benchmarks of two files in Go's format, by the rules of benchab. The
exit code is 3 if a benchmark is slower: the change is significant after correction for
all benchmarks, and exceeds --limit. It is 4 if NEW lacks a benchmark or reports a
failure, or if a tenth of the benchmarks would have missed a slowdown of 25 %. It is 0
otherwise.

Files of "benchab --save" were measured in turns, and their verdicts hold on every
machine. Other files get a weaker test: a machine that changed its speed between OLD and
NEW looks like a change of the program. To compare two commits, use benchab.

Lines such as "Unit games/s better=higher" define the better direction of a unit. The
directions of common units are built in; other units are not judged.`

// maxFile is the largest file to read, in bytes: half a million lines.
const maxFile = 64 << 20

// newBenchGateCommand returns "ur bench gate".
func newBenchGateCommand(env *cli.Env) *cobra.Command {
	var limits, ignore []string
	var missing, undecided string
	var asJSON bool
	o := ab.DefaultOptions()
	cmd := &cobra.Command{
		Use:   "gate OLD NEW",
		Short: "Fail when benchmarks have become slower",
		Long:  benchGateLong,
		Example: `  ur bench gate old.txt new.txt
  ur bench gate --limit 5% --limit 'Search=10%' old.txt new.txt`,
		Args: cli.Exactly(2, "two files, OLD and NEW"),
		RunE: func(_ *cobra.Command, files []string) error {
			for _, limit := range limits {
				if err := o.ParseLimit(limit); err != nil {
					return cli.UsageError("--limit: %w", err)
				}
			}
			if missing != "" && missing != "ignore" {
				return cli.UsageError("--missing: %q (want ignore)", missing)
			}
			if undecided != "pass" && undecided != "fail" {
				return cli.UsageError("--undecided: %q (want pass or fail)", undecided)
			}
			o.IgnoreMissing, o.Prove = missing == "ignore", undecided == "fail"
			return runGate(env, files, o, ignore, asJSON)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&limits, "limit", nil, "largest change for the worse that passes, as in 5% or 'REGEXP=10%' (default 3%)")
	flags.StringSliceVar(&ignore, "ignore", nil, "configuration `keys` in which the files may differ, as in cpu,goarch")
	flags.StringVar(&missing, "missing", "", "`ignore` benchmarks that NEW lacks (default: exit code 4)")
	flags.StringVar(&undecided, "undecided", "pass", "`verdict` of a benchmark that may be slower: pass or fail, which is exit code 4")
	flags.BoolVar(&asJSON, "json", false, "print one JSON object, of schema ur.gate/3")
	cli.CompleteFrom(cmd, "missing", "ignore")
	cli.CompleteFrom(cmd, "undecided", "pass", "fail")
	return cmd
}

// runGate judges two files, prints the report and turns the verdict into an exit code.
func runGate(env *cli.Env, files []string, o ab.Options, ignore []string, asJSON bool) error {
	var texts [2][]byte
	for i, name := range files {
		var err error
		if texts[i], err = safefile.Read(name, maxFile); err != nil {
			return cli.UsageError("%w", err)
		}
	}
	report, err := gate.Judge(files[0], texts[0], files[1], texts[1], o, ignore)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	format := "text"
	if asJSON {
		format = "json"
	}
	switch err := report.Write(env.Stdout, format); {
	case err != nil:
		return err
	case report.Verdict == verdict.Slower:
		return cli.VerificationError("%s", report.Summary())
	case report.Verdict == verdict.Undecided:
		return cli.InconclusiveError("%s", report.Summary())
	}
	return nil
}
