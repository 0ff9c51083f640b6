package pick

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// RulesFlag adds --rules, a rule set.
func RulesFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "rules", board.Finkel().Name(),
		"rule `SET`: "+strings.Join(board.Names(), ", ")+", or a JSON file")
	cli.CompleteFlag(cmd, "rules", cobra.FixedCompletions(board.Names(), cobra.ShellCompDirectiveDefault))
}

// Rules returns the rule set of --rules with the number of pieces of --pieces, and
// checks the number. Without the flag it becomes the number of the rule set.
func Rules(cmd *cobra.Command, name string, pieces *int) (*board.Rules, error) {
	r, err := board.Find(name)
	if err != nil {
		return nil, cli.UsageError("--rules: %w", err)
	}
	if !r.IsFinkel() && !cmd.Flags().Changed("pieces") {
		*pieces = r.Pieces()
	}
	return withPieces(r, *pieces)
}

// withPieces returns a rule set with --pieces, a possible number of its games.
func withPieces(r *board.Rules, pieces int) (*board.Rules, error) {
	if r.IsFinkel() && board.CheckPieces(pieces) != nil {
		return nil, cli.UsageError("--pieces: %d (want 1 to %d)", pieces, board.FinkelPieces)
	}
	r, err := r.WithPieces(pieces)
	if err != nil {
		return nil, cli.UsageError("--%w", err)
	}
	return r, nil
}

// GameName names a game by its pieces, and its rule set unless it is Finkel's.
func GameName(set *board.Rules) string {
	pieces := text.Plural(set.Pieces(), "piece")
	if set.IsFinkel() {
		return pieces
	}
	return pieces + ", " + set.Title() + " rules"
}

// Table returns the exact solution of a rule set with the number of --pieces: from the file
// of --table, otherwise the one in the cache, or of at most 5 pieces a new one.
func Table(ctx context.Context, file string, r *board.Rules, pieces int) (*solve.Table, error) {
	r, err := withPieces(r, pieces)
	if err != nil {
		return nil, err
	}
	if file == "" {
		return play.DefaultTables().Table(ctx, r)
	}
	t, err := solve.OpenFor(file, r)
	if err != nil {
		return nil, cli.UsageError("--table: %w", err)
	}
	return t, nil
}

// ConfigError turns the error of a configuration into a usage error of the flag that sets the
// invalid field. flags maps fields to flag names; a field without an entry has a flag of the
// same name. "" stands for an argument instead of a flag. Any other error is returned
// unchanged.
func ConfigError(err error, flags map[string]string) error {
	var fault *config.Error
	if !errors.As(err, &fault) {
		return err
	}
	name := strings.ToLower(fault.Field)
	switch flag, ok := flags[fault.Field]; {
	case !ok:
		name = "--" + name
	case flag != "":
		name = "--" + flag
	}
	return cli.UsageError("%s", fault.Describe(name))
}

// SelectEngines returns the engines of names, which must be available, and the available ones
// matched by patterns, each once.
func SelectEngines(names []string) (engines []ur.Engine, skipped []record.Skipped, err error) {
	for _, name := range names {
		run, others, err := enginesOf(name)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range run {
			if !slices.ContainsFunc(engines, func(other ur.Engine) bool { return other.Name() == e.Name() }) {
				engines = append(engines, e)
			}
		}
		skipped = append(skipped, others...)
	}
	return engines, skipped, nil
}

// enginesOf returns the engine of a name, or those matched by a pattern, at least one of which must be
// available. A pattern without a slash matches either half of a name: "bits" and "*avx2" need no "/*"
// and "*/".
func enginesOf(name string) (run []ur.Engine, others []record.Skipped, err error) {
	if !strings.ContainsAny(name, "*?[") {
		e, err := Engine(name)
		return []ur.Engine{e}, nil, err
	}
	patterns := []string{name}
	if !strings.Contains(name, "/") {
		patterns = []string{name + "/*", "*/" + name}
	}
	var matched []ur.Engine
	for _, e := range engine.All() {
		matches := false
		for _, p := range patterns {
			ok, err := path.Match(p, e.Name())
			if err != nil {
				return nil, nil, cli.UsageError("--engine: pattern %q: %w (want one as in bits/* or *avx2)", name, err)
			}
			matches = matches || ok
		}
		if matches {
			matched = append(matched, e)
		}
	}
	run, others = bench.Runnable(matched)
	switch {
	case len(matched) == 0:
		return nil, nil, cli.UsageError("--engine: no engine matches %q (want one of %s)", name,
			strings.Join(engineNames(), ", "))
	case len(run) == 0:
		return nil, nil, cli.UsageError("--engine: no engine matching %q runs on this CPU: %s %s",
			name, others[0].Engine, others[0].Reason)
	}
	return run, others, nil
}

func engineNames() []string { return text.List(engine.All(), ur.Engine.Name) }

// Engine returns the engine of a flag --engine, which must be available; without a name it
// returns the fastest.
func Engine(name string) (ur.Engine, error) {
	if name == "" {
		return engine.Fastest(), nil
	}
	e, err := engine.Lookup(name)
	if err == nil {
		err = ur.Available(e)
	} else if near := cli.Nearest(name, engineNames()); near != "" {
		err = fmt.Errorf("%w\nDid you mean %q?", err, near)
	}
	if err != nil {
		return nil, cli.UsageError("--engine: %w", err)
	}
	return e, nil
}

// EngineFlag adds --engine, with the names of engines behind it.
func EngineFlag(cmd *cobra.Command, name *string, usage string) {
	cmd.Flags().StringVar(name, "engine", "", usage)
	cli.CompleteFlag(cmd, "engine", CompleteEngines)
}

// CompleteEngines completes the names of available engines.
func CompleteEngines(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return text.List(engine.Available(), ur.Engine.Name), cobra.ShellCompDirectiveNoFileComp
}
