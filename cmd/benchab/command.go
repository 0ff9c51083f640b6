package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
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

// description begins the help.
const description = `benchab measures whether a commit made the benchmarks of a Go module slower.
Exit code 3: a benchmark is slower. 0: none is. 4: too noisy to see, or a benchmark is gone.
It costs both builds, and at most --time (60s), and ends at once if no benchmark changes.

  benchab                       compare the work tree with the main branch
  benchab HEAD~1                compare the work tree with a commit
  benchab v1.2.0 HEAD ./...     compare two commits in some packages
  benchab --old CMD --new CMD   compare programs that print Go benchmarks, or any by --whole
  benchab OLD.txt NEW.txt       judge two files in Go's benchmark format
  benchab --history FOLDER      list the changes in a folder of --store
  benchab --by KEY [COMMIT]     find the fastest of implementations, named .../KEY=VALUE

Both sides are measured in turns. A benchmark is slower if that is significant (false alarms: at
most 5 % of runs) and the estimate exceeds the limit. The report has the smallest slowdown that
it would have seen. Other exit codes: 1 failure, 2 bad input, 130 interrupted, 141 closed pipe.

The file .benchab, in this folder or above, holds flags without dashes, one a line:
  limit Parse=10%
  exclude Slow$
  higher-better hits/s`

// settingsFile is the file of flags in a repository.
const settingsFile = ".benchab"

// command holds the flags.
type command struct {
	options ab.Options
	files   [2]string // OLD.txt and NEW.txt to judge, instead of commits

	format, output, save, store, history string
	asJSON, bisect, force, version       bool
	explainTime                          bool
	undecided, missing                   string
	given                                []string // names of the flags in the command line

	by   ab.By
	keys int // flags --by
}

func newCommand() *command {
	return &command{options: ab.DefaultOptions(), format: "text"}
}

// order holds the flags as help lists them: first those that a file of settings may hold.
var order = []string{"time", "horizon", "judge", "limit", "bench", "exclude", "tests", "cpu", "tags", "args", "prepare", "higher-better",
	"ignore",
	"undecided", "missing", "explain", "explain-time",
	"old", "new", "whole", "by", "baseline", "fastest", "format", "json", "o", "save", "store", "history", "force", "bisect", "seed", "version"}

// settings are the flags that a file of settings may hold.
var settings = order[:slices.Index(order, "explain")]

