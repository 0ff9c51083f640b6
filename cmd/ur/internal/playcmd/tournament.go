//go:build !play

package playcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/fleet/join"
	"github.com/seed-09dcdc84/ur/internal/matchfiles"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

// tournamentOptions are the flags of "ur tournament".
type tournamentOptions struct {
	games, pieces, parallel int
	seed                    uint64
	gauntlet, json          bool
	anchor, engine, rules   string
	set                     *rules.Rules // nil for Finkel's
	files                   matchfiles.Options
	fleet                   join.Options
}

func tournamentLong() string {
	return `Tournament plays matches between players and rates them.

In a round robin every player meets every other; with --gauntlet only the first
player meets the others. A pairing is a match as played by "ur match", in pairs
of games with the same dice. Pairing k, from 0, has the seed --seed + k, so
"ur match P Q --seed N" repeats it. "ur help players" lists the players.

Ratings are Elo by maximum likelihood (Bradley and Terry), with 95 % confidence
intervals from the pairs of games. The rating 0 is that of --anchor, by default the
first player in a gauntlet and the mean of all players otherwise. If a player won or
lost every game, its maximum-likelihood Elo is infinite; one win and one loss are
then added to each pairing, and the output notes it.

With --out the folder DIR holds log.jsonl, which records every part of the tournament
when it is finished, and at the end tournament.txt, .json and .html, a self-contained
page. To resume a tournament after Ctrl-C, a kill or a power cut, run the same
command again: the results are those of an uninterrupted run. A folder with another
tournament is rejected.

Ratings and scores are the same on every engine, number of threads and machine.

Exit codes: 0 done; 1 failure, such as a game without end; 2 bad usage, or a
folder of another tournament; 130 interrupted (finished games are printed and
saved).`
}

// newTournamentCommand returns "ur tournament".
func newTournamentCommand(env *cli.Env) *cobra.Command {
	var o tournamentOptions
	cmd := &cobra.Command{
		Use:   "tournament P Q [R...]",
		Short: "Play a tournament and rate the players",
		Long:  tournamentLong(),
		Example: `  ur tournament brain greedy first random
  ur tournament brain:mine.txt brain brain:classic --gauntlet --games 100000
  ur tournament brain brain:mine.txt greedy --games 1000000 --out results`,
		Args:              cli.Between(2, 1000, "two players or more"),
		ValidArgsFunction: pick.CompletePlayers(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.set, err = pick.Rules(cmd, o.rules, &o.pieces); err != nil {
				return err
			}
			return runTournament(cmd.Context(), env, o, args)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&o.games, "games", 1000, "games of each pairing, an even number")
	flags.BoolVar(&o.gauntlet, "gauntlet", false, "pair only the first player with the others")
	flags.StringVar(&o.anchor, "anchor", "", "player whose Elo is 0")
	cli.CompleteFlag(cmd, "anchor", pick.CompletePlayers(false))
	pick.RulesFlag(cmd, &o.rules)
	flags.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player, 1 to 7, or as the rules have them")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the dice of the first pairing")
	pick.EngineFlag(cmd, &o.engine, "engine that evaluates for brains (default the fastest here)")
	flags.IntVar(&o.parallel, "parallel", 0, "threads to play with (default one per processor)")
	o.files.Flags(cmd)
	join.Flags(cmd, &o.fleet, "play on the fleet at this address")
	join.VerifyFlag(cmd, &o.fleet)
	flags.BoolVar(&o.json, "json", false, "print one JSON object, of schema ur.tournament/1")
	return cmd
}

// runTournament plays a tournament and prints and saves it, as far as it was finished.
func runTournament(ctx context.Context, env *cli.Env, o tournamentOptions, specs []string) error {
	c, err := o.config(specs)
	if err != nil {
		return err
	}
	pick.Warn(env, c.Players...)
	if err := play.Prepare(ctx, o.pieces, c.Players...); err != nil {
		return err // before the folder is made
	}
	if c.Log, err = o.files.Open(); err != nil {
		return err
	}
	if c.Log != nil {
		defer c.Log.Close()
	}
	leave := func(err error) error { return err }
	if o.fleet.Given() {
		c.Parallel = cmp.Or(c.Parallel, join.Outstanding)
		if c.Backend, leave, err = fleetBackend(ctx, &o.fleet, ""); err != nil {
			return err
		}
	}
	bar := cli.NewProgress(env, c.Schedule().TotalGames(), "games")
	c.Progress = func(games int) { bar.Add(games) }
	result, err := play.Tournament(ctx, c)
	bar.Clear()
	err = leave(err)
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return matchfiles.Failure(err)
	}
	matchfiles.NoteDamage(env, "ur tournament", result.Damaged)
	report := result.Report
	if err := o.files.Save("tournament", report.Sheet, report); err != nil {
		return err
	}
	if err := printTournament(env, o, report, result); err != nil {
		return err
	}
	if interrupted {
		return cli.ErrInterrupted
	}
	return nil
}

// config checks the flags and seats the players.
func (o tournamentOptions) config(specs []string) (c play.TournamentConfig, err error) {
	c = play.TournamentConfig{
		Seed: o.seed, Games: o.games, Rules: o.set, Pieces: o.pieces, Gauntlet: o.gauntlet, Anchor: o.anchor, Parallel: o.parallel,
	}
	if err := o.files.Check(); err != nil {
		return c, err
	}
	for _, spec := range specs {
		p, err := pick.PlayerFor(o.set, spec)
		if err != nil {
			return c, err
		}
		c.Players = append(c.Players, p)
	}
	if c.Engine, err = pick.Engine(o.engine); err != nil {
		return c, err
	}
	return c, pick.ConfigError(c.Check(), map[string]string{"Players": ""})
}

// printTournament writes the result to stdout.
func printTournament(env *cli.Env, o tournamentOptions, report play.TournamentReport, result play.TournamentResult) error {
	if o.json {
		return cli.WriteJSON(env.Stdout, report)
	}
	if err := report.WriteText(env.Stdout); err != nil {
		return err
	}
	found := ""
	if before := result.Games - result.Played; before > 0 {
		found = fmt.Sprintf(", %d found in the log", before)
	}
	_, err := fmt.Fprintf(env.Stdout, "%s played in %.4g s on %s%s\n",
		text.Plural(result.Played, "game"), result.Elapsed.Seconds(), text.Plural(result.Threads, "thread"), found)
	return err
}
