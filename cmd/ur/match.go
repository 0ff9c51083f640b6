package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/spf13/cobra"
)

// matchOptions are the flags of "ur match".
type matchOptions struct {
	games, pieces, parallel int
	seed                    uint64
	engine                  string
	json                    bool
}

// matchReport is the JSON form of a match.
type matchReport struct {
	Schema    string    `json:"schema"` // ur.match/1
	Engine    string    `json:"engine"`
	Seed      uint64    `json:"seed"`
	Games     int64     `json:"games"` // finished
	Pieces    int       `json:"pieces"`
	Players   [2]string `json:"players"`
	Wins      [2]int64  `json:"wins"` // by player
	LightWins int64     `json:"light_wins"`
	Turns     int64     `json:"turns"`
	Captures  int64     `json:"captures"`
	NsPerGame float64   `json:"ns_per_game"`
	NsPerTurn float64   `json:"ns_per_turn"`
	Moves     int64     `json:"moves"`
	Rosettes  int64     `json:"rosettes"`
	Passes    int64     `json:"passes"`
	Threads   int       `json:"threads"`
	Seconds   float64   `json:"seconds"`
}

const matchLong = `Match lets two players play against each other and counts who wins.

Game g of the match is game g of the seed; the first player is Light when g is
even and Dark when g is odd. Light moves first. The result is the same on every
engine, number of threads and machine; only the time is not.

A player is brain, brain:FILE, greedy, first or random.

Win rates come with their 95 % confidence interval (Wilson). A turn is one throw
of the dice, passes included. us/game and ns/turn are wall-clock time divided by
the games and turns of all threads together: with twice the threads they halve.

Exit codes: 0 done; 1 failure, such as a game without end; 2 bad usage;
130 interrupted, after printing the games that were finished.`

// newMatchCommand returns "ur match".
func newMatchCommand(env *environment) *cobra.Command {
	var o matchOptions
	cmd := &cobra.Command{
		Use:   "match P Q",
		Short: "Let two players play many games and count who wins",
		Long:  matchLong,
		Example: `  ur match brain greedy
  ur match brain:mine.txt brain --games 100000 --seed 7
  ur match brain random --pieces 3 --json`,
		Args:              exactly(2, "two players P and Q"),
		ValidArgsFunction: completeTwo(completePlayers()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runMatch(cmd.Context(), env, o, args)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&o.games, "games", 1000, "number of games, at least 1")
	flags.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player, 1 to 7")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the dice")
	addEngineFlag(cmd, &o.engine, "engine that evaluates for brains (default the fastest here)")
	flags.IntVar(&o.parallel, "parallel", 0, "threads that play (default one for each processor)")
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
func runMatch(ctx context.Context, env *environment, o matchOptions, specs []string) error {
	c, err := o.config(specs)
	if err != nil {
		return err
	}
	bar := newProgress(env, o.games, "games")
	c.Progress = func(games int) { bar.Add(games) }
	result, err := play.Match(ctx, c)
	bar.Clear()
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return err
	}
	report := newMatchReport(c, result)
	switch {
	case o.json:
		if err := writeJSON(env.stdout, report); err != nil {
			return err
		}
	case report.Games > 0:
		report.print(env)
	}
	if interrupted {
		return errInterrupted
	}
	return nil
}

// config checks the flags and seats the players.
func (o matchOptions) config(specs []string) (c play.MatchConfig, err error) {
	c = play.MatchConfig{Seed: o.seed, Games: o.games, Pieces: o.pieces, Parallel: o.parallel}
	if o.games < 1 {
		return c, usageError("--games must be at least 1, got %d", o.games)
	}
	if err := board.CheckPieces(o.pieces); err != nil {
		return c, usageError("--pieces: %w", err)
	}
	if o.parallel < 0 || o.parallel > play.MaxParallel {
		return c, usageError("--parallel must be at least 1 and at most %d, or 0 for one thread a processor, got %d", play.MaxParallel, o.parallel)
	}
	for i, spec := range specs {
		if c.Players[i], err = play.ParsePlayer(spec); err != nil {
			return c, usageError("%w", err)
		}
	}
	c.Engine, err = chooseEngine(o.engine)
	return c, err
}

// newMatchReport puts a result into its JSON form.
func newMatchReport(c play.MatchConfig, r play.MatchResult) matchReport {
	return matchReport{
		Schema:    "ur.match/1",
		Engine:    c.Engine.Name(),
		Seed:      c.Seed,
		Games:     r.Tally.Games,
		Pieces:    c.Pieces,
		Players:   [2]string{c.Players[0].Name(), c.Players[1].Name()},
		Wins:      r.Wins,
		LightWins: r.Tally.Wins[board.Light],
		Turns:     r.Tally.Turns,
		Captures:  r.Tally.Captures,
		NsPerGame: hundredths(r.NsPerGame()),
		NsPerTurn: hundredths(r.NsPerTurn()),
		Moves:     r.Tally.Moves,
		Rosettes:  r.Tally.Rosettes,
		Passes:    r.Tally.Passes,
		Threads:   r.Threads,
		Seconds:   r.Elapsed.Seconds(),
	}
}

// hundredths rounds a time to what can be read from a clock.
func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// print writes the report for people.
func (r matchReport) print(env *environment) {
	names := r.Players
	if names[0] == names[1] {
		names = [2]string{names[0] + " (first)", names[1] + " (second)"}
	}
	width := max(len(names[0]), len(names[1]), len("dark"))
	rate := func(name string, wins int64) {
		low, high := play.Wilson(wins, r.Games)
		fmt.Fprintf(env.stdout, "  %-*s  %*d wins  %5.1f %%   (95 %%: %.1f to %.1f)\n",
			width, name, len(fmt.Sprint(r.Games)), wins, 100*float64(wins)/float64(r.Games), 100*low, 100*high)
	}
	each := func(count int64) float64 { return float64(count) / float64(r.Games) }

	fmt.Fprintf(env.stdout, "%s against %s: %s of %s, seed %d\n\n",
		r.Players[0], r.Players[1], plural(r.Games, "game"), plural(r.Pieces, "piece"), r.Seed)
	rate(names[0], r.Wins[0])
	rate(names[1], r.Wins[1])
	fmt.Fprintln(env.stdout)
	rate("light", r.LightWins)
	rate("dark", r.Games-r.LightWins)
	fmt.Fprintf(env.stdout, "\n  a game: %.1f turns, %.1f moves (%.1f captures, %.1f to rosettes), %.1f passes\n",
		each(r.Turns), each(r.Moves), each(r.Captures), each(r.Rosettes), each(r.Passes))
	fmt.Fprintf(env.stdout, "  %.4g us/game, %.4g ns/turn, %.0f games/s\n", r.NsPerGame/1000, r.NsPerTurn, 1e9/max(1, r.NsPerGame))
	fmt.Fprintf(env.stdout, "  engine %s, threads %d, %.4g s\n", r.Engine, r.Threads, r.Seconds)
}
