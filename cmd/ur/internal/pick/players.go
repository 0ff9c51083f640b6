// Package pick selects engines, players, brains, tables and positions for the commands of ur.
// It holds their flags, the shell completion of these flags, and the errors for missing ones.
package pick

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/session"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
