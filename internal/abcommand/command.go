// Package abcommand implements the command line of package ab: the flags shared by "ur bench
// ab" and benchab, and the run itself. It uses only the standard library's flag package, whose
// flags other libraries can import.
package abcommand

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
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/verdict"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
)

// Exit codes, as all commands of this module have them.
const (
	done        = 0
	failure     = 1
	badUsage    = 2
	slower      = 3
	undecided   = 4
	skipCommit  = 125 // of "git bisect run"
	endBisect   = 128 // the same
	interrupted = 130
)

// Long describes the command; NAME stands for the command's name.
const Long = `NAME answers "did my commit make it slower?" for the benchmarks of any
Go module under git. It builds both sides, skips code that cannot differ, and
measures the rest in turns until every benchmark is decided.

  NAME                       compare the work tree with the main branch
  NAME HEAD~1                compare the work tree with a commit
  NAME v1.2.0 HEAD ./...     compare two commits in some packages
  NAME --old CMD --new CMD   compare programs that print Go benchmarks

A benchmark is "slower" if it is significantly slower and its estimate exceeds the
limit, "not-slower" if the upper end of its interval lies below the limit, "faster" if
it is significantly faster, and otherwise "undecided". The probability of any false
alarm among all benchmarks is at most 5 %.

Exit codes: 0 nothing is slower, 1 a failure, 2 bad input, 3 a benchmark is slower,
4 a benchmark is undecided or missing, 130 interrupted.`

// Command holds the flags.
type Command struct {
	Options ab.Options

	format, output, save, store string
	asJSON, bisect, force       bool
	undecided, missing          string
	core                        string
}

// New returns a command with its flags at their defaults.
func New() *Command {
	return &Command{Options: ab.DefaultOptions(), format: "text", core: "any"}
}

// list is a repeatable flag.
type list struct{ to *[]string }

func (l list) String() string { return "" }

func (l list) Set(text string) error {
	*l.to = append(*l.to, text)
	return nil
}

// units is a repeatable flag of regular expressions.
type units struct{ to *[]*regexp.Regexp }

func (u units) String() string { return "" }

func (u units) Set(text string) error {
	expression, err := regexp.Compile(text)
	if err == nil {
		*u.to = append(*u.to, expression)
	}
	return err
}

// part is a limit. Its name appears in error messages.
type part struct{ options *ab.Options }

func (p part) String() string {
	if p.options == nil {
		return ""
	}
	return fmt.Sprintf("%.3g%%", 100*p.options.Rule.Limit)
}

func (p part) Set(text string) error { return p.options.ParseLimit(text) }

// tests is the flag --tests.
type tests struct{ options *ab.Options }

func (t tests) String() string {
	if t.options == nil {
		return ""
	}
	return string(t.options.Tests)
}

func (t tests) Set(text string) error {
	t.options.Tests = ab.Tests(text)
	return nil
}

// Flags defines the flags, in the order of thought.
func (c *Command) Flags(flags *flag.FlagSet) {
	o := &c.Options
	flags.StringVar(&o.Old, "old", "", "`command` of the old side, instead of commits")
	flags.StringVar(&o.New, "new", "", "`command` of the new side")
	flags.Var(list{&o.Dirs}, "dir",
		"working `folder` of the commands; given twice, of --old and of --new")
	flags.StringVar(&o.Bench, "bench", o.Bench, "`regexp` of the benchmarks, as for go test")
	flags.StringVar(&o.Exclude, "exclude", "", "`regexp` of benchmarks to leave out, by their names in the report")
	flags.StringVar(&o.Advisory, "advisory", "", "`regexp` of benchmarks whose verdicts do not affect the exit code")
	flags.Var(tests{o}, "tests", "`origin` of test files where both sides differ: head, base or own")
	flags.StringVar(&o.BenchTime, "benchtime", "", "`time` or iterations of a sample, as in 50ms or 100x (default: chosen to fit --time)")
	flags.StringVar(&o.CPU, "cpu", "", "values of GOMAXPROCS, a `list` as for go test")
	flags.StringVar(&o.Tags, "tags", "", "build `tags`")
	flags.Var(list{&o.BuildFlags}, "build",
		"a further `flag` of go build, as in --build=-race; repeatable")
	flags.Var(part{o}, "limit",
		"largest slowdown that passes, `part` or REGEXP=PART for some benchmarks; repeatable")
	flags.Float64Var(&o.Rule.Alpha, "alpha", o.Rule.Alpha, "largest `rate` of false alarms of all benchmarks together")
	flags.DurationVar(&o.Time, "time", o.Time, "total `time` limit")
	flags.IntVar(&o.Rounds, "rounds", 0, "maximum `number` of rounds (default: no limit)")
	flags.IntVar(&o.Layouts, "layouts", o.Layouts, "`number` of links of each side, each with its own order of functions; 0 links once")
	flags.BoolVar(&o.Confirm, "confirm", o.Confirm, "measure slower benchmarks again from fresh links before they fail")
	flags.Var(units{&o.HigherBetter}, "higher-better", "`regexp` of units of ReportMetric for which more is better; repeatable")
	flags.StringVar((*string)(&o.Clock), "clock", string(o.Clock), "`clock` of times: auto, cpu or wall; Windows has wall only")
	flags.StringVar(&c.core, "core", c.core, "`core` of both sides: a number, any, or none")
	flags.Uint64Var(&o.Seed, "seed", o.Seed, "`seed` of all random orders (default: random)")
	flags.StringVar(&c.undecided, "undecided", "", "let undecided benchmarks `pass` or fail (default: exit code 4)")
	flags.StringVar(&c.missing, "missing", "", "`ignore` removed benchmarks, and packages that do not build (default: exit code 4)")
	flags.BoolVar(&o.Explain, "explain", false, "profile slower benchmarks and list the functions that account for the difference; --save keeps the profiles")
	flags.BoolVar(&c.bisect, "bisect", false, "use the exit codes of \"git bisect run\": 125 for undecided")
	flags.StringVar(&c.format, "format", c.format, "`format` of the report: "+strings.Join(ab.Formats(), ", "))
	flags.BoolVar(&c.asJSON, "json", false, "short for --format json: one JSON object")
	flags.StringVar(&c.output, "output", "", "write the report to `file` instead of stdout")
	flags.BoolVar(&c.force, "force", false, "replace existing output files")
	flags.StringVar(&c.store, "store", "", "add the rounds of two commits to `folder`, for \"ur bench history\"")
	flags.StringVar(&c.save, "save", "", "write old.txt and new.txt for benchstat, and the report in all formats, to `folder`")
}

