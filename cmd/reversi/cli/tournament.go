package cli

import (
	"context"
	"errors"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/spf13/cobra"
)

// tournamentResult is the output of "reversi tournament --json".
type tournamentResult struct {
	Schema  string         `json:"schema"`
	Seed    uint64         `json:"seed"`
	Table   []tournamentee `json:"table"`   // the strongest first
	Matches []matchResult  `json:"matches"` // one for each pair of players
	Prior   bool           `json:"prior"`   // whether each pair of players was given one more pair of games, to keep ratings finite
	Seconds float64        `json:"seconds"`
}

type tournamentee struct {
	Player string  `json:"player"`
	Elo    float64 `json:"elo"`    // Elo relative to the mean of all players
	Low    float64 `json:"low"`    // lower bound of the interval
	High   float64 `json:"high"`   // upper bound of the interval
	Points float64 `json:"points"` // sum of points
	Games  int     `json:"games"`
}

func newTournamentCommand(env *cli.Env) *cobra.Command {
	var o matchOptions
	cmd := &cobra.Command{
		Use:   "tournament P Q [R ...]",
		Short: "Let every player play every other",
		Long: `Tournament lets each two of the players play a match, as reversi match does, and
rates them by all results together: points of Elo about their mean, with 95 %
intervals. Match k of the tournament, from 0, is "reversi match" with --seed + k.

` + keptHelp + `
"reversi help players" lists the players.`,
		Example: `  reversi tournament level:1 level:2 level:3 greedy --games 40`,
		Args:    cli.Between(2, 64, "two to 64 players"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := wantTime(cmd, "time", o.time); err != nil {
				return err
			}
			return tournament(cmd.Context(), env, args, o)
		},
	}
	o.addAll(cmd, 20)
	return cmd
}

func tournament(ctx context.Context, env *cli.Env, names []string, o matchOptions) error {
	g, err := o.prepare(ctx, env, names, "tournament")
	if err != nil {
		return err
	}
	out, err := g.play(ctx, env)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	sheet, failed := g.sheet(out)
	if failed != nil {
		return failed
	}
	result := tournamentResult{Schema: "reversi.tournament/1", Seed: o.seed, Prior: sheet.Prior, Seconds: out.Elapsed.Seconds()}
	for _, p := range sheet.Players {
		result.Table = append(result.Table, tournamentee{p.Name, p.Elo, p.EloLow, p.EloHigh, p.Score * float64(p.Games), int(p.Games)})
	}
	for i, p := range sheet.Pairings {
		result.Matches = append(result.Matches, summary(p.Players[:], p.Seed, out.Scores[i]))
	}
	if failed := g.save(out, result); failed != nil {
		return failed
	}
	if o.json {
		failed = cli.WriteJSON(env.Stdout, result)
	} else {
		failed = sheet.WriteText(env.Stdout)
	}
	if failed == nil && err != nil {
		return cli.ErrInterrupted
	}
	return failed
}
