package pick

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

// Human is the player at the keyboard, which only "ur play" has.
const Human = "human"

// PlayersHelp lists the players of [play.PlayerNames] for people. A test holds that
// none is missing.
const PlayersHelp = `  brain           the built-in brain
  brain:classic   a brain set by hand
  brain:FILE      a brain read from a text file
  perfect         the best move by the exact solution: by the table that "ur
                  solve" has put into the cache, or by solving the game at once
                  when there are at most 5 pieces
  perfect:FILE    the same, by the table in a file
  greedy          takes what it can get: captures, rosettes, progress
  greedy:1,2,...  wants its own pieces on squares of high value, and the
                  opponent's on squares of low value; these are the values of
                  squares 1 to 15
  greedy:FILE     the same, by values read from a text file
  greedy:linear   the same: the further, the higher
  greedy:tree     the same, by values that were learned; also called tree
  first           always the first legal move
  random          any legal move, by the seed`

// Prefixes of players that are read from files.
const (
	BrainPrefix   = "brain:"
	GreedyPrefix  = "greedy:"
	perfectPrefix = "perfect:"
)

// CompletePlayers completes the names of players, and the files of those with a FILE.
func CompletePlayers(names ...string) cobra.CompletionFunc {
	for _, name := range play.PlayerNames() {
		if !strings.HasSuffix(name, "...") { // any values
			names = append(names, strings.TrimSuffix(name, "FILE"))
		}
	}
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		prefix, file, hasFile := cutPrefixes(typed, BrainPrefix, GreedyPrefix, perfectPrefix)
		if !hasFile {
			return names, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		}
		matches, err := filepath.Glob(file + "*")
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		for i, match := range matches {
			if info, err := os.Stat(match); err == nil && info.IsDir() {
				match += string(filepath.Separator)
			}
			matches[i] = prefix + match
		}
		for _, name := range names {
			if strings.HasPrefix(name, typed) && name != prefix {
				matches = append(matches, name)
			}
		}
		return matches, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// cutPrefixes cuts the first of the prefixes that text begins with.
func cutPrefixes(text string, prefixes ...string) (prefix, rest string, found bool) {
	for _, prefix := range prefixes {
		if rest, found := strings.CutPrefix(text, prefix); found {
			return prefix, rest, true
		}
	}
	return "", text, false
}
