package solvecmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

type regretOptions struct {
	Positions int  `flag:"positions" default:"1000000" help:"decisions of perfect play, at least 1" unless:"all"`
	All       bool `flag:"all" help:"all decisions of all positions"`
	Rules     pick.Rules
	Seed      uint64 `flag:"seed" default:"1" help:"seed of the dice, and of a player that draws lots"`
	Table     string `flag:"table" help:"<FILE> with the exact solution (default that of the cache)"`
	Parallel  int    `flag:"parallel" help:"threads (default one per processor)"`
	JSON      bool   `flag:"json" help:"print one JSON object, of schema ur.regret/1"`
	Programs  pick.Programs
}

const regretLong = `Regret measures the regret of a player by the exact solution. The regret of a
decision, a roll with at least two legal moves, is the win probability after the best
move minus that after the player's move, in percentage points.

The decisions come from games between perfect players: games 0, 1, 2, ... of the seed,
in batches of 256, until there are at least --positions. With --all they are all
decisions of all positions and both sides, each with the same weight; most of them
never occur in games between sensible players.

It needs a table of the exact solution: the one in the cache, made by "ur solve", or
--table FILE. Up to 5 pieces are solved on demand (4 where the path has 16 squares). A
compact table rounds values to 0.0015 points. A mean has at most that error, and moves
that differ by less count as equal.

"ur help players" lists the players P.

After an interruption the finished measurements are printed, and the exit code is 130.`

func newRegretCommand(env *cli.Env) *cobra.Command {
	var o regretOptions
	return cli.WithFlags(&cobra.Command{
		Use:   "regret P",
		Short: "Measure the regret of a player by the exact solution",
		Long:  regretLong,
		Example: `  ur regret brain
  ur regret brain:mine.txt --all
  ur regret first --pieces 3 --json
  ur regret greedy --rules blitz`,
		Args:              cli.Exactly(1, "a player P"),
		ValidArgsFunction: pick.CompletePlayers(false),
		RunE:              func(cmd *cobra.Command, args []string) error { return runRegret(cmd.Context(), env, o, args[0]) },
	}, &o)
}

// regretReport is the JSON object of "ur regret --json". Regret is in percentage
// points of the probability to win.
type regretReport struct {
	Schema       string  `json:"schema"`
	Player       string  `json:"player"`
	Rules        string  `json:"rules"` // name of the rule set
	Pieces       int     `json:"pieces"`
	Distribution string  `json:"distribution"` // on-policy or all
	Seed         uint64  `json:"seed"`
	Complete     bool    `json:"complete"`  // false when it was interrupted
	Decisions    int64   `json:"decisions"` // number of decisions
	Mean         float64 `json:"mean"`      // percentage points of the probability to win
	P95          float64 `json:"p95"`       // 95 % of the decisions have at most this regret
	P99          float64 `json:"p99"`       // 99 % of the decisions have at most this regret
	Max          float64 `json:"max"`       // largest regret
	Optimal      float64 `json:"optimal"`   // share of decisions without regret
	Seconds      float64 `json:"seconds"`
}

func runRegret(ctx context.Context, env *cli.Env, o regretOptions, spec string) error {
	measure := solve.DecisionOptions{
		Decisions: o.Positions, All: o.All, Pieces: o.Rules.Pieces, Seed: o.Seed, Threads: o.Parallel,
	}
	flags := map[string]string{"Decisions": "positions", "Threads": "parallel"}
	if err := pick.ConfigError(play.CheckRegret(measure), flags); err != nil {
		return err
	}
	player, err := o.Programs.PlayerFor(o.Rules.Set, spec)
	if err == nil {
		err = o.Programs.Check(player)
	}
	if err != nil {
		return err
	}
	defer pick.ClosePrograms(player)
	pick.Warn(env, player)
	table, err := pick.Table(ctx, o.Table, o.Rules.Set, o.Rules.Pieces)
	if err != nil {
		return err
	}
	bar := cli.NewPartBar(env, "decisions")
	begin := time.Now()
	measure.Progress = bar.Done
	stats, err := play.Regret(ctx, player, table, nil, measure)
	bar.Clear()
	if err != nil && (ctx.Err() == nil || stats.Decisions == 0) {
		if forfeit, ok := errors.AsType[*match.ForfeitError](err); ok { // it names a game, and decisions are of none
			return fmt.Errorf("player %q: %w", forfeit.Player, cmp.Or(errors.Unwrap(forfeit.Err), forfeit.Err))
		}
		return err
	}
	report := regretReport{
		Schema: "ur.regret/1", Player: player.Spec, Rules: o.Rules.Set.Name(), Pieces: o.Rules.Pieces,
		Distribution: "on-policy", Seed: o.Seed, Complete: err == nil,
		Decisions: stats.Decisions, Mean: roundDigits(stats.Mean, 4), P95: roundDigits(stats.P95, 4),
		P99: roundDigits(stats.P99, 4), Max: roundDigits(stats.Max, 4),
		Optimal: roundDigits(stats.Optimal, 5), Seconds: secondsSince(begin),
	}
	if o.All {
		report.Distribution = "all"
	}
	if o.JSON {
		return errors.Join(cli.WriteJSON(env.Stdout, report), err)
	}
	report.printReport(env.Stdout, o.Rules.Set)
	return err
}

func (r regretReport) printReport(w io.Writer, set *board.Rules) {
	over := "of perfect play, seed " + fmt.Sprint(r.Seed)
	if r.Distribution == "all" {
		over = "of all positions"
	}
	fmt.Fprintf(w, "%s: regret over %s decisions %s, %s\n\n", r.Player, text.Grouped(r.Decisions), over, pick.GameName(set))
	fmt.Fprintf(w, "  mean     %8.4f points\n  95 %%     %8.4f\n  99 %%     %8.4f\n  maximum  %8.4f\n",
		r.Mean, r.P95, r.P99, r.Max)
	fmt.Fprintf(w, "  optimal  %8.2f %% of choices\n", 100*r.Optimal)
	fmt.Fprintf(w, "\n  %.1f s\n", r.Seconds)
	if !r.Complete {
		fmt.Fprintln(w, "  Interrupted: these are the decisions until then.")
	}
}

// roundDigits rounds to a number of significant digits.
func roundDigits(x float64, n int) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', n, 64), 64) // the text of a number
	return rounded
}

// secondsSince returns the elapsed seconds, to a millisecond.
func secondsSince(begin time.Time) float64 {
	return time.Since(begin).Round(time.Millisecond).Seconds()
}
