//go:build !play

package playcmd

import (
	"cmp"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/internal/wholefile"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

// matchOptions are the flags of "ur match".
type matchOptions struct {
	games, pieces, parallel int
	seed                    uint64
	engine, sprt, table     string
	record, rules           string
	set                     *rules.Rules // nil for Finkel's
	luck, json, force       bool
	fleet                   join.Options
}

func matchLong() string {
	return `Match plays games between two players and counts the wins.

Games come in pairs: games 2k and 2k+1 have the dice of game k of the seed, and
the first player is Light in the one and Dark in the other. Light moves first.
The result is the same on every engine, number of threads and machine; only the
time is not.

"ur help players" lists the players.

Win rates and the Elo difference have 95 % confidence intervals (Wilson), computed
from the scores of pairs (0, 1 or 2 wins). The last of an odd number of games counts
as a win but belongs to no pair. The variance ratio compares with independent games:
at 0.9, sharing the dice saves a tenth of the games.
Superiority is the likelihood that the first player is the stronger one.

--sprt ends the match as soon as a sequential probability ratio test is decided:
H0, the first player is elo0 stronger, against H1, it is elo1 stronger, with the
error rates alpha and beta. --games is then the maximum (default 1000000).

--luck also scores the games corrected for luck: the result minus the luck of each
roll by the exact solution (value after the best move minus value before the roll).
The mean is the same and the error smaller, so far fewer games are needed. It needs
a table made by "ur solve", and plays more slowly.

A turn is one throw of the dice, passes included. us/game and ns/turn are
wall-clock time divided by the games and turns of all threads together: with
twice the threads they halve.

Exit codes: 0 done, or a test decided, either way; 1 failure, such as a game
without end; 2 bad usage; 4 a test that --games did not suffice to decide; 130
interrupted, after printing the games that were finished.`
}

// testGames is how many games a match with a test has at most, by default.
const testGames = 1_000_000

// newMatchCommand returns "ur match".
func newMatchCommand(env *cli.Env) *cobra.Command {
	var o matchOptions
	cmd := &cobra.Command{
		Use:   "match P Q",
		Short: "Play many games between two players",
		Long:  matchLong(),
		Example: `  ur match brain greedy
  ur match brain:mine.txt brain --games 100000 --seed 7
  ur match brain:mine.txt brain --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05
  ur match brain random --pieces 3 --json
  ur match greedy random --rules blitz`,
		Args:              cli.Exactly(2, "two players P and Q"),
		ValidArgsFunction: completeTwo(pick.CompletePlayers(false)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.set, err = pick.Rules(cmd, o.rules, &o.pieces); err != nil {
				return err
			}
			if o.sprt != "" && !cmd.Flags().Changed("games") {
				o.games = testGames
			}
			return runMatch(cmd.Context(), env, o, args)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.games, "games", 1000, "number of games, at least 1")
	flags.StringVar(&o.sprt, "sprt", "", `stop by a sequential test, as in "`+rating.DefaultSPRT().String()+`", the default values`)
	pick.RulesFlag(cmd, &o.rules)
	flags.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player, 1 to 7, or as the rules have them")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the dice")
	pick.EngineFlag(cmd, &o.engine, "engine that evaluates for brains (default the fastest here)")
	flags.BoolVar(&o.luck, "luck", false, "also print scores corrected for luck")
	pick.TableFlag(cmd, &o.table)
	flags.IntVar(&o.parallel, "parallel", 0, "threads to play with (default one per processor)")
	join.Flags(cmd, &o.fleet, "play on the fleet at this address")
	join.VerifyFlag(cmd, &o.fleet)
	flags.StringVar(&o.record, "record", "", "record all games to `FILE`, for \"ur game\"; slower")
	cli.ForceFlag(cmd, &o.force)
	flags.BoolVar(&o.json, "json", false, "print one JSON object, of schema ur.match/1")
	return cmd
}

// completeTwo completes the first two arguments.
func completeTwo(complete cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) >= 2 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(cmd, args, typed)
	}
}

