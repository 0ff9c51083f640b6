package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/report"
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

// parse parses flags, also between arguments; "--" ends them.
func parse(flags *flag.FlagSet, args []string) (words []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			return nil, flagError(flags, err)
		}
		rest := flags.Args()
		if len(rest) == 0 {
			return words, checkEmpty(flags)
		}
		if at := len(args) - len(rest); at > 0 && args[at-1] == "--" {
			return append(words, rest...), checkEmpty(flags)
		}
		words, args = append(words, rest[0]), rest[1:]
	}
}

// checkEmpty rejects a flag with an empty value, as from an unset variable of a script.
func checkEmpty(flags *flag.FlagSet) (err error) {
	flags.Visit(func(f *flag.Flag) {
		if value, ok := f.Value.(flag.Getter); ok && value.Get() == "" {
			kind, _ := flag.UnquoteUsage(f)
			err = usage("--%s: empty value (want %s)", f.Name, kind)
		}
	})
	return err
}

// The errors of package flag: it has no types for them.
var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -(.*)$`)
	invalidValue = regexp.MustCompile(`^invalid (?:boolean )?value (".*") for (?:flag )?-([^:]*): (.*)$`)
)

// flagError adds the right form to an error of package flag.
func flagError(flags *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	if found := unknownFlag.FindStringSubmatch(err.Error()); found != nil {
		names := strings.Replace(strings.Join(order, ", --"), "--o,", "-o,", 1)
		err = fmt.Errorf("unknown flag --%s (want one of --%s)", found[1], names)
	} else if found := invalidValue.FindStringSubmatch(err.Error()); found != nil {
		f := flags.Lookup(found[2])
		kind, _ := flag.UnquoteUsage(f)
		if found[3] != "parse error" {
			return usage("--%s: %s", f.Name, found[3])
		}
		err = fmt.Errorf("--%s: invalid value %s (want %s, such as %s)", f.Name, found[1], kind, f.DefValue)
	}
	return usage("%w", err)
}

// help describes the command and its flags.
func help(flags *flag.FlagSet) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\nUsage:\n  benchab [BASE [HEAD]] [PACKAGES] [flags]\n  benchab OLD.txt NEW.txt [flags]\n  benchab --by KEY [COMMIT] [PACKAGES] [flags]\n\nFlags:\n", description)
	for _, name := range order {
		f := flags.Lookup(name)
		kind, text := flag.UnquoteUsage(f)
		begin := strings.TrimSpace("--" + name + " " + kind)
		if name == "o" {
			begin = begin[1:]
		}
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			text += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		fmt.Fprintf(&out, "  %-22s%s\n", begin, strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 24)))
	}
	return out.String()
}

// givenFlags lists the flags of a command line, without those of the file of settings, which other runs share.
func givenFlags(args []string) (names []string) {
	flags := newCommand().flags()
	_, _ = parse(flags, args) // the command itself reports its error
	flags.Visit(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// readSettings reads flags from the file of settings in a folder or the nearest one above it, up to
// the root of the repository, and returns their places. Flags of the command line come later, and count more.
func readSettings(flags *flag.FlagSet, dir string) (places map[string]string, err error) {
	for {
		file := filepath.Join(dir, settingsFile)
		text, err := os.ReadFile(file)
		if err == nil {
			return parseSettings(flags, string(text), file)
		}
		if !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		if _, outside := os.Stat(filepath.Join(dir, ".git")); outside == nil || filepath.Dir(dir) == dir {
			return nil, nil
		}
		dir = filepath.Dir(dir)
	}
}

// parseSettings reads lines of a flag and its value; empty ones and those that begin with # do not
// count.
func parseSettings(flags *flag.FlagSet, text, file string) (places map[string]string, err error) {
	number, places := 0, make(map[string]string)
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, value, _ := strings.Cut(line, " ")
		if !slices.Contains(settings, name) {
			return nil, usage("%s:%d: unknown setting %q (want one of %s)", file, number, name, strings.Join(settings, ", "))
		}
		if err := flags.Set(name, strings.TrimSpace(value)); err != nil {
			return nil, usage("%s:%d: %s: %w", file, number, name, err)
		}
		place := fmt.Sprintf("%s:%d", file, number)
		if places[name] != "" { // either line may be wrong
			place = file
		}
		places[name] = place
	}
	return places, nil
}

// locate names the place of a setting in an error, instead of a flag that the command line does not have.
func (c *command) locate(message string) string {
	name, _, ok := strings.Cut(strings.TrimPrefix(message, "--"), ":")
	if place := c.places[name]; ok && place != "" && !slices.Contains(c.given, name) && strings.HasPrefix(message, "--") {
		return place + ": " + message[2:]
	}
	return message
}
