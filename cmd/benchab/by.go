package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/seed-09dcdc84/ur/bench/ab"
	"github.com/seed-09dcdc84/ur/bench/report"
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
	if c.keys > 1 {
		return usage("--by: %d keys (want one: what else differs in the names makes groups)", c.keys)
	}
	if err := c.checkFormat(report.RankingFormats()); err != nil {
		return err
	}
	if err := ab.CheckKey(c.by.Key); err != nil {
		return inputError(err)
	}
	if err := o.Check(); err != nil {
		return inputError(err)
	}
	return c.checkOutputs(report.SavedRankings())
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
	switch {
	case writing != nil:
		return writing
	case ctx.Err() != nil:
		return &exitError{interrupted, errors.New("interrupted: the report is incomplete")}
	case err != nil:
		return err
	}
	return c.verdict(r.Verdict)
}