// runMatch plays a match and prints it, as far as it was finished.
func runMatch(ctx context.Context, env *cli.Env, o matchOptions, specs []string) error {
	c, err := o.config(specs)
	if err != nil {
		return err
	}
	pick.Warn(env, c.Players[:]...)
	if o.luck {
		if c.Luck, err = o.luckTable(ctx, c); err != nil {
			return err
		}
	}
	if o.record != "" && o.fleet.Given() {
		return cli.UsageError("--record cannot be used with --fleet: fleet games are not recorded")
	}
	leave := func(err error) error { return err }
	if o.fleet.Given() {
		c.Parallel = cmp.Or(c.Parallel, join.Outstanding)
		if c.Backend, leave, err = fleetBackend(ctx, &o.fleet, o.luckFile(c)); err != nil {
			return err
		}
	}
	result, err := o.play(ctx, env, c)
	err = leave(err)
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return err
	}
	report := newMatchReport(c, result, interrupted)
	switch {
	case o.json:
		if err := cli.WriteJSON(env.Stdout, report); err != nil {
			return err
		}
	case report.Games > 0:
		report.print(env)
	}
	switch {
	case interrupted:
		return cli.ErrInterrupted
	case report.Stop == stopUndecided:
		return cli.InconclusiveError("the test is not decided after %s: raise --games, or the distance of elo0 and elo1", text.Plural(report.Games, "game"))
	}
	return nil
}

// luckFile returns the table file by which luck is measured, or "" for the cached one; see
// luckTable.
func (o matchOptions) luckFile(c play.MatchConfig) string {
	if o.table != "" {
		return o.table
	}
	for _, p := range c.Players {
		if file, ok := strings.CutPrefix(p.Name(), "perfect:"); ok {
			return file
		}
		switch p.(type) {
		case play.Perfect, play.RulesPerfect:
			return ""
		}
	}
	return ""
}

// play plays the match and records its games if requested, including those of an interrupted
// match.
func (o matchOptions) play(ctx context.Context, env *cli.Env, c play.MatchConfig) (result play.MatchResult, err error) {
	bar := cli.NewProgress(env, o.games, "games")
	defer bar.Clear()
	c.Progress = func(games int) { bar.Add(games) }
	if o.record == "" {
		return play.Match(ctx, c)
	}
	form, err := recordForm(o.record, "jsonl", o.force)
	if err != nil {
		return result, err
	}
	if form.One && o.games > 1 {
		return result, cli.UsageError("--record: format %s holds one game, got %d games (want .jsonl, .json or .txt)", form.Name, o.games)
	}
	var played error
	err = wholefile.Write(o.record, func(w io.Writer) error {
		out := record.NewWriter(w, form)
		c.Record = out.Write
		result, played = play.Match(ctx, c)
		if played != nil && ctx.Err() == nil {
			return played
		}
		return out.Close()
	})
	return result, cmp.Or(played, err)
}

// luckTable returns the table by which luck is measured: that of --table, otherwise that of a
// player, otherwise the default.
func (o matchOptions) luckTable(ctx context.Context, c play.MatchConfig) (solve.Ranked, error) {
	if o.table == "" {
		for _, p := range c.Players {
			switch p := p.(type) {
			case play.Perfect:
				return p.Table(ctx, c.Pieces)
			case play.RulesPerfect:
				return p.Table()
			}
		}
	}
	return pick.RankedTable(ctx, o.table, o.set, c.Pieces)
}

// config checks the flags and seats the players.
func (o matchOptions) config(specs []string) (c play.MatchConfig, err error) {
	c = play.MatchConfig{Seed: o.seed, Games: o.games, Rules: o.set, Pieces: o.pieces, Parallel: o.parallel}
	if o.sprt != "" {
		test, err := rating.ParseSPRT(o.sprt)
		if err != nil {
			return c, cli.UsageError("--sprt: %w", err)
		}
		c.SPRT = &test
	}
	if o.table != "" && !o.luck {
		return c, cli.UsageError("--table needs --luck (to give a player a table, write perfect:FILE)")
	}
	for i, spec := range specs {
		if c.Players[i], err = pick.PlayerFor(o.set, spec); err != nil {
			return c, err
		}
	}
	if c.Engine, err = pick.Engine(o.engine); err != nil {
		return c, err
	}
	return c, pick.ConfigError(c.Check(), nil)
}
