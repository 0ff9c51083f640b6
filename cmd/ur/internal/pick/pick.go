package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
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

// RulesName is the value of --rules, a rule set.
type RulesName string

// AddFlags adds --rules.
func (name *RulesName) AddFlags(cmd *cobra.Command, _ reflect.StructTag) {
	cmd.Flags().StringVar((*string)(name), "rules", board.Finkel().Name(),
		"rule `SET`: "+strings.Join(board.Names(), ", ")+", or a JSON file")
	cli.CompleteFlag(cmd, "rules", cobra.FixedCompletions(board.Names(), cobra.ShellCompDirectiveDefault))
}

// Find returns the rule set.
func (name RulesName) Find() (*board.Rules, error) {
	r, err := board.Find(string(name))
	if err != nil {
		err = cli.UsageError("--rules: %w", err)
	}
	return r, err
}

// Rules are the flags --rules and --pieces.
type Rules struct {
	Set    *board.Rules // with its number of pieces, known when the command runs
	Pieces int          // without --pieces those of the rule set
}

// AddFlags adds the flags. The help of a tag replaces the description of --pieces.
func (r *Rules) AddFlags(cmd *cobra.Command, tag reflect.StructTag) {
	var name RulesName
	name.AddFlags(cmd, tag)
	cmd.Flags().IntVar(&r.Pieces, "pieces", board.FinkelPieces,
		cmp.Or(tag.Get("help"), "pieces of each player, 1 to 7, or as the rules have them"))
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		set, err := name.Find()
		if err != nil {
			return err
		}
		if !set.IsFinkel() && !cmd.Flags().Changed("pieces") {
			r.Pieces = set.Pieces()
		}
		r.Set, err = withPieces(set, r.Pieces)
		return err
	}
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
		e, err := EngineName(name).Find()
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

// EngineName is the value of --engine.
type EngineName string

// AddFlags adds --engine, with the names of engines behind it.
func (name *EngineName) AddFlags(cmd *cobra.Command, tag reflect.StructTag) {
	cmd.Flags().StringVar((*string)(name), "engine", "", tag.Get("help"))
	cli.CompleteFlag(cmd, "engine", CompleteEngines)
}

// Find returns the engine, which must be available; without a name it returns the fastest.
func (name EngineName) Find() (ur.Engine, error) {
	if name == "" {
		return engine.Fastest(), nil
	}
	e, err := engine.Lookup(string(name))
	if err == nil {
		err = ur.Available(e)
	} else if near := cli.Nearest(string(name), engineNames()); near != "" {
		err = fmt.Errorf("%w\nDid you mean %q?", err, near)
	}
	if err != nil {
		return nil, cli.UsageError("--engine: %w", err)
	}
	return e, nil
}

// CompleteEngines completes the names of available engines.
func CompleteEngines(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return text.List(engine.Available(), ur.Engine.Name), cobra.ShellCompDirectiveNoFileComp
}
