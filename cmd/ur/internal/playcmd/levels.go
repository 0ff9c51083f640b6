package playcmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/solve"
	"github.com/spf13/cobra"
)

const levelsLong = `Levels measures the players level:1 to level:10: the mean regret of a decision, by the
exact solution if there is a table, and the score against the next higher level.

A level errs like a person: it makes a move with probability proportional to
exp(-r/t), where r is the regret of the move in win probability, as estimated by the
built-in net, and t the temperature of the level. The highest level plays perfectly.`

// levelsOptions are the flags of "ur levels".
type levelsOptions struct {
	games, positions, pieces int
	seed                     uint64
	rules, table             string
	set                      *rules.Rules // nil for Finkel's
	json                     bool
}

// newLevelsCommand returns "ur levels".
func newLevelsCommand(env *cli.Env) *cobra.Command {
	var o levelsOptions
	cmd := &cobra.Command{
		Use:     "levels",
		Short:   "Measure the strength of the levels",
		Long:    levelsLong,
		Example: "  ur levels\n  ur levels --pieces 5 --games 20000\n  ur levels --rules blitz",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.set, err = pick.Rules(cmd, o.rules, &o.pieces); err != nil {
				return err
			}
			return runLevels(cmd.Context(), env, o)
		},
	}
	flags := cmd.Flags()
	pick.RulesFlag(cmd, &o.rules)
	flags.IntVar(&o.pieces, "pieces", board.MaxPieces, "pieces of each player, 2 to 7, or as the rules have them")
	flags.IntVar(&o.games, "games", 10_000, "games against the level above")
	flags.IntVar(&o.positions, "positions", 100_000, "decisions of perfect play to measure regret on")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the dice and of the levels")
	pick.TableFlag(cmd, &o.table)
	flags.BoolVar(&o.json, "json", false, "print one JSON object, of schema ur.levels/1")
	return cmd
}

// levelsReport is the JSON form of all levels.
type levelsReport struct {
	Schema string        `json:"schema"` // ur.levels/1
	Rules  string        `json:"rules"`  // name of the rule set
	Pieces int           `json:"pieces"`
	Seed   uint64        `json:"seed"`
	Games  int           `json:"games"`  // games of each level against the next
	Levels []levelReport `json:"levels"` // from the weakest to the strongest
}

// levelReport holds the measurements of a level. Without a table Regret and Optimal are
// missing; the highest level has no scores against a higher one.
type levelReport struct {
	Level       int      `json:"level"`             // 1 to 10
	Temperature float64  `json:"temperature"`       // of the choices, in probability to win
	Regret      *float64 `json:"regret,omitempty"`  // percentage points a decision
	Optimal     *float64 `json:"optimal,omitempty"` // share of decisions without regret
	Score       *float64 `json:"score,omitempty"`   // against the next level, 0 to 1
	Low         *float64 `json:"score_lo,omitempty"`
	High        *float64 `json:"score_hi,omitempty"`
}

// runLevels measures the levels and prints them.
func runLevels(ctx context.Context, env *cli.Env, o levelsOptions) error {
	if err := pick.ConfigError(play.CheckChoice("levels", min(o.pieces, board.MaxPieces)), nil); err != nil {
		return err
	}
	if o.games < 2 || o.games%2 != 0 {
		return cli.UsageError("--games must be even and at least 2 because games come in pairs, got %d", o.games)
	}
	if o.positions < 1 {
		return cli.UsageError("--positions must be at least 1, got %d", o.positions)
	}
	if _, err := o.level(1, nil); err != nil {
		return cli.UsageError("--rules: %w", err)
	}
	table, err := pick.RankedTable(ctx, o.table, o.set, o.pieces)
	if _, ok := errors.AsType[*solve.MissingTableError](err); ok {
		fmt.Fprintf(env.Stderr, "ur levels: no regret, and no level %d: %v\n", play.MaxLevel, err)
		table, err = nil, nil
	}
	if err != nil {
		return err
	}
	var reports []levelReport
	bar := cli.NewProgress(env, play.MaxLevel, "levels")
	for n := 1; n <= play.MaxLevel; n++ {
		r, err := o.measure(ctx, n, table)
		if err != nil {
			bar.Clear()
			return err
		}
		reports = append(reports, r)
		bar.Add(1)
	}
	bar.Clear()
	if o.json {
		return cli.WriteJSON(env.Stdout, levelsReport{"ur.levels/1", play.RulesName(o.set), o.pieces, o.seed, o.games, reports})
	}
	return printLevels(env.Stdout, o, reports)
}