// flags returns the flags.
func (c *command) flags() *flag.FlagSet {
	flags := flag.NewFlagSet("benchab", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	o := &c.options
	flags.DurationVar(&o.Time, "time", o.Time, "total `time`, with the builds")
	flags.DurationVar(&o.Horizon, "horizon", o.Horizon, "`work` of each benchmark, in one process, that a verdict covers;\nless if the time is short, at least 100ms")
	flags.Func("limit", "largest slowdown that passes: `part`, or REGEXP=PART of some benchmarks, or\nallocs/op=N; repeatable (default 3%)", o.ParseLimit)
	flags.StringVar(&o.Bench, "bench", o.Bench, "`regexp` of the benchmarks, as for go test")
	flags.StringVar(&o.Exclude, "exclude", "", "`regexp` of benchmarks to leave out, by their names in the report")
	flags.StringVar((*string)(&o.Judge), "judge", string(o.Judge),
		"`judges` of benchmarks: both, time, or count\n(of instructions: seconds, at any load)")
	flags.StringVar((*string)(&o.Tests), "tests", string(o.Tests),
		"`origin` of test files that differ: head, base or own")
	flags.StringVar(&o.CPU, "cpu", "", "values of GOMAXPROCS, a `list` as for go test")
	flags.StringVar(&o.Tags, "tags", "", "build `tags`; GOFLAGS has further flags of the build")
	flags.StringVar(&o.Args, "args", "", "`arguments` of the test programs, as of go test: '-short -args -config FILE'")
	flags.StringVar(&o.Prepare, "prepare", "", "`command` of a shell that runs in this folder of each side before it is\nbuilt, as go generate ./...")
	flags.Func("higher-better", "`unit` of ReportMetric of which more is better, or a regexp; repeatable",
		func(text string) error {
			expression, err := regexp.Compile(text)
			o.HigherBetter = append(o.HigherBetter, expression)
			return err
		})
	flags.Func("ignore", "`key` of a setting that files and commands may differ in, as pkg; repeatable", func(key string) error {
		o.Ignore = append(o.Ignore, key)
		return nil
	})
	flags.StringVar(&c.undecided, "undecided", "",
		"`fail`: every benchmark must be proven not slower, or the exit code is 3;\npass: exit code 0 instead of 4")
	flags.StringVar(&c.missing, "missing", "", "`ignore` removed benchmarks, and packages that do not build")
	flags.BoolVar(&o.Explain, "explain", false, "profile slower benchmarks and list the functions behind the difference,\nand new allocations; --save keeps the profiles")
	flags.BoolVar(&c.explainTime, "explain-time", false, "print how the time is shared among the phases of a run, and end")
	flags.StringVar(&o.Old, "old", "", "`command` of the old side, instead of commits")
	flags.StringVar(&o.New, "new", "", "`command` of the new side")
	flags.BoolVar(&o.Whole, "whole", false, "measure --old and --new as whole programs, in any language: wall-clock time,\nCPU time and peak memory of each run")
	flags.Func("by", "compare implementations: benchmarks whose names differ in the part\n/`key`=..., or in the Nth part below the function: /N", func(key string) error {
		c.by.Key, c.keys = key, c.keys+1
		return nil
	})
	flags.StringVar(&c.by.Baseline, "baseline", "", "`value` of the key that ratios refer to, instead of the fastest")
	flags.StringVar(&c.by.Fastest, "fastest", "", "`value` of the key: exit code 3 if another one is faster by the limit")
	flags.StringVar(&c.format, "format", c.format, "`format` of the report: "+strings.Join(report.Formats(), ", ")+";\nwith --by also bench, for benchstat -col KEY")
	flags.BoolVar(&c.asJSON, "json", false, "short for --format json: one JSON object")
	flags.StringVar(&c.output, "o", "", "write the report to `file`, a page if it ends in .html; with --history, also a\nchart if it ends in .svg")
	flags.StringVar(&c.save, "save", "", "write old.txt and new.txt for benchstat, and all reports, to `folder`")
	flags.StringVar(&c.store, "store", "", "add the report of two commits to `folder`, for --history")
	flags.StringVar(&c.history, "history", "", "follow benchmarks along the commits in `folder`")
	flags.BoolVar(&c.force, "force", false, "replace existing output files")
	flags.BoolVar(&c.bisect, "bisect", false, "exit codes of \"git bisect run\": 1 slower, 0 not slower, 125 undecided")
	flags.BoolVar(&c.version, "version", false, "print the version")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "`seed` of all random orders (default: random)")
	return flags
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
	return c.verdict(r)
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
	switch {
	case c.asJSON && c.format != "text" && c.format != "json":
		return usage("--json cannot be used with --format %s (want one of the two)", c.format)
	case c.asJSON:
		c.format = "json"
	case c.format == "text" && strings.HasSuffix(c.output, ".html"):
		c.format = "html"
	case !slices.Contains(report.Formats(), c.format):
		return usage("--format: unknown format %q (want one of %s)", c.format, strings.Join(report.Formats(), ", "))
	}
	switch {
	case c.by != ab.By{}:
		return usage("--baseline and --fastest need --by")
	case c.files[0] != "" && (c.save != "" || c.options.Explain || c.options.Old != ""):
		return usage("--save, --explain and --old cannot be used with two files: nothing is measured")
	case !slices.Contains([]string{"", "pass", "fail"}, c.undecided):
		return usage("--undecided: invalid value %q (want pass or fail)", c.undecided)
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
	if at := slices.IndexFunc(args, isText); at >= 0 {
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
func (c *command) verdict(r *report.Report) error {
	isOpen := r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing
	switch {
	case r.Verdict == verdict.Slower, r.Verdict == verdict.MoreWork, isOpen && c.undecided == "fail":
		return &exitError{code: slower}
	case isOpen && c.undecided != "pass":
		return &exitError{code: undecided}
	}
	return nil
}

// readSettings reads flags from the file of settings in a folder or the nearest one above it, up to
// the root of the repository. Flags of the command line come later, and count more.
func readSettings(flags *flag.FlagSet, dir string) error {
	for {
		file := filepath.Join(dir, settingsFile)
		text, err := os.ReadFile(file)
		if err == nil {
			return parseSettings(flags, string(text), file)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if _, outside := os.Stat(filepath.Join(dir, ".git")); outside == nil || filepath.Dir(dir) == dir {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// parseSettings reads lines of a flag and its value; empty ones and those that begin with # do not
// count.
func parseSettings(flags *flag.FlagSet, text, file string) error {
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		if !slices.Contains(settings, name) {
			return usage("%s:%d: unknown setting %q (want one of %s)", file, number, name, strings.Join(settings, ", "))
		}
		if err := flags.Set(name, strings.TrimSpace(value)); err != nil {
			return usage("%s:%d: %s: %w", file, number, name, err)
		}
	}
	return nil
}
