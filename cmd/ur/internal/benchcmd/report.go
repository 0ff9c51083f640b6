package benchcmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/bench/record"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/spf13/cobra"
)

// benchReport is "ur bench report".
type benchReport struct {
	env *cli.Env

	results string
	readme  string
	docs    string
	html    string
	svg     string
	check   bool
}

const benchReportLong = `Report prints the ladders of the records in markdown. With --readme or --docs it puts
them into documents instead: every block

  <!-- ladder:begin -->
  <!-- ladder:end -->

gets the ladders, "rungs" a ladder in five lines, "figures:array16/avx2" the figures
of that engine, each beside its ratio to the baseline and to the engine before it on
the ladder, and "scaling" the scaling over cores. A record that has no figures of an
engine adds nothing to its block, or why it was skipped.

With --html the records become one page with plots that needs nothing but a browser.
With --svg the plots become files, FOLDER/MACHINE/NAME.svg, where NAME is ladder,
pieces, scaling or history, and every block

  <!-- plots:ladder,scaling:begin -->
  <!-- plots:ladder,scaling:end -->

in the files of --readme and --docs gets the plots of these names as images. Plots
follow whether the reader likes it light or dark. The same records give the same
bytes.

With --check nothing is changed, and the exit code is 3 when a file is not up to
date, or when there is a plot in the folder of --svg that no record makes.`

// newBenchReportCommand returns "ur bench report".
func newBenchReportCommand(env *cli.Env) *cobra.Command {
	r := &benchReport{env: env}
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Print the ladders on record, or make pages and plots of them",
		Long:  benchReportLong,
		Example: `  ur bench report
  ur bench report --readme README.md
  ur bench report --html report.html
  ur bench report --docs docs/ladder.md --svg docs/plots --check`,
		Args:              cli.Exactly(0, "no arguments"),
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(*cobra.Command, []string) error { return r.run() },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.results, "results", "results", "`folder` of the records")
	flags.StringVar(&r.readme, "readme", "", "`file` to put the ladders into")
	flags.StringVar(&r.docs, "docs", "", "`file` to put the figures of engines into")
	flags.StringVar(&r.html, "html", "", "`file` to write a page with all records to")
	flags.StringVar(&r.svg, "svg", "", "`folder` to write the plots to")
	flags.BoolVar(&r.check, "check", false, "only check that the files of --readme, --docs, --html and --svg are up to date")
	return cmd
}

func (r *benchReport) run() error {
	asked := r.readme+r.docs+r.html+r.svg != ""
	if r.check && !asked {
		return cli.UsageError("--check wants --readme FILE, --docs FILE, --html FILE or --svg FOLDER: what to check")
	}
	records, err := record.Read(r.results)
	if errors.Is(err, fs.ErrNotExist) {
		return cli.UsageError("--results: %w\nMake a record with \"ur bench run --record\".", err)
	}
	if err != nil {
		return cli.UsageError("--results: %w", err)
	}
	if !asked {
		return record.WriteReport(r.env.Stdout, records)
	}
	return errors.Join(
		r.replace("--readme", r.readme, records, record.ReplaceFigures),
		r.replace("--docs", r.docs, records, record.ReplaceFigures),
		r.page(records),
		r.plots(records),
	)
}

// replace puts what the records say into the file of a flag, or checks that it is
// there.
func (r *benchReport) replace(flag, file string, records []record.Record, replaced func([]byte, []record.Record) ([]byte, error)) error {
	if file == "" {
		return nil
	}
	old, err := os.ReadFile(file)
	if err != nil {
		return cli.UsageError("%s: %w", flag, err)
	}
	text := old
	if r.svg != "" {
		text, err = record.ReplacePlots(text, records, r.link(file))
	}
	if err == nil {
		text, err = replaced(text, records)
	}
	if err != nil {
		return cli.UsageError("%s: %w", file, err)
	}
	return r.update(flag, file, old, text)
}

// link returns where a document finds a plot: by a path relative to it.
func (r *benchReport) link(document string) func(string) string {
	return func(plot string) string {
		file := filepath.Join(r.svg, filepath.FromSlash(plot))
		from, err := filepath.Abs(filepath.Dir(document))
		if err != nil {
			return filepath.ToSlash(file)
		}
		to, err := filepath.Abs(file)
		if err != nil {
			return filepath.ToSlash(file)
		}
		if relative, err := filepath.Rel(from, to); err == nil {
			file = relative // across two volumes there is none
		}
		return filepath.ToSlash(file)
	}
}

// page writes or checks the page of --html.
func (r *benchReport) page(records []record.Record) error {
	if r.html == "" {
		return nil
	}
	var text bytes.Buffer
	if err := record.WritePage(&text, records); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return r.renew("--html", r.html, text.Bytes())
}

// plots writes or checks the files of --svg. Plots of machines that are no more on
// record are not removed, but said to be there.
func (r *benchReport) plots(records []record.Record) error {
	if r.svg == "" {
		return nil
	}
	written := make(map[string]bool)
	var errs []error
	for _, made := range records {
		for _, plot := range made.Plots() {
			var text bytes.Buffer
			if err := plot.WriteSVG(&text); err != nil {
				return fmt.Errorf("--svg: %w", err)
			}
			file := filepath.Join(r.svg, filepath.FromSlash(plot.File(made)))
			written[file] = true
			errs = append(errs, r.renew("--svg", file, text.Bytes()))
		}
	}
	there, err := fs.Glob(os.DirFS(r.svg), "*/*.svg")
	if err != nil {
		return fmt.Errorf("--svg: %w", err)
	}
	for _, name := range there {
		if file := filepath.Join(r.svg, filepath.FromSlash(name)); !written[file] {
			errs = append(errs, cli.VerificationError("--svg: no record makes %s: remove it", file))
		}
	}
	return errors.Join(errs...)
}

// renew writes or checks a file that is made from the records alone, and may not be
// there yet.
func (r *benchReport) renew(flag, file string, text []byte) error {
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cli.UsageError("%s: %w", flag, err)
	}
	if err != nil && !r.check {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return cli.UsageError("%s: %w", flag, err)
		}
	}
	return r.update(flag, file, old, text)
}

// update writes text to a file that holds old, or checks that it holds text.
func (r *benchReport) update(flag, file string, old, text []byte) error {
	if bytes.Equal(text, old) {
		return nil
	}
	if r.check {
		name := map[string]string{"--svg": r.svg}[flag]
		return cli.VerificationError("%s: the figures are not those of the records: run \"ur bench report %s %s\"", file, flag, cmp.Or(name, file))
	}
	err := wholefile.Write(file, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
