package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/process"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
)

// command holds the flags.
type command struct {
	options ab.Options
	files   [2]string // OLD.txt and NEW.txt to judge, instead of commits

	format, output, save, store, history string
	asJSON, bisect, force, version       bool
	explainTime                          bool
	undecided, missing                   string
	given                                []string          // names of the flags in the command line
	places                               map[string]string // of settings, in their file

	by   ab.By
	keys int // flags --by
}

func newCommand() *command {
	return &command{options: ab.DefaultOptions(), format: "text"}
}

// run compares the sides given by the arguments. Its error is an [*exitError] unless the run
// itself failed.
func (c *command) run(ctx context.Context, args []string, stdout io.Writer, progress func(ab.Progress)) error {
	if c.version {
		_, err := fmt.Fprintln(stdout, "benchab", process.Version())
		return err
	}
	err := c.check(args)
	switch {
	case err != nil && c.bisect:
		return &exitError{endBisect, err}
	case c.bisect && movesAlong().MatchString(c.options.Base):
		return &exitError{endBisect, fmt.Errorf("--bisect: the base %q moves along with HEAD (want a fixed commit, such as the last good one)", c.options.Base)}
	case err != nil:
		return err
	case c.explainTime:
		return c.options.ExplainTime(stdout)
	case c.history != "":
		return c.follow(stdout)
	case c.bisect && c.options.Base == "" && c.options.Old == "" && c.files[0] == "":
		return &exitError{endBisect, errors.New("--bisect: no base, and the usual one moves along with HEAD " +
			"(want a fixed commit, such as the last good one)")}
	}
	c.options.Progress = progress
	if err = c.compare(ctx, stdout); !c.bisect {
		return err
	}
	wrong, ok := errors.AsType[*ab.InputError](err)
	code := exitCode(err)
	switch {
	case code == done || code == interrupted:
		return err
	case ok && wrong.Field == "Base": // it is the same for all commits
		code = endBisect
	case code == slower:
		code = failure
	default:
		code = skipCommit
	}
	if exit, ok := errors.AsType[*exitError](err); ok {
		err = exit.err // nil where the report has the verdict
	}
	return &exitError{code, err}
}

// movesAlong matches names of commits that are relative to HEAD.
var movesAlong = text.Regexp(`^(HEAD|@)($|[~^@{:])`)

// compare runs the comparison with checked options, and turns the verdict into an exit code.
func (c *command) compare(ctx context.Context, stdout io.Writer) error {
	if c.keys > 0 {
		return c.rank(ctx, stdout)
	}
	var r *report.Report
	var err error
	if c.files[0] != "" {
		r, err = ab.JudgeFiles(ctx, c.files, c.options)
	} else {
		r, err = ab.Run(ctx, c.options)
	}
	switch {
	case r == nil && ctx.Err() != nil:
		return &exitError{interrupted, errors.New("interrupted")}
	case errors.Is(err, ab.ErrTime) && (r == nil || c.format == "text"):
		return &exitError{undecided, err}
	case r == nil:
		return inputError(err)
	}
	if writing := c.write(r, stdout); writing != nil {
		return writing
	}
	switch {
	case ctx.Err() != nil:
		return &exitError{interrupted, errors.New("interrupted: the report is incomplete")}
	case errors.Is(err, ab.ErrTime):
		return &exitError{undecided, err}
	case err != nil:
		return err
	}
	return c.verdict(r.Verdict)
}

// follow prints the history in a folder.
func (c *command) follow(stdout io.Writer) error {
	h, err := report.ReadHistory(c.history)
	if err != nil {
		return usage("--history: %w", err)
	}
	if strings.HasSuffix(c.output, ".svg") {
		c.format = "svg"
	}
	return c.to(stdout, h.Write)
}

// to writes to the file of -o, or to stdout.
func (c *command) to(stdout io.Writer, write func(w io.Writer, format string) error) error {
	if c.output == "" {
		return write(stdout, c.format)
	}
	if err := safefile.Write(c.output, func(w io.Writer) error { return write(w, c.format) }); err != nil {
		return fmt.Errorf("-o: %w", err)
	}
	return nil
}

// check completes the options.
func (c *command) check(args []string) error {
	if c.keys > 0 {
		return c.checkRanking(args)
	}
	if err := c.takeArguments(args); err != nil {
		return err
	}
	if err := c.checkFormat(report.Formats()); err != nil {
		return err
	}
	switch {
	case c.by != ab.By{}:
		return usage("--baseline and --fastest need --by")
	case c.files[0] != "" && (c.save != "" || c.options.Explain || c.options.Old != ""):
		return usage("--save, --explain and --old cannot be used with two files: nothing is measured")
	case !slices.Contains([]string{"", "ignore"}, c.missing):
		return usage("--missing: invalid value %q (want ignore)", c.missing)
	case c.store != "" && c.options.Head == "":
		return usage("--store: only two commits can be stored (want BASE and HEAD, as in HEAD~1 HEAD)")
	}
	c.options.IgnoreMissing, c.options.Prove = c.missing == "ignore", c.undecided == "fail"
	if c.options.Explain {
		c.options.Profiles = c.save
	}
	if err := c.options.Check(); err != nil {
		return inputError(err)
	}
	return c.checkOutputs(report.SavedFiles())
}

