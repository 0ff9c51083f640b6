// Package matchfiles holds the flags of commands that keep a match or a tournament in files: a
// log to resume from, and the results.
package matchfiles

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/spf13/cobra"
)

// Options are the values of the flags.
type Options struct {
	Out, HTML string
	Resume    bool
	Force     bool // replace existing files
}

// logName is the name of the log in the folder of --out.
const logName = "log.jsonl"

// Flags adds the flags to a command.
func (o *Options) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.Out, "out", "", "folder for the log, to resume from, and the results")
	f.BoolVar(&o.Resume, "resume", false, "resume from the log of --out, which must exist")
	f.StringVar(&o.HTML, "html", "", "write ratings and results as a page to this file")
	cli.ForceFlag(cmd, &o.Force)
}

// Check returns a usage error of the flags, before anything is played.
func (o *Options) Check() error {
	if o.Out == "" && o.Resume {
		return cli.UsageError("--resume: no folder is named (want --out DIR)")
	}
	if err := cli.CheckFolder("--out", o.Out); err != nil {
		return err
	}
	if o.Resume {
		if _, err := os.Stat(filepath.Join(o.Out, logName)); err != nil {
			return cli.UsageError("--resume: %w", err)
		}
	}
	return cli.CheckOutput("--html", o.HTML, o.Force || o.continues())
}

// continues reports whether the folder of --out has a log: the page is then of the same games.
func (o *Options) continues() bool {
	_, err := os.Stat(filepath.Join(o.Out, logName))
	return o.Out != "" && err == nil
}

// Open creates the folder of --out and opens the log in it. Without the flag it returns nil.
func (o *Options) Open() (*match.Log, error) {
	if o.Out == "" {
		return nil, nil
	}
	if err := os.MkdirAll(o.Out, 0o777); err != nil {
		return nil, cli.UsageError("--out: %w", err)
	}
	log, err := match.OpenLog(filepath.Join(o.Out, logName))
	if err != nil {
		return nil, cli.UsageError("--out: %w", err)
	}
	return log, nil
}

// Failure makes the error of a foreign log a usage error of --out.
func Failure(err error) error {
	if _, ok := errors.AsType[*match.LogError](err); ok {
		return cli.UsageError("--out: %w", err)
	}
	return err
}

// NoteDamage reports damaged lines of the log.
func NoteDamage(env *cli.Env, command string, lines int) {
	if lines > 0 {
		fmt.Fprintf(env.Stderr, "%s: %s of the log %s damaged; these games were played again\n",
			command, text.Plural(lines, "line"), map[bool]string{true: "was", false: "were"}[lines == 1])
	}
}

// Save writes the results into the folder of --out, as NAME.txt, NAME.html and NAME.json, and
// the page to --html.
func (o *Options) Save(name string, sheet match.Sheet, report any) error {
	if o.Out != "" {
		for ending, write := range map[string]func(io.Writer) error{
			".txt":  sheet.WriteText,
			".html": sheet.WriteHTML,
			".json": func(w io.Writer) error { return cli.WriteJSON(w, report) },
		} {
			if err := wholefile.Write(filepath.Join(o.Out, name+ending), write); err != nil {
				return fmt.Errorf("--out: %w", err)
			}
		}
	}
	if o.HTML == "" {
		return nil
	}
	if err := wholefile.Write(o.HTML, sheet.WriteHTML); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}
