package filecmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/spf13/cobra"
)

const checkLong = `Prints nothing if all files are sound. Otherwise it prints every fault with its file
and line or byte. Records are replayed by the rules, and by the dice if they name them;
checksums and hashes are compared; a net must have finite numbers of its shape.

In a .urt table the checksums detect any damage. A .rgu has none: its values are
compared with the rules of the game, as --residual does for every table.
The largest difference is the residual; it must not exceed the effect of rounding.

Exit codes: 0 all files are sound; 2 bad usage, or a fault was found; 130 interrupted.`

// checker is "ur check".
type checker struct {
	env      *cli.Env
	residual bool
	faults   int
}

func newCheckCommand(env *cli.Env) *cobra.Command {
	c := &checker{env: env}
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "Check records, brains, nets, tables, books and rule sets",
		Long:  checkLong,
		Example: `  ur check games.jsonl mine.txt
  ur check finkel.urt --residual`,
		Args: cli.Between(1, math.MaxInt, "files"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	cmd.Flags().BoolVar(&c.residual, "residual", false, "compare every value of a table with that computed from the next positions")
	return cmd
}

// run checks files and prints their faults.
func (c *checker) run(ctx context.Context, names []string) error {
	for _, name := range names {
		k, err := kindOf(name)
		if err == nil {
			err = k.check(ctx, c, name)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.fault("%v", err)
		}
	}
	if c.faults > 0 {
		return cli.UsageError("%s (want none)", text.Plural(c.faults, "fault"))
	}
	return nil
}

// fault prints a fault.
func (c *checker) fault(format string, args ...any) {
	c.faults++
	fmt.Fprintln(c.env.Stdout, text.Lines(fmt.Sprintf(format, args...)))
}

// checkRecords prints the faults of all games of a file.
func checkRecords(ctx context.Context, c *checker, name string) error {
	file, err := pick.Games(c.env, name)
	if err != nil {
		return err
	}
	defer file.Close()
	for ctx.Err() == nil {
		_, err := file.Next()
		var fault *record.Fault
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			c.fault("%s:%d: %s", name, fault.Line, fault.Msg)
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

// checkTable checks the checksums of a table, and its values if they are to be compared. A .rgu was
// compared with the rules when it was opened.
func checkTable(ctx context.Context, c *checker, name string) error {
	t, err := openTable(name)
	if err != nil {
		return err
	}
	defer t.Close()
	bar := cli.NewPartBar(c.env, "reading")
	err = t.Verify(ctx, func(done, total int64) { bar.Done(float64(done) / float64(total)) })
	bar.Clear()
	if err != nil || !c.residual {
		return err
	}
	wait := cli.NewWait(c.env, "comparing all values with the rules")
	defer wait.Clear()
	residual, err := t.Certify(ctx, 0)
	if most := t.Info().Encoding.Residual(); err == nil && residual > most {
		err = cli.UsageError("%s: not a solution: the residual is %.3g (want %.3g at most)", name, residual, most)
	}
	return err
}
