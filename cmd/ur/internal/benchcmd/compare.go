package benchcmd

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/compare"
	"github.com/seed-09dcdc84/ur/bench/stat"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/experiment"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// comparisonFlags are the common flags of "ur bench compare" and "ur bench gate".
type comparisonFlags struct {
	options compare.Options
	format  string
	asJSON  bool
}

func (c *comparisonFlags) add(cmd *cobra.Command, formats []string, what string) {
	flags := cmd.Flags()
	c.options.Alpha = compare.DefaultRule().Alpha
	flags.StringVar(&c.options.Filter, "filter", "", "compare only the benchmarks of this `query`, in the language of benchstat, as in \".unit:ns/eval /eval:avx2\"")
	flags.StringVar(&c.options.Ignore, "ignore", "", "configuration `keys` in which sides may differ, as in cpu,goarch")
	flags.BoolVar(&c.options.Paired, "paired", false, "sample k of all sides was taken side by side: compare pairs")
	flags.Float64Var(&c.options.Alpha, "alpha", c.options.Alpha, "largest `p` that is significant")
	flags.Uint64Var(&c.options.Seed, "seed", 1, "seed of the confidence intervals")
	cli.AddFormatFlags(cmd, &c.format, &c.asJSON, what, formats)
}

// compare reads the sides.
func (c *comparisonFlags) compare(cmd *cobra.Command, paths []string) (*compare.Comparison, error) {
	var err error
	if c.format, err = cli.ChooseFormat(c.format, cmd.Flags().Changed("format"), c.asJSON); err != nil {
		return nil, err
	}
	if !(c.options.Alpha > 0 && c.options.Alpha < 1) {
		return nil, cli.UsageError("--alpha: %v (want a number above 0 and below 1)", c.options.Alpha)
	}
	comparison, err := compare.Compare(paths, c.options)
	if err != nil {
		return nil, cli.UsageError("%w", err)
	}
	return comparison, nil
}

// benchCompare is "ur bench compare".
type benchCompare struct {
	env *cli.Env
	comparisonFlags

	view   compare.View
	output string
	force  bool
}

const benchCompareLong = `Compare reads files in Go's benchmark format, as written by "ur bench run -o" and "go
test -bench", and compares each with the first. For each benchmark and unit it prints
the medians, the change, and whether the change is significant. A folder stands for
all files *.txt in it, and LABEL=FILE names a column.

Centers, changes and p are those of benchstat: medians, and the Mann-Whitney test.
Intervals of changes are bootstrap intervals. A change with p above --alpha is printed
as "~". Geometric means cover the rows that all sides have, and the output gives the
number of these rows. Benchmarks are compared only if their configurations (lines such
as "cpu: ...") are equal, except for keys named by --ignore.

With --col, --row and --table, keys select the sides, in the language of benchstat:
--col /eval has a column for each evaluator of one file, --col '/eval@(scalar avx2)'
these two in this order, --row /board a row for each board. Keys are /KEY of a
benchmark's name, .name, .fullname, .file, .config and keys of the configuration.
Without files, or for "-", compare reads the standard input.

A line below the tables gives the number of changes for the worse to expect by chance
if nothing changed: at p = 0.05, one in 40 tested changes.

--paired compares pair by pair: sample k of one side with sample k of the other, if
both were measured in turns. A drifting speed of the machine does not distort pairs. A
line "interleaved: NAME" with the same NAME in all files has the same effect. The
change is then the median change of the pairs, and p comes from a t-test on their
logarithms, with low weight for outliers.

The exit code is 2 if a file cannot be read or nothing can be compared, and 4 if no
benchmark has 4 samples on both sides.`

// newBenchCompareCommand returns "ur bench compare".
func newBenchCompareCommand(env *cli.Env) *cobra.Command {
	c := &benchCompare{env: env}
	cmd := &cobra.Command{
		Use:   "compare OLD NEW [MORE...] | compare --col KEYS [FILE...]",
		Short: "Compare benchmarks of files, or within one",
		Long:  benchCompareLong,
		Example: `  ur bench compare old.txt new.txt
  ur bench compare --col /eval --row /board old.txt
  go test -bench . -count 10 | ur bench compare --col /eval
  ur bench compare --changed --sort delta old.txt new.txt
  ur bench compare before=results/a after=results/b --format html -o c.html`,
		Args: func(cmd *cobra.Command, args []string) error {
			if c.options.Col != "" {
				return nil
			}
			return cli.Between(2, math.MaxInt, "two files or folders at least, or --col")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.add(cmd, compare.Formats(), "the comparison")
	flags := cmd.Flags()
	flags.StringVar(&c.options.Col, "col", "", "a column for each value of the `keys`, as in /eval (default .file: one for each file)")
	flags.StringVar(&c.options.Row, "row", "", "a row for each value of the `keys` (default .fullname without the keys of --col)")
	flags.StringVar(&c.options.Table, "table", "", "a table for each value of the `keys` (default .config)")
	flags.BoolVar(&c.view.Changed, "changed", false, "show only benchmarks that changed significantly")
	flags.StringVar(&c.view.Sort, "sort", "", "`order` of the rows: "+strings.Join(compare.Sorts(), ", ")+", the worst first (default: that of the files)")
	flags.StringVarP(&c.output, "output", "o", "", "write to `file` instead of stdout")
	cli.ForceFlag(cmd, &c.force)
	cli.CompleteFrom(cmd, "sort", compare.Sorts()...)
	return cmd
}

func (c *benchCompare) run(cmd *cobra.Command, paths []string) error {
	if c.view.Sort != "" && !slices.Contains(compare.Sorts(), c.view.Sort) {
		return cli.UsageError("--sort: unknown sort order %q (want one of %s)", c.view.Sort, strings.Join(compare.Sorts(), ", "))
	}
	if err := cli.CheckOutput("-o", c.output, c.force); err != nil {
		return err
	}
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	c.options.Stdin = cli.NewContextReader(cmd.Context(), c.env.Stdin)
	comparison, err := c.compare(cmd, paths)
	if err != nil {
		return err
	}
	decides := comparison.Decides()
	if c.output == "" {
		err = comparison.View(c.view).Write(c.env.Stdout, c.format)
	} else if decides {
		if err = wholefile.Write(c.output, func(w io.Writer) error { return comparison.View(c.view).Write(w, c.format) }); err != nil {
			err = fmt.Errorf("-o: %w", err)
		}
	}
	switch {
	case err != nil:
		return err
	case !decides:
		return cli.InconclusiveError("no benchmark has %d samples on both sides: no change can be told from noise; take %d", stat.MinCount, experiment.DefaultCount)
	}
	return nil
}
