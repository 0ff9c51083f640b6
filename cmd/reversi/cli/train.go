package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/reversi/train"
	"github.com/spf13/cobra"
)

type trainOptions struct {
	Output string `flag:"output,o" help:"write the weights to <FILE>"`
	cli.Overwrite
	Folder  string   `flag:"folder" help:"store finished games in <FOLDER>, and continue from those in it"`
	Games   int      `flag:"games" help:"<games> of the last round of self-play"`
	Seed    uint64   `flag:"seed" default:"1" help:"<seed> of the games"`
	Threads int      `flag:"threads" help:"<number> of threads that play (default: one for each core)"`
	WTHOR   []string `flag:"wthor" help:"learn from these <FILES> instead, joined by commas" unless:"folder"`
	Curve   bool     `flag:"curve" help:"print a learning curve"`
	JSON    bool     `flag:"json" help:"print JSON"`
}

type trainResult struct {
	Schema string `json:"schema"`
	Seed   uint64 `json:"seed"`
	Games  int    `json:"games"`
	train.Result
	File string `json:"file"`
}

func newTrainCommand(env *cli.Env) *cobra.Command {
	o := trainOptions{Games: train.DefaultGames, Threads: runtime.GOMAXPROCS(0)}
	return cli.WithFlags(&cobra.Command{
		Use:   "train -o FILE",
		Short: "Learn the weights of patterns from self-play or from archives of games",
		Long: `Train plays games against itself in six rounds, and fits the weights of patterns to
their results. Each round uses the weights of rounds before. A seed determines the
weights on any number of threads.

With --folder it stores every finished game there, and the same command continues an
interrupted run. With --wthor it learns from archives of games in the WTHOR format
(.wtb) instead. With --curve it also fits weights to fewer games, and prints their
errors.

The built-in weights come from "reversi train -o weights.bin".`,
		Example: `  reversi train -o weights.bin --folder games
  reversi train -o weights.bin --wthor WTH_2004.wtb,WTH_2005.wtb
  reversi match search:time=50ms,eval=weights.bin hand`,
		RunE: func(cmd *cobra.Command, _ []string) error { return learn(cmd.Context(), env, o) },
	}, &o)
}

func learn(ctx context.Context, env *cli.Env, o trainOptions) error {
	switch {
	case o.Output == "":
		return cli.UsageError("train needs -o FILE: where the weights go")
	case o.Games < 32:
		return cli.UsageError("--games: %d (want 32 or more)", o.Games)
	case o.Threads < 1:
		return cli.UsageError("--threads: %d (want 1 or more)", o.Threads)
	}
	if err := cli.CheckOutput("--output", o.Output, o.Force); err != nil {
		return err
	}
	r, err := learned(ctx, env, o)
	if err != nil {
		return err
	}
	if err := safefile.Write(o.Output, r.Weights.Write); err != nil {
		return err
	}
	if o.JSON {
		return cli.WriteJSON(env.Stdout, r)
	}
	fmt.Fprintf(env.Stdout, "%s, seed %d: weights in %s\nerror in discs, by stage of four discs each:", text.Plural(r.Games, "game"), r.Seed, r.File)
	for _, e := range r.Errors {
		fmt.Fprintf(env.Stdout, " %.1f", e)
	}
	fmt.Fprintln(env.Stdout)
	for _, p := range r.Curve {
		fmt.Fprintf(env.Stdout, "%s: %.2f\n", text.Plural(p.Games, "game"), p.Error)
	}
	_, err = fmt.Fprintf(env.Stdout, "all games and stages: %.2f\n", r.Error)
	return err
}

func learned(ctx context.Context, env *cli.Env, o trainOptions) (trainResult, error) {
	r := trainResult{Schema: "reversi.train/2", Seed: o.Seed, Games: o.Games, File: o.Output}
	if len(o.WTHOR) > 0 {
		games, err := readArchives(o.WTHOR)
		if err != nil {
			return r, err
		}
		r.Games = len(games)
		fit := train.DefaultFit
		fit.Threads = o.Threads
		if r.Result, err = fit.Weights(ctx, games); err == nil && o.Curve {
			r.Curve, err = fit.Curve(ctx, games)
		}
		return r, err
	}
	if o.Folder != "" {
		if err := os.MkdirAll(o.Folder, 0o777); err != nil {
			return r, cli.UsageError("--folder: %w", err)
		}
	}
	plan := train.DefaultPlan(o.Seed, o.Games)
	plan.Curve = o.Curve
	before := make([]int, len(plan.Rounds)+1) // games of the rounds before each
	for i, r := range plan.Rounds {
		before[i+1] = before[i] + r.Games
	}
	bar := cli.NewProgress(env, before[len(plan.Rounds)], "games")
	var err error
	r.Result, err = plan.Run(ctx, o.Folder, o.Threads, func(round, played, _ int) { bar.Set(before[round-1] + played) })
	bar.Clear()
	if ctx.Err() != nil && o.Folder == "" {
		fmt.Fprintln(env.Stderr, "no game is kept: --folder FOLDER stores them, and continues an interrupted run")
	}
	return r, err
}

func readArchives(names []string) ([]train.Game, error) {
	var all []train.Game
	for _, name := range names {
		if name == "" {
			return nil, cli.UsageError("--wthor %s: an empty name (want files joined by commas)", strings.Join(names, ","))
		}
		games, err := openArchive(name)
		if err != nil {
			return nil, cli.UsageError("--wthor: %w", err)
		}
		all = append(all, games...)
	}
	if len(all) == 0 {
		return nil, cli.UsageError("--wthor %s: no complete games (want at least one)", strings.Join(names, ","))
	}
	return all, nil
}