// level returns the player of a level, the highest by a table.
func (o levelsOptions) level(n int, table solve.Ranked) (play.Player, error) {
	name := fmt.Sprintf("level:%d", n)
	finkel, isFinkel := table.(solve.Table)
	switch {
	case n != play.MaxLevel:
		return play.NewLevelFor(o.set, n)
	case o.set == nil && isFinkel:
		return play.NewPerfect(name, play.OneTable(finkel)), nil
	}
	return play.NewRulesPerfect(name, o.set, o.table), nil
}

// regret measures the regret of a level.
func (o levelsOptions) regret(ctx context.Context, p play.Player, table solve.Ranked) (solve.RegretStats, error) {
	options := solve.RegretOptions{Pieces: o.pieces, Decisions: o.positions, Seed: o.seed}
	if finkel, ok := table.(solve.Table); ok && o.set == nil {
		return play.Regret(ctx, p, finkel, nil, options)
	}
	return play.RulesRegret(ctx, p, table, options)
}

// measure measures a level.
func (o levelsOptions) measure(ctx context.Context, n int, table solve.Ranked) (r levelReport, err error) {
	r.Level = n
	if n == play.MaxLevel && table == nil {
		return r, nil
	}
	p, err := o.level(n, table)
	if err != nil {
		return r, err
	}
	if l, ok := p.(play.Level); ok {
		r.Temperature = l.Temperature()
	}
	if table != nil {
		regret, err := o.regret(ctx, p, table)
		if err != nil {
			return r, err
		}
		mean, optimal := cli.Digits(regret.Mean, 4), cli.Digits(regret.Optimal, 4)
		r.Regret, r.Optimal = &mean, &optimal
	}
	if n == play.MaxLevel || n+1 == play.MaxLevel && table == nil {
		return r, nil
	}
	above, err := o.level(n+1, table)
	if err != nil {
		return r, err
	}
	match, err := play.Match(ctx, play.MatchConfig{Players: [2]play.Player{p, above}, Games: o.games, Rules: o.set, Pieces: o.pieces, Seed: o.seed})
	if err != nil {
		return r, err
	}
	e := match.Estimate()
	r.Score, r.Low, r.High = &e.Score, &e.Low, &e.High
	return r, nil
}

// printLevels writes a table for people.
func printLevels(w io.Writer, o levelsOptions, reports []levelReport) error {
	game := text.Plural(o.pieces, "piece")
	if o.set != nil {
		game += ", " + o.set.Title() + " rules"
	}
	fmt.Fprintf(w, "%s, %d games against the level above, seed %d\n\n", game, o.games, o.seed)
	fmt.Fprintln(w, "  level  temperature  regret  optimal  against the level above")
	for _, r := range reports {
		regret, optimal, score := "-", "-", "-"
		if r.Regret != nil {
			regret, optimal = fmt.Sprintf("%.3f", *r.Regret), fmt.Sprintf("%.1f %%", 100**r.Optimal)
		}
		if r.Score != nil {
			score = fmt.Sprintf("%.1f %% (%.1f to %.1f)", 100**r.Score, 100**r.Low, 100**r.High)
		}
		temperature := fmt.Sprintf("%.3f", r.Temperature)
		if r.Level == play.MaxLevel {
			temperature = "perfect"
		}
		fmt.Fprintf(w, "  %5d  %11s  %6s  %7s  %s\n", r.Level, temperature, regret, optimal, score)
	}
	_, err := fmt.Fprintln(w, "\nRegret in percentage points of the probability to win, a decision of perfect play.")
	return err
}