// Order returns the flags in the order of their definition in [Command.Flags], which help
// keeps.
func Order() []string {
	return []string{"old", "new", "dir", "bench", "exclude", "advisory", "tests", "benchtime", "cpu", "tags", "build", "limit", "alpha", "time", "rounds", "layouts", "confirm", "higher-better",
		"clock", "core", "seed", "undecided", "missing", "explain", "bisect", "format", "json", "output", "force", "store", "save"}
}

// ExitError is an error with an exit code.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string { return e.Err.Error() }
func (e *ExitError) Unwrap() error { return e.Err }

// usage returns a usage error.
func usage(format string, args ...any) error {
	return &ExitError{badUsage, fmt.Errorf(format, args...)}
}

// Run compares the sides given by the arguments. Its error is an [*ExitError] unless the run
// itself failed.
func (c *Command) Run(ctx context.Context, args []string, stdout io.Writer, progress func(ab.Progress)) error {
	err := c.check(args)
	if err == nil {
		err = c.compare(ctx, stdout, progress)
	} else if c.bisect {
		return &ExitError{endBisect, err}
	}
	if code := ExitCode(err); c.bisect && !slices.Contains([]int{done, slower, interrupted}, code) {
		return &ExitError{skipCommit, err}
	}
	return err
}

// compare runs the comparison with checked options.
func (c *Command) compare(ctx context.Context, stdout io.Writer, progress func(ab.Progress)) error {
	c.Options.Progress = progress
	report, err := ab.Run(ctx, c.Options)
	var wrong *ab.InputError
	switch {
	case errors.As(err, &wrong):
		return inputError(err)
	case report == nil && ctx.Err() != nil:
		return &ExitError{interrupted, errors.New("interrupted")}
	case report == nil:
		return err
	}
	if writing := c.write(report, stdout); writing != nil {
		return writing
	}
	switch {
	case ctx.Err() != nil:
		return &ExitError{interrupted, errors.New("interrupted: the report is incomplete")}
	case err != nil:
		return err
	}
	return c.verdict(report)
}

// check completes the options.
func (c *Command) check(args []string) error {
	if err := c.takeArguments(args); err != nil {
		return err
	}
	switch {
	case c.asJSON && c.format != "text" && c.format != "json":
		return usage("--json cannot be used with --format %s (want one of the two)", c.format)
	case c.asJSON:
		c.format = "json"
	case !slices.Contains(ab.Formats(), c.format):
		return usage("--format: unknown format %q (want one of %s)", c.format, strings.Join(ab.Formats(), ", "))
	}
	if !slices.Contains([]string{"", "pass", "fail"}, c.undecided) {
		return usage("--undecided: invalid value %q (want pass or fail)", c.undecided)
	}
	if !slices.Contains([]string{"", "ignore"}, c.missing) {
		return usage("--missing: invalid value %q (want ignore)", c.missing)
	}
	c.Options.IgnoreMissing = c.missing == "ignore"
	switch c.core {
	case "any":
		c.Options.Core = ab.AnyCore
	case "none":
		c.Options.Core = ab.NoCore
	default:
		core, err := strconv.Atoi(c.core)
		if err != nil || core < 0 {
			return usage("--core: invalid value %q (want the number of a core, any, or none)", c.core)
		}
		c.Options.Core = core
	}
	if err := c.checkSave(); err != nil {
		return err
	}
	if c.store != "" && c.Options.Head == "" {
		return usage("--store: only two commits can be stored (want BASE and HEAD, as in HEAD~1 HEAD)")
	}
	if c.Options.Explain {
		c.Options.Profiles = c.save
	}
	switch info, err := os.Stat(c.output); {
	case c.output == "" || err != nil:
	case info.IsDir():
		return usage("-o: %s is a folder (want a file)", c.output)
	case info.Mode().IsRegular() && !c.force:
		return usage("-o: %s exists (want another file, or --force)", c.output)
	}
	if err := c.Options.Check(); err != nil {
		return inputError(err)
	}
	return c.checkWritable()
}

