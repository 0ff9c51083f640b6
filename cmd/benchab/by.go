package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/report"
	"github.com/seed-09dcdc84/ur/bench/verdict"
)

// checkRanking completes the options of --by.
func (c *command) checkRanking(args []string) error {
	o := &c.options
	for _, arg := range args {
		switch {
		case arg == "":
			return usage("empty argument (want a commit and packages, as in HEAD ./...)")
		case len(o.Packages) > 0 || isPackage(arg) || o.Head != "":
			o.Packages = append(o.Packages, arg)
		default:
			o.Head = arg
		}
	}
	for _, name := range []string{"old", "new", "explain", "store", "history", "bisect", "missing", "ignore", "tests", "horizon"} {
		if slices.Contains(c.given, name) {
			return usage("--%s cannot be used with --by: implementations are those of one commit", name)
		}
	}
	if c.asJSON && c.format != "text" && c.format != "json" {
		return usage("--json cannot be used with --format %s (want one of the two)", c.format)
	} else if c.asJSON {
		c.format = "json"
	} else if c.format == "text" && strings.HasSuffix(c.output, ".html") {
		c.format = "html"
	}
	switch {
	case c.keys > 1:
		return usage("--by: %d keys (want one: what else differs in the names makes groups)", c.keys)
	case !slices.Contains(report.RankingFormats(), c.format):
		return usage("--format: unknown format %q with --by (want one of %s)", c.format, strings.Join(report.RankingFormats(), ", "))
	case !slices.Contains([]string{"", "pass", "fail"}, c.undecided):
		return usage("--undecided: invalid value %q (want pass or fail)", c.undecided)
	}
	if err := ab.CheckKey(c.by.Key); err != nil {
		return inputError(err)
	}
	if err := o.Check(); err != nil {
		return inputError(err)
	}
	return c.checkOutputs(report.SavedRankings())
}

// givenFlags lists the flags of a command line, without those of the file of settings, which other runs share.
func givenFlags(args []string) (names []string) {
	flags := newCommand().flags()
	_, _ = parse(flags, args) // the command itself reports its error
	flags.Visit(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// rank compares implementations, and turns the verdict into an exit code.
func (c *command) rank(ctx context.Context, stdout io.Writer) error {
	r, err := ab.Implementations(ctx, c.options, c.by)
	if r == nil && errors.Is(err, ab.ErrTime) {
		return &exitError{undecided, err}
	} else if r == nil {
		return inputError(err)
	}
	writing := c.to(stdout, r.Write)
	if c.save != "" {
		if saving := r.Save(c.save); saving != nil {
			writing = errors.Join(writing, fmt.Errorf("--save: %w", saving))
		}
	}
	switch isOpen := r.Verdict == verdict.Undecided || r.Verdict == verdict.Nothing; {
	case writing != nil:
		return writing
	case ctx.Err() != nil:
		return &exitError{interrupted, errors.New("interrupted: the report is incomplete")}
	case err != nil:
		return err
	case r.Verdict == verdict.Slower, isOpen && c.undecided == "fail":
		return &exitError{code: slower}
	case isOpen && c.undecided != "pass":
		return &exitError{code: undecided}
	}
	return nil
}
