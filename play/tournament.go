package play

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/config"
	"github.com/seed-09dcdc84/ur/internal/gameconfig"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/rating"
)

// TournamentConfig configures a tournament.
type TournamentConfig struct {
	Players []Player // two at least, with different names

	// Gauntlet lets the first player meet all others, and these not one another.
	// Otherwise each meets each: a round robin.
	Gauntlet bool

	// Games of each pairing, an even number, in pairs as in [Match]. Pairing number k, from 0,
	// has the seed Seed+k, so it equals the match of its players with that seed, and no two
	// pairings share dice. Pairings are in the order of [match.Schedule.Pairings].
	Games int
	Seed  uint64

	// Rules is the rule set; nil means Finkel's.
	Rules *rules.Rules

	// Pieces of each player, 1 to 7; 0 means 7. Under other rules 1 to 10, and 0 means those of
	// the rule set.
	Pieces int

	// TurnLimit is how many turns a game may take; 0 means [ur.DefaultTurnLimit].
	TurnLimit int

	// Anchor is the name of the player whose rating is 0. Without one, the first of a
	// gauntlet is it, and in a round robin the ratings have the mean 0.
	Anchor string

	// Engine evaluates for the players that need it; nil means [engine.Fastest].
	Engine ur.Engine

	// Parallel is how many goroutines may play at a time, at most [MaxParallel]; 0
	// means GOMAXPROCS. The result is the same for any number.
	Parallel int

	// Backend, when not nil, plays the games instead of this process. The result is the same.
	Backend Backend

	// Log, when not nil, keeps finished spans, including those of earlier runs.
	Log *match.Log

	// Progress, when not nil, is called with the number of games finished, or found in the log,
	// since its last call. Several goroutines may call it at a time.
	Progress func(games int)
}

// TournamentResult is the result of a tournament, or of its finished part.
type TournamentResult struct {
	match.Outcome[Score] // scores in the order of [match.Schedule.Pairings]

	// Report rates the players. It holds nothing of the machine or the time, so the same
	// tournament gives the same report.
	Report TournamentReport
}

// TournamentReport is the form of a tournament for programs.
type TournamentReport struct {
	Schema string `json:"schema"` // ur.tournament/1
	match.Sheet
	Rules    string          `json:"rules"` // name of the rule set
	Pieces   int             `json:"pieces"`
	Pairings []reportPairing `json:"pairings"` // one for each pair of players
}

// reportPairing is a match in a report. Ranges are 95 % confidence intervals.
type reportPairing struct {
	Players       [2]string    `json:"players"` // names of the players
	Seed          uint64       `json:"seed"`
	Games         int64        `json:"games"`
	Wins          [2]int64     `json:"wins"`  // games won, by player
	Pairs         rating.Pairs `json:"pairs"` // by half points of the first player
	Score         float64      `json:"score"`
	ScoreLow      float64      `json:"score_lo"`
	ScoreHigh     float64      `json:"score_hi"`
	VarianceRatio float64      `json:"variance_ratio"` // variance of the score divided by the variance of independent games
	Turns         int64        `json:"turns"`
	LightWins     int64        `json:"light_wins"`
}

// Tournament plays a tournament. When ctx ends, it returns the finished games and the error of
// ctx. It ends in the same way when a game exceeds the turn limit or the log cannot be written.
// Spans in the log are not played again.
func Tournament(ctx context.Context, c TournamentConfig) (TournamentResult, error) {
	c, err := c.complete()
	if err != nil {
		return TournamentResult{}, err
	}
	if c.Backend == nil {
		if err := Prepare(ctx, c.Pieces, c.Players...); err != nil {
			return TournamentResult{}, err
		}
	}
	plan := c.plan()
	if c.Log != nil {
		if plan.Header, err = c.header(ctx); err != nil {
			return TournamentResult{}, err
		}
	}
	o, failed := match.Run(ctx, plan)
	report, err := c.report(o)
	if failedGame(failed) != ^uint64(0) {
		p := report.Pairings[o.Failed].Players
		failed = fmt.Errorf("%s against %s: %w", p[0], p[1], failed)
	}
	return TournamentResult{o, report}, cmp.Or(failed, err)
}

// Check returns a [*config.Error] when [Tournament] would.
func (c TournamentConfig) Check() error {
	_, err := c.complete()
	return err
}

