package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/rating"
	"github.com/seed-09dcdc84/ur/reversi"
	"github.com/seed-09dcdc84/ur/reversi/board"
	"github.com/spf13/cobra"
)

// tournamentResult is what "reversi tournament --json" prints.
type tournamentResult struct {
	Schema  string         `json:"schema"`
	Seed    uint64         `json:"seed"`
	Table   []tournamentee `json:"table"` // the strongest first
	Matches []matchResult  `json:"matches"`
	Prior   bool           `json:"prior"` // somebody won or lost everything: see rating.Ratings
	Seconds float64        `json:"seconds"`
}

type tournamentee struct {
	Player string  `json:"player"`
	Elo    float64 `json:"elo"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Points float64 `json:"points"`
	Games  int     `json:"games"`
}

func newTournamentCommand(env *cli.Env) *cobra.Command {
	var o matchOptions
	cmd := &cobra.Command{
		Use:   "tournament P Q [R ...]",
		Short: "Let every player play every other",
		Long: `Tournament lets each two of the players play a match, as reversi match does, and
rates them by all results together: points of Elo about their mean, with 95 %
intervals.

Players:
` + reversi.PlayersHelp,
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
	m, err := o.plan()
	if err != nil {
		return err
	}
	makers, err := makePlayers(env, names, &o.playerOptions)
	if err != nil {
		return err
	}
	var (
		encounters []rating.Encounter
		games      []board.Record
		result     = tournamentResult{Schema: "reversi.tournament/1", Seed: o.seed}
		points     = make([]tournamentee, len(names))
	)
	bar := cli.NewProgress(env, o.games*len(names)*(len(names)-1)/2, "games")
	begin := time.Now()
	for i := range names {
		for j := i + 1; j < len(names) && ctx.Err() == nil; j++ {
			m.First, m.Second = makers[i], makers[j]
			m.Report = func(s *reversi.Score) { bar.Set(len(games) + len(s.Games)) }
			score, err := m.Play(ctx)
			if score == nil || err != nil && ctx.Err() == nil {
				return err
			}
			if len(score.Games) == 0 {
				continue
			}
			games = append(games, score.Games...)
			encounters = append(encounters, rating.Encounter{First: i, Second: j, Pairs: score.Pairs})
			result.Matches = append(result.Matches, summary([]string{names[i], names[j]}, o.seed, nil, score, 0))
			won := float64(score.Wins) + float64(score.Draws)/2
			points[i].Points += won
			points[j].Points += float64(len(score.Games)) - won
			points[i].Games += len(score.Games)
			points[j].Games += len(score.Games)
		}
	}
	bar.Finish()
	result.Seconds = time.Since(begin).Seconds()
	if err := saveGames(o.record, games); err != nil {
		return err
	}
	if ctx.Err() != nil && len(encounters) < len(names)*(len(names)-1)/2 {
		fmt.Fprintf(env.Stderr, "interrupted after %s: too few to rate the players by\n", text.Plural(len(games), "game"))
		return cli.ErrInterrupted
	}
	ratings, err := rating.Rate(len(names), encounters, rating.MeanAnchor)
	if err != nil {
		return err
	}
	result.Prior = ratings.Prior
	for i, r := range ratings.Players {
		points[i].Player, points[i].Elo, points[i].Low, points[i].High = names[i], r.Elo, r.Low, r.High
	}
	slices.SortStableFunc(points, func(a, b tournamentee) int {
		switch {
		case a.Elo > b.Elo:
			return -1
		case a.Elo < b.Elo:
			return 1
		}
		return 0
	})
	result.Table = points
	if err := writeTournament(env, o.json, result); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	return nil
}

func writeTournament(env *cli.Env, asJSON bool, r tournamentResult) error {
	if asJSON {
		return cli.WriteJSON(env.Stdout, r)
	}
	width := len("player")
	for _, p := range r.Table {
		width = max(width, len(p.Player))
	}
	fmt.Fprintf(env.Stdout, "%-*s  %6s  %15s  %s\n", width, "player", "Elo", "95 % interval", "points")
	for _, p := range r.Table {
		fmt.Fprintf(env.Stdout, "%-*s  %+6.0f  [%+6.0f,%+6.0f]  %g of %d\n", width, p.Player, p.Elo, p.Low, p.High, p.Points, p.Games)
	}
	if r.Prior {
		fmt.Fprintln(env.Stdout, "somebody won or lost everything: one drawn pair was added to each match")
	}
	_, err := fmt.Fprintf(env.Stdout, "seed %d\n", r.Seed)
	return err
}
