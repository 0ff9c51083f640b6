package filecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/seed-09dcdc84/ur/valuenet"
	"github.com/spf13/cobra"
)

const convertLong = `The content of IN determines its form, or --from, and the extension of OUT the new
one, or --to:

  records   .jsonl, .json (jsonl), .txt (text), .rgn (rgn), .royalur (royalur)
  nets      .safetensors (safetensors, or safetensors16 with 16 bits a number:
            each layer is rounded to multiples of a power of two)
  tables    .urt (compact, in steps of 1/65535, or f64, 64-bit floating point),
            .rgu of RoyalUr (percent16, f32 or, as --to rgu64, f64);
            for --from urt and rgu

Metadata is kept. Compact tables and percent16 have the same steps, so conversion
between them loses nothing. A .rgu has no checksums: its values are compared with the
rules of the game before anything is written, and a rounded table has no finer .rgu.

OUT is complete or not written at all. An existing file needs --force.

Exit codes: 0 done; 1 failure, such as a full disk; 2 bad usage, an unsound file, or
OUT exists; 130 interrupted.`

type converter struct {
	env *cli.Env

	pick.GameNumber
	From string `flag:"from" help:"<form> of IN (default by its content)"`
	To   string `flag:"to" help:"<form> to write (default by the extension of OUT)"`
	cli.Overwrite
}

func newConvertCommand(env *cli.Env) *cobra.Command {
	c := &converter{env: env}
	cmd := cli.WithFlags(&cobra.Command{
		Use:   "convert IN OUT",
		Short: "Convert records, nets and tables",
		Long:  convertLong,
		Example: `  ur convert games.jsonl third.royalur --game 3
  ur convert finkel.rgu finkel.urt
  ur convert mine.safetensors small.safetensors --to safetensors16`,
		Args: cli.Exactly(2, "two files, IN and OUT"),
		RunE: func(cmd *cobra.Command, args []string) error { return c.convertFile(cmd.Context(), args[0], args[1]) },
	}, c)
	cli.CompleteFrom(cmd, "from", formsRead...)
	cli.CompleteFrom(cmd, "to", slices.Concat(record.FormatNames(), netForms, tableForms)...)
	return cmd
}

func (c *converter) convertFile(ctx context.Context, in, out string) error {
	k, err := kindOf(in)
	if err == nil && c.From != "" {
		k, err = kindOfForm(c.From)
	}
	switch {
	case err != nil:
		return err
	case k != recordKind && c.Game > 0:
		return cli.UsageError("--game is for records, and %s is none", in)
	case k.convert == nil:
		return cli.UsageError("%s: only records, nets and tables have other forms", in)
	}
	return k.convert(ctx, c, in, out)
}

// formsRead are the forms of --from.
var formsRead = append(record.FormatNames(), "safetensors", "urt", "rgu")

// kindOfForm returns the kind of files in a form of --from.
func kindOfForm(form string) (*kind, error) {
	switch {
	case slices.Contains(record.FormatNames(), form):
		return recordKind, nil
	case form == "safetensors":
		return netKind, nil
	case form == "urt" || form == "rgu":
		return tableKind, nil
	}
	return nil, cli.UsageError("--from is %q (want one of %s)", form, strings.Join(formsRead, ", "))
}

// formOf returns the form of --to, or of a file's extension.
func (c *converter) formOf(out string, forms []string, byExtension map[string]string) (string, error) {
	form := c.To
	if form == "" {
		form = byExtension[cli.Extension(out)]
	}
	switch {
	case slices.Contains(forms, form): // all of nets and tables are binary
		return form, cmp.Or(cli.CheckOutput("OUT", out, c.Force), cli.CheckBinary("OUT", out))
	case c.To != "":
		return "", cli.UsageError("--to is %q (want one of %s)", c.To, strings.Join(forms, ", "))
	}
	return "", cli.UsageError("unknown extension of %s (want %s, or --to)", out,
		strings.Join(slices.Sorted(maps.Keys(byExtension)), " or "))
}

