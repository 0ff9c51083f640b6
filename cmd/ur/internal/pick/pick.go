// Package pick selects engines, players, brains, tables and positions for the commands of ur.
// It holds their flags, the shell completion of these flags, and the errors for missing ones.
package pick

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/bench"
	"github.com/seed-09dcdc84/ur/bench/record"
	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/engine"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// Player returns the player of a spec typed by the user, for games under Finkel's rules.
func Player(spec string) (play.Player, error) { return PlayerFor(board.Finkel(), spec) }

// PlayerFor returns the player of a spec typed by the user, for games under a rule set.
func PlayerFor(r *board.Rules, spec string) (play.Player, error) {
	p, err := play.ParsePlayerFor(r, spec)
	return p, usageError(spec, err)
}

// Programs are the flags of commands whose players may be programs. The zero value has the defaults.
type Programs struct {
	limit time.Duration
	flag  *pflag.Flag // --time; nil for none
}

// AddFlags adds --time.
func (o *Programs) AddFlags(cmd *cobra.Command, _ reflect.StructTag) {
	cmd.Flags().DurationVar(&o.limit, "time", play.ProgramTime,
		"at most so much `time` for each move of a player exec:CMD")
	o.flag = cmd.Flags().Lookup("time")
}

// PlayerFor returns the player of a spec on the command line, also a program.
func (o *Programs) PlayerFor(r *board.Rules, spec string) (play.Player, error) {
	if o.given() && o.limit <= 0 {
		return play.Player{}, cli.UsageError("--time must be above 0, got %v", o.limit)
	}
	p, err := play.ParseTrustedPlayer(r, spec)
	if program, ok := p.Source.(*play.Program); ok {
		program.Time = o.limit
	}
	return p, usageError(spec, err)
}

func (o *Programs) given() bool { return o.flag != nil && o.flag.Changed }

// Check returns an error if --time is given and no player is a program.
func (o *Programs) Check(players ...play.Player) error {
	if o.given() && !slices.ContainsFunc(players, isProgram) {
		return cli.UsageError(
			"--time needs a player exec:CMD (want the time of a search in its name, as in search:time=100ms)")
	}
	return nil
}

func isProgram(p play.Player) bool {
	_, ok := p.Source.(*play.Program)
	return ok
}

// ClosePrograms ends the programs among players.
func ClosePrograms(players ...play.Player) {
	for _, p := range players {
		if program, ok := p.Source.(*play.Program); ok {
			_ = program.Close() // it is killed if it does not end
		}
	}
}

func usageError(spec string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*play.UnknownPlayerError](err); ok {
		if near := cli.Nearest(spec, play.Kinds().Specs()); near != "" {
			return cli.UsageError("%w\nDid you mean %q?", err, near)
		}
	}
	return cli.UsageError("%w", err)
}

// Warn reports players whose files do not have the hash of their contents.
func Warn(env *cli.Env, players ...play.Player) {
	for _, p := range players {
		switch p := p.Source.(type) {
		case play.Brain:
			if p.Altered {
				fmt.Fprintf(env.Stderr,
					"ur: %s: the weights do not match the hash in the file: the file was edited or is damaged\n",
					p.Spec)
			}
		case play.Net:
			if p.Unhashed {
				fmt.Fprintf(env.Stderr,
					"ur: %s: the file has no hash, so damage to it goes unnoticed; \"ur convert\" adds one\n", p.Spec)
			}
		}
	}
}

// CompletePlayers completes the specs of players, and the files of those with a FILE. A
// human is among them where there is a keyboard.
func CompletePlayers(keyboard bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		var matches, prefixes []string
		for _, kind := range play.Kinds() {
			if kind.Name == session.Person && !keyboard {
				continue
			}
			for _, pattern := range kind.Patterns {
				if prefix, ok := pattern.FilePrefix(); ok {
					prefixes = append(prefixes, prefix)
				}
				matches = append(matches, pattern.Specs()...)
			}
		}
		for _, prefix := range prefixes {
			if file, ok := strings.CutPrefix(typed, prefix); ok {
				matches = append(matches, files(prefix, file)...)
			}
		}
		return append(matches, prefixes...), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// files lists the files and folders whose name begins like one, each behind a prefix.
func files(prefix, name string) []string {
	matches, err := filepath.Glob(name + "*")
	if err != nil {
		return nil
	}
	for i, match := range matches {
		if info, err := os.Stat(match); err == nil && info.IsDir() {
			match += string(filepath.Separator)
		}
		matches[i] = prefix + match
	}
	return matches
}