// checkWritable checks that the outputs can be written, before minutes of measuring. It makes the
// folders.
func (c *Command) checkWritable() error {
	if c.output != "" {
		if err := wholefile.Check(c.output); err != nil {
			return usage("-o: %w", err)
		}
	}
	for name, folder := range map[string]string{"save": c.save, "store": c.store} {
		if folder == "" {
			continue
		}
		err := os.MkdirAll(folder, 0o777)
		if err == nil {
			err = wholefile.Check(filepath.Join(folder, "report.txt"))
		}
		if err != nil {
			return usage("--%s: %w", name, err)
		}
	}
	return nil
}

// checkSave refuses a folder of --save that is a file, or that holds an earlier report unless
// files may be replaced.
func (c *Command) checkSave() error {
	if c.save == "" {
		return nil
	}
	if info, err := os.Stat(c.save); err == nil && !info.IsDir() {
		return usage("--save: %s is a file (want a folder)", c.save)
	}
	for _, name := range ab.SavedFiles() {
		file := filepath.Join(c.save, name)
		if _, err := os.Stat(file); err == nil && !c.force {
			return usage("--save: %s exists (want another folder, or --force)", file)
		}
	}
	return nil
}

// flagNames maps the fields named by errors to their flags.
var flagNames = map[string]string{
	"Old": "old", "New": "new", "Dirs": "dir", "Time": "time", "Rounds": "rounds", "Clock": "clock", "Layouts": "layouts",
	"Bench": "bench", "Exclude": "exclude", "Advisory": "advisory", "Tests": "tests", "CPU": "cpu", "BenchTime": "benchtime",
}

// inputError replaces the name of the invalid field by its flag.
func inputError(err error) error {
	if wrong, ok := errors.AsType[*ab.InputError](err); ok && flagNames[wrong.Field] != "" {
		return usage("--%s: %s", flagNames[wrong.Field], wrong.Msg)
	}
	return &ExitError{badUsage, err}
}

// takeArguments separates commits from packages. An argument that begins with a dot or a slash
// or holds "..." is a package, and so are all arguments after it or after two commits.
func (c *Command) takeArguments(args []string) error {
	o := &c.Options
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
	return nil
}

// isPackage reports whether an argument can only be a pattern of packages.
func isPackage(arg string) bool {
	return arg == "." || strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || strings.HasPrefix(arg, "/") || strings.Contains(arg, "...") && !strings.Contains(arg, "~")
}

// write writes the requested outputs. An error of one does not keep it from writing the others.
func (c *Command) write(report *ab.Report, stdout io.Writer) (err error) {
	if c.output == "" {
		err = report.Write(stdout, c.format)
	} else if err = wholefile.Write(c.output, func(w io.Writer) error { return report.Write(w, c.format) }); err != nil {
		err = fmt.Errorf("-o: %w", err)
	}
	if c.save != "" {
		if saving := report.Save(c.save); saving != nil {
			err = errors.Join(err, fmt.Errorf("--save: %w", saving))
		}
	}
	if c.store != "" {
		if storing := report.Store(c.store); storing != nil {
			err = errors.Join(err, fmt.Errorf("--store: %w", storing))
		}
	}
	return err
}

// verdict turns the verdict into an exit code.
func (c *Command) verdict(report *ab.Report) error {
	switch {
	case report.Verdict == verdict.Slower, report.Verdict == verdict.Undecided && c.undecided == "fail":
		return &ExitError{slower, errors.New(report.Short())}
	case (report.Verdict == verdict.Undecided || report.Verdict == verdict.Nothing) && c.undecided != "pass":
		return &ExitError{undecided, errors.New(report.Short())}
	}
	return nil
}

// ExitCode returns the exit code of an error.
func ExitCode(err error) int {
	var exit *ExitError
	switch {
	case err == nil:
		return done
	case errors.As(err, &exit):
		return exit.Code
	case errors.Is(err, context.Canceled):
		return interrupted
	}
	return failure
}

// Line is a line of progress for a terminal.
func Line(p ab.Progress) string {
	if p.Plan != "" {
		return "plan: " + p.Plan
	}
	line := p.Doing
	if p.Round > 0 {
		line += fmt.Sprintf(", round %d", p.Round)
	}
	if p.Rows > 0 {
		line += fmt.Sprintf(": %d of %d decided", p.Decided, p.Rows)
		if p.Round == 0 {
			line = fmt.Sprintf("%s: %d of %d", p.Doing, p.Decided, p.Rows)
		}
	}
	if p.Left > 0 {
		line += fmt.Sprintf(", at most %v left", p.Left.Round(time.Second))
	}
	return line
}