func convertRecords(_ context.Context, c *converter, in, out string) error {
	file, err := pick.GamesIf(c.env, in, c.From, recordsOnly(in))
	if err != nil {
		return err
	}
	form, err := record.LookupFormat(c.To)
	if c.To == "" {
		form, err = record.FormatOf(out)
	}
	if err != nil {
		return cli.UsageError("%w", err)
	}
	if err := cli.CheckOutput("OUT", out, c.Force); err != nil {
		return err
	}
	return safefile.Write(out, func(w io.Writer) error {
		to := record.NewWriter(w, form)
		err := file.Each(c.Game, func(n int, g *record.Game) error {
			if n > 1 && c.Game == 0 && form.One {
				return cli.UsageError("%s can hold only one game, but %s has more: select one with --game", out, in)
			}
			err := to.Write(g)
			var disk *fs.PathError
			if err != nil && !errors.As(err, &disk) {
				return cli.UsageError("%w", err) // the format cannot hold the game
			}
			return err
		})
		if err != nil {
			return err
		}
		return to.Close()
	})
}

var netForms = []string{"safetensors", "safetensors16"} // forms of nets

func convertNet(_ context.Context, c *converter, in, out string) error {
	form, err := c.formOf(out, netForms, map[string]string{".safetensors": "safetensors"})
	if err != nil {
		return err
	}
	n, err := valuenet.Open(in)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	if form == "safetensors16" {
		return safefile.Write(out, n.WriteCompact)
	}
	return safefile.Write(out, n.Write)
}

// tableForms are the forms of tables, in the order of their encodings.
var tableForms = []string{"compact", "f64", "percent16", "f32", "rgu64"}

var tableEncodings = []solve.Encoding{solve.Compact, solve.Float64, solve.RGUPercent16, solve.RGUFloat32,
	solve.RGUFloat64}

func convertTable(ctx context.Context, c *converter, in, out string) error {
	form, err := c.formOf(out, tableForms, map[string]string{".urt": "compact", ".rgu": "percent16"})
	if err != nil {
		return err
	}
	encoding := tableEncodings[slices.Index(tableForms, form)]
	t, err := openTable(in)
	if err != nil {
		return cli.UsageError("%w", err)
	}
	defer t.Close()
	from := t.Info().Encoding
	switch {
	case c.From != "" && c.From != from.Format():
		return cli.UsageError("--from is %s, and %s is a table of form %s", c.From, in, from.Format())
	case encoding.Format() == "rgu" && !t.Rules().IsFinkel():
		return cli.UsageError("OUT: a .rgu holds Finkel's rules, and %s those of %s (want a .urt)", in, t.Rules().Name())
	case encoding.Format() == "rgu" && !encoding.Solves(from): // nothing would read it
		return cli.UsageError("%s is rounded, %s, and its values are no solution in %s "+
			"(want --to %s, or a table of \"ur solve --values f64\")", in, from, encoding, strings.Join(formsOf(from), " or "))
	}
	bar := cli.NewPartBar(c.env, "writing")
	defer bar.Clear()
	err = t.Write(ctx, out, solve.WriteOptions{
		Encoding: encoding,
		Meta:     t.Info().Meta,
		Progress: func(done, total int64) { bar.Done(float64(done) / float64(total)) },
	})
	if err != nil {
		return fmt.Errorf("%s was not written: %w", out, err)
	}
	bar.Clear()
	_, err = fmt.Fprintf(c.env.Stdout, "%s: %s, %s, from %s\n", out, text.Plural(t.Pieces(), "piece"),
		encoding, from)
	return err
}

// formsOf lists the forms of tables in which the values of an encoding are a solution.
func formsOf(from solve.Encoding) (forms []string) {
	for i, form := range tableForms {
		if tableEncodings[i].Solves(from) {
			forms = append(forms, form)
		}
	}
	return forms
}