// checkFormat completes the format of the output, one of some, and checks --undecided.
func (c *command) checkFormat(formats []string) error {
	switch {
	case c.asJSON && c.format != "text" && c.format != "json":
		return usage("--json cannot be used with --format %s (want one of the two)", c.format)
	case c.asJSON:
		c.format = "json"
	case c.format == "text" && strings.HasSuffix(c.output, ".html"):
		c.format = "html"
	}
	mode := ""
	if c.keys > 0 {
		mode = " with --by"
	}
	switch {
	case !slices.Contains(formats, c.format):
		return usage("--format: unknown format %q%s (want one of %s)", c.format, mode, strings.Join(formats, ", "))
	case !slices.Contains([]string{"", "pass", "fail"}, c.undecided):
		return usage("--undecided: invalid value %q (want pass or fail)", c.undecided)
	}
	return nil
}

// checkOutputs checks that the outputs can be written, before minutes of measuring, and that files are
// replaced by --force only: saved are those of --save. It makes the folders.
func (c *command) checkOutputs(saved []string) error {
	if c.output != "" {
		info, err := os.Stat(c.output)
		switch {
		case err == nil && info.IsDir():
			return usage("-o: %s is a folder (want a file)", c.output)
		case err == nil && info.Mode().IsRegular() && !c.force:
			return usage("-o: %s exists (want another file, or --force)", c.output)
		}
		if err := safefile.Check(c.output); err != nil {
			return usage("-o: %w", err)
		}
	}
	for _, to := range []struct{ name, folder string }{{"save", c.save}, {"store", c.store}} {
		name, folder := to.name, to.folder
		if folder == "" {
			continue
		}
		if info, err := os.Stat(folder); err == nil && !info.IsDir() {
			return usage("--%s: %s is a file (want a folder)", name, folder)
		}
		for _, file := range saved {
			file = filepath.Join(folder, file)
			if _, err := os.Stat(file); err == nil && name == "save" && !c.force {
				return usage("--save: %s exists (want another folder, or --force)", file)
			}
		}
		err := os.MkdirAll(folder, 0o777)
		if err == nil {
			err = safefile.Check(filepath.Join(folder, "report.txt"))
		}
		if err != nil {
			return usage("--%s: %w (want a folder)", name, err)
		}
	}
	return nil
}

// takeArguments separates commits from packages, and takes two files instead. An argument that begins with a dot or a slash
// or holds "..." is a package, and so are all arguments after it or after two commits.
func (c *command) takeArguments(args []string) error {
	o := &c.options
	o.Base, o.Head, o.Packages = "", "", nil
	for _, arg := range args {
		switch {
		case arg == "":
			return usage("empty argument (want commits and packages, as in v1.2.0 HEAD ./...)")
		case len(o.Packages) > 0 || isPackage(arg) || o.Head != "":
			o.Packages = append(o.Packages, arg)
		case o.Base == "":
			o.Base = arg
		default:
			o.Head = arg
		}
	}
	switch {
	case len(args) > 0 && c.history != "":
		return usage("--history cannot be used with commits or packages")
	case len(args) == 2 && isFile(args[0]) && isFile(args[1]):
		c.files, o.Base, o.Head, o.Packages = [2]string(args), "", "", nil
		return nil
	}
	for _, arg := range args {
		if arg == "-" {
			return usage("-: the standard input is not read (want two files, OLD.txt and NEW.txt)")
		}
		if filepath.Ext(arg) == ".txt" && !isFile(arg) {
			return usage("%s: no such file (want two files, OLD.txt and NEW.txt)", arg)
		}
	}
	isText := func(arg string) bool {
		return isFile(arg) && (len(args) <= 2 && filepath.Ext(arg) != "" || filepath.Ext(arg) == ".txt")
	}
	if at := slices.IndexFunc(args, isText); at >= 0 && len(args) == 2 {
		return usage("%s: no file beside %s (want two, OLD.txt and NEW.txt)", args[1-at], args[at])
	} else if at >= 0 {
		return usage("%s: %s with files (want two, OLD.txt and NEW.txt)", args[at], text.Plural(len(args), "argument"))
	}
	return nil
}

// isFile reports whether an argument is a file, and neither a folder nor missing.
func isFile(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir()
}

// isPackage reports whether an argument can only be a pattern of packages.
func isPackage(arg string) bool {
	return arg == "." || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || strings.HasPrefix(arg, "/") ||
		strings.Contains(arg, "...") && !strings.Contains(arg, "~")
}

// write writes the requested outputs. An error of one does not keep it from writing the others.
func (c *command) write(r *report.Report, stdout io.Writer) error {
	err := c.to(stdout, r.Write)
	for _, to := range []struct {
		flag, folder string
		write        func(dir string) error
	}{{"save", c.save, r.Save}, {"store", c.store, r.Store}} {
		if to.folder == "" {
			continue
		}
		writing := to.write(to.folder)
		switch {
		case writing == nil:
			continue
		case errors.Is(err, syscall.EPIPE): // needs no message
			err = nil
		}
		err = errors.Join(err, fmt.Errorf("--%s: %w", to.flag, writing))
	}
	return err
}

// verdict turns the verdict into an exit code.
func (c *command) verdict(v verdict.Verdict) error {
	isOpen := v == verdict.Undecided || v == verdict.Nothing
	switch {
	case v == verdict.Slower, v == verdict.MoreWork, isOpen && c.undecided == "fail":
		return &exitError{code: slower}
	case isOpen && c.undecided != "pass":
		return &exitError{code: undecided}
	}
	return nil
}
