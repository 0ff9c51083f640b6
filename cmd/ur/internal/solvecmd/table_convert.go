package solvecmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// Values of --to.
const (
	toCompact = "compact"
	toFloat64 = "f64"
	toRGU     = "rgu"
)

// rguValues are the values of --values.
var rguValues = []solve.Encoding{solve.RGUPercent16, solve.RGUFloat32, solve.RGUFloat64}

// tableConvert is "ur table convert".
type tableConvert struct {
	env    *cli.Env
	to     string
	values string
	force  bool
}

const tableConvertLong = `Convert writes a table in another format:
  compact   .urt in steps of 1/65535
  f64       .urt in 64-bit floating point
  rgu       RoyalUr's .rgu; --values selects percent16, f32 or f64

Without --to the extension of OUT decides: .urt is compact, .rgu is rgu with
percent16. The metadata of the file, such as its author, is kept.

Compact and percent16 have the same steps, so conversion between them loses nothing.
Converting a compact table to f64 does not make it exact.

Convert writes to a temporary file next to OUT, syncs it to disk, and renames it when
it is complete. An existing file is replaced only with --force.

Exit codes: 0 done; 1 failure, such as a full disk; 2 bad usage, an unsound table
file, or OUT exists; 130 interrupted. With every code but 0, no file is left.`

// newTableConvertCommand returns "ur table convert".
func newTableConvertCommand(env *cli.Env) *cobra.Command {
	c := &tableConvert{env: env}
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write a table file in another form",
		Long:  tableConvertLong,
		Example: `  ur table convert finkel.rgu finkel.urt
  ur table convert finkel.urt finkel_f64.rgu --values f64
  ur table convert exact.urt small.urt --to compact`,
		Args:              cli.Exactly(2, "two files, IN and OUT"),
		ValidArgsFunction: completeTables(2),
		RunE:              func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&c.to, "to", "", "`form` to write: compact, f64 or rgu (default by the extension of OUT)")
	flags.StringVar(&c.values, "values", "", "`values` of a .rgu: percent16, f32 or f64 (default percent16)")
	cli.ForceFlag(cmd, &c.force)
	cli.CompleteFrom(cmd, "to", toCompact, toFloat64, toRGU)
	cli.CompleteFrom(cmd, "values", "percent16", "f32", "f64")
	return cmd
}

// encoding returns the encoding selected by the flags or the name of the file.
func (c *tableConvert) encoding(out string) (solve.Encoding, error) {
	to := c.to
	if to == "" {
		to = map[string]string{".urt": toCompact, ".rgu": toRGU}[strings.ToLower(filepath.Ext(out))]
	}
	if c.values != "" && to != toRGU {
		return 0, cli.UsageError("--values: OUT is not a .rgu file (want --to rgu, or OUT ending in .rgu)")
	}
	switch to {
	case toCompact:
		return solve.Compact, nil
	case toFloat64:
		return solve.Float64, nil
	case toRGU:
		for _, e := range rguValues {
			if c.values == "" || c.values == e.Values() {
				return e, nil
			}
		}
		return 0, cli.UsageError("--values is %q (want percent16, f32 or f64)", c.values)
	case "":
		return 0, cli.UsageError("unknown extension of %s (want .urt or .rgu, or --to)", out)
	}
	return 0, cli.UsageError("--to is %q (want compact, f64 or rgu)", to)
}

// run converts a file.
func (c *tableConvert) run(ctx context.Context, in, out string) error {
	encoding, err := c.encoding(out)
	if err != nil {
		return err
	}
	if err := cli.CheckOutput("OUT", out, c.force); err != nil {
		return err
	}
	t, err := openTable(in)
	if err != nil {
		return err
	}
	defer t.Close()
	bar := cli.NewPartBar(c.env, "writing")
	defer bar.Clear()
	err = solve.WriteTable(ctx, out, t, solve.WriteOptions{
		Encoding: encoding,
		Meta:     t.Info().Meta,
		Progress: func(done, total int64) { bar.Done(float64(done) / float64(total)) },
	})
	switch {
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return fmt.Errorf("%s was not written: %w", out, err)
	}
	bar.Clear()
	_, err = fmt.Fprintf(c.env.Stdout, "%s: %s, %s, from %s\n", out, text.Plural(t.Pieces(), "piece"), encoding, t.Info().Encoding)
	return err
}