// complete returns c with its defaults filled in, or a [*config.Error].
func (c TournamentConfig) complete() (TournamentConfig, error) {
	const name = "tournament"
	for i, p := range c.Players {
		if p == nil {
			return c, config.Fault(name, "Players", "must not be nil, number %d is", i)
		}
	}
	if err := c.Schedule().Check(); err != nil {
		return c, err
	}
	common, err := gameconfig.Common{Rules: OtherRules(c.Rules), Pieces: c.Pieces, TurnLimit: c.TurnLimit, Parallel: c.Parallel, Engine: c.Engine}.Complete(name)
	if err != nil {
		return c, err
	}
	c.Rules, c.Pieces, c.TurnLimit, c.Parallel, c.Engine = common.Rules, common.Pieces, common.TurnLimit, common.Parallel, common.Engine
	return c, checkPlayers(name, c.Rules, c.Players...)
}

// Schedule returns the schedule of the tournament.
func (c TournamentConfig) Schedule() match.Schedule {
	s := match.Schedule{Gauntlet: c.Gauntlet, Games: c.Games, Seed: c.Seed, Anchor: c.Anchor}
	s.Players = text.List(c.Players, Player.Name)
	return s
}

// The pairs of a span of a tournament, for two brains, which an engine plays by the million a
// second, and for other players. An interruption loses only the spans in progress.
const (
	brainUnit = 2048
	otherUnit = 64
)

// plan returns the plan of a complete configuration.
func (c TournamentConfig) plan() match.Plan[Score] {
	pairings := c.Schedule().Pairings()
	config := func(pairing int) MatchConfig {
		p := pairings[pairing]
		return MatchConfig{
			Players: [2]Player{c.Players[p.First], c.Players[p.Second]}, Seed: p.Seed, Games: c.Games,
			Rules: c.Rules, Pieces: c.Pieces, TurnLimit: c.TurnLimit, Engine: c.Engine, Parallel: c.Parallel, Backend: c.Backend,
		}
	}
	return match.Plan[Score]{
		Pairings: len(pairings), Games: c.Games, Parallel: c.Parallel, Log: c.Log, Progress: c.Progress,
		Unit: func(pairing int) int {
			m, pairs := config(pairing), otherUnit
			if m.betweenBrains() {
				pairs = brainUnit
			}
			if c.Backend != nil && c.Log == nil {
				return max(pairs, m.backendUnit())
			}
			return pairs
		},
		Sit: func(ctx context.Context, pairing int) (match.SpanRunner[Score], error) {
			return newRunner(ctx, config(pairing), nil)
		},
	}
}

// report rates the players.
func (c TournamentConfig) report(o match.Outcome[Score]) (TournamentReport, error) {
	pairs := make([]rating.Pairs, len(o.Scores))
	for i, s := range o.Scores {
		pairs[i] = s.Pairs
	}
	sheet, err := c.Schedule().Rate(pairs)
	sheet.Details = fmt.Sprintf(" of %d pieces", c.Pieces)
	if c.Rules != nil {
		sheet.Details = fmt.Sprintf(" of %s, %d pieces", c.Rules.Title(), c.Pieces)
	}
	sheet.Luck, sheet.Command = "the same dice", "ur match"
	r := TournamentReport{Schema: "ur.tournament/1", Sheet: sheet, Rules: RulesName(c.Rules), Pieces: c.Pieces}
	for i, p := range sheet.Pairings {
		s := o.Scores[i]
		r.Pairings = append(r.Pairings, reportPairing{
			Players: p.Players, Seed: p.Seed, Games: s.Tally.Games, Wins: s.Wins, Pairs: s.Pairs,
			Score: p.Score, ScoreLow: p.Low, ScoreHigh: p.High, VarianceRatio: p.VarianceRatio,
			Turns: s.Tally.Turns, LightWins: s.Tally.Wins[0],
		})
	}
	return r, err
}

// The header of a tournament's log.
const (
	logSchema    = "ur.tournament-log/1"
	keyGauntlet  = "gauntlet"
	keyPieces    = "pieces"
	keyRules     = "rules"
	keyTurnLimit = "turn_limit"
)

// header returns everything that determines the games.
func (c TournamentConfig) header(ctx context.Context) (match.Header, error) {
	h := match.Header{
		Schema: logSchema, Games: c.Games, Seed: c.Seed,
		Settings: map[string]any{keyGauntlet: c.Gauntlet, keyPieces: c.Pieces, keyTurnLimit: c.TurnLimit},
	}
	if c.Rules != nil {
		h.Settings[keyRules] = c.Rules // the whole definition
	}
	for _, p := range c.Players {
		identity, err := Identity(ctx, p, c.Pieces)
		if err != nil {
			return h, err
		}
		h.Players = append(h.Players, match.Entrant{Name: p.Name(), Identity: identity})
	}
	return h, nil
}
