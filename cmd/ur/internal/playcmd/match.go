package playcmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/cmd/internal/matchcmd"
	"github.com/seed-09dcdc84/ur/cmd/ur/internal/pick"
	"github.com/seed-09dcdc84/ur/fleet/work"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/safefile"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/spf13/cobra"
)

type matchOptions struct {
	matchcmd.Options `record:"record all games to <FILE>, as \"ur show\" reads it; slower"`
	Rules            pick.Rules
	Engine           pick.EngineName `help:"engine that evaluates for brains (default the fastest here)"`
	Programs         pick.Programs
	Luck             bool `flag:"luck" help:"also print scores corrected for luck"`
}

const matchLong = `Match plays games between players and counts the wins.

Games come in pairs: games 2k and 2k+1 have the dice of game k of the seed, and
the first player is Light in the one and Dark in the other. Light moves first.
The result is the same on every engine, number of threads and machine; only the
time is not. The last game of an odd number has no pair, and counts in the wins alone.
"ur help players" lists the players.

` + matchcmd.Help + `

--luck also scores the games corrected for luck: the result minus the luck of each
roll by the exact solution (value after the best move minus value before the roll).
The mean is the same and the error smaller, so far fewer games are needed. It needs
a table made by "ur solve", and plays more slowly.

A turn is one throw of the dice, passes included. us/game and ns/turn are
wall-clock time divided by the games and turns of all threads together: with
twice the threads they halve. Games found in the log of --out do not count.`

func newMatchCommand(env *cli.Env) *cobra.Command {
	o := matchOptions{Options: matchcmd.Options{Games: 1000}}
	return cli.WithFlags(&cobra.Command{
		Use:   "match P Q [R...]",
		Short: "Play many games between two or more players",
		Long:  matchLong,
		Example: `  ur match brain greedy
  ur match brain:mine.txt brain --games 100000 --seed 7
  ur match brain:mine.txt brain --sprt elo0=0,elo1=5,alpha=0.05,beta=0.05
  ur match greedy random --rules blitz
  ur match brain greedy first random --out results`,
		Args:              cli.Between(2, 1000, "two players or more"),
		ValidArgsFunction: pick.CompletePlayers(false),
		RunE:              func(cmd *cobra.Command, args []string) error { return runMatch(cmd.Context(), env, &o, args) },
	}, &o)
}

func runMatch(ctx context.Context, env *cli.Env, o *matchOptions, specs []string) error {
	c, err := o.matchConfig(specs)
	if err != nil {
		return err
	}
	pick.Warn(env, c.Players...)
	defer pick.ClosePrograms(c.Players...)
	if o.Luck {
		if c.Luck, err = pick.Table(ctx, "", o.Rules.Set, c.Pieces); err != nil {
			return err
		}
	}
	if !o.Fleet.Given() {
		if err := play.Prepare(ctx, o.Rules.Pieces, c.Players...); err != nil {
			return err // no folder is made yet
		}
	}
	g := matchcmd.Game[play.Score]{
		Program: "ur", Schedule: c.Schedule(), Details: " of " + pick.GameName(o.Rules.Set), Luck: "the same dice",
		Unpaired: "games without the other of their pair",
		Play: func(ctx context.Context, log *match.Log, progress func(int), forfeit func(error)) (match.Outcome[play.Score], error) {
			c.Log, c.Progress, c.Forfeit = log, progress, forfeit
			return o.playMatch(ctx, c)
		},
		Pairing: func(s matchcmd.Summary, score play.Score) any { return newUrPairing(s, score) },
		Match: func(s matchcmd.Summary, score play.Score, e matchcmd.Ending) any {
			return matchReport{"ur.match/1", c.Engine.Name(), o.Rules.Set.Name(), c.Pieces, newUrPairing(s, score),
				figure(speedOf(score, e).NsPerGame()), figure(speedOf(score, e).NsPerTurn()), e}
		},
		Tournament: func(sheet match.Sheet, pairings []any) any {
			return tournamentReport{"ur.tournament/1", sheet, o.Rules.Set.Name(), c.Pieces, pairings}
		},
		Lines: func(w io.Writer, s play.Score, e matchcmd.Ending, width int) { writeCounts(w, c, s, e, width) },
		Line:  func(s play.Score) string { return luckText(c, s) },
	}
	return matchcmd.Run(ctx, env, &o.Options, g)
}

// playMatch plays the games, here or on a fleet, and records them if requested, including those of an
// interrupted match.
func (o *matchOptions) playMatch(ctx context.Context, c play.MatchConfig) (out match.Outcome[play.Score], err error) {
	if o.Fleet.Given() {
		conn, err := o.Fleet.Join(ctx, "ur match")
		if err != nil {
			return out, err
		}
		b := work.NewUr(conn)
		c.Backend, b.Verify = b, o.Fleet.Verify
		result, err := play.Match(ctx, c)
		return result.Outcome, o.Fleet.Leave(ctx, conn, b.Close, err)
	}
	if o.Record == "" {
		result, err := play.Match(ctx, c)
		return result.Outcome, err
	}
	form, err := recordForm(o.Record, "jsonl", o.Force)
	if err != nil {
		return out, err
	}
	if games := c.Schedule().TotalGames(); form.One && games > 1 {
		return out, cli.UsageError("--record: format %s holds one game, got %d games (want .jsonl, .json or .txt)",
			form.Name, games)
	}
	var played error
	err = safefile.Write(o.Record, func(w io.Writer) error {
		file := record.NewWriter(w, form)
		c.Record = file.Write
		var result play.MatchResult
		result, played = play.Match(ctx, c)
		out = result.Outcome
		if played != nil && ctx.Err() == nil {
			return played
		}
		return file.Close()
	})
	if played != nil {
		return out, played
	}
	return out, err
}

// matchConfig checks the flags and seats the players.
func (o *matchOptions) matchConfig(specs []string) (c play.MatchConfig, err error) {
	if err := o.Check(len(specs)); err != nil {
		return c, err
	}
	c = play.MatchConfig{
		Seed: o.Seed, Games: o.Games, Rules: o.Rules.Set, Pieces: o.Rules.Pieces, Parallel: o.Parallel, SPRT: o.Test,
		Gauntlet: o.Gauntlet,
	}
	switch {
	case o.Record != "" && o.Fleet.Given():
		return c, cli.UsageError("--record cannot be used with --fleet: fleet games are not recorded")
	case o.Record != "" && o.Logs():
		return c, cli.UsageError("--record cannot be used with --out: games of the log are not played again")
	}
	for _, spec := range specs {
		p, err := o.Programs.PlayerFor(o.Rules.Set, spec)
		if err != nil {
			return c, err
		}
		if _, program := p.Source.(*play.Program); program && o.Fleet.Given() {
			return c,
				cli.UsageError("--fleet cannot be used with player %q: workers run no programs (want another player)",
					spec)
		}
		c.Players = append(c.Players, p)
	}
	if err := o.Programs.Check(c.Players...); err != nil {
		return c, err
	}
	if c.Engine, err = o.Engine.Find(); err != nil {
		return c, err
	}
	return c, pick.ConfigError(c.Check(), map[string]string{"Players": ""})
}

type urPairing struct {
	matchcmd.Summary
	LightWins int64       `json:"light_wins"`
	Turns     int64       `json:"turns"`
	Captures  int64       `json:"captures"`
	Moves     int64       `json:"moves"` // number of moves
	Rosettes  int64       `json:"rosettes"`
	Passes    int64       `json:"passes"`
	Unpaired  int64       `json:"unpaired,omitzero"` // games without the other of their pair, in no score
	Forfeits  [2]int64    `json:"forfeits,omitzero"` // games lost by failing to move, by player
	Luck      *luckReport `json:"luck,omitempty"`    // only with --luck
}

func newUrPairing(s matchcmd.Summary, score play.Score) urPairing {
	t := score.Tally
	return urPairing{s, t.Wins[board.Light], t.Turns, t.Captures, t.Moves, t.Rosettes, t.Passes, t.Games - 2*s.Pairs.N(),
		score.Forfeits, newLuckReport(score)}
}

type matchReport struct {
	Schema string `json:"schema"` // ur.match/1
	Engine string `json:"engine"` // the one for brains, even if no player has a brain
	Rules  string `json:"rules"`  // name of the rule set
	Pieces int    `json:"pieces"`
	urPairing
	NsPerGame *float64 `json:"ns_per_game"` // wall-clock time of this run divided by its games; null if it played none
	NsPerTurn *float64 `json:"ns_per_turn"` // the same, divided by the mean number of turns of all games
	matchcmd.Ending
}

// tournamentReport is the JSON form of a tournament. It holds nothing of the machine or the
// time, so the same tournament gives the same report.
type tournamentReport struct {
	Schema string `json:"schema"` // ur.tournament/1
	match.Sheet
	Rules    string `json:"rules"` // name of the rule set
	Pieces   int    `json:"pieces"`
	Pairings []any  `json:"pairings"` // one for each pair of players
}

type luckReport struct {
	Score     float64 `json:"score"`       // first player's score, 0 to 1
	StdErr    float64 `json:"std_err"`     // standard error of the score
	RawStdErr float64 `json:"raw_std_err"` // error of the score with luck
}

// newLuckReport returns nil if luck was not measured, or if there are too few pairs to
// estimate an error.
func newLuckReport(s play.Score) *luckReport {
	if s.Luck.Pairs < 2 {
		return nil
	}
	score, stdErr := s.Luck.Score()
	return &luckReport{score, stdErr, s.Pairs.StdErr()}
}

// speedOf returns a result with the time of this run.
func speedOf(s play.Score, e matchcmd.Ending) play.MatchResult {
	r := play.MatchResult{Score: s}
	r.Played, r.Elapsed = e.Played, time.Duration(e.Seconds*float64(time.Second))
	return r
}

// figure returns a time to a hundredth, nil without one.
func figure(ns float64) *float64 {
	if ns == 0 {
		return nil
	}
	return new(cli.Hundredths(ns))
}

// luckText describes the scores with and without luck; "" if luck was not measured.
func luckText(c play.MatchConfig, s play.Score) string {
	l := newLuckReport(s)
	switch {
	case c.Luck == nil:
		return ""
	case l == nil:
		return "no score without luck: it needs two pairs of games"
	}
	return fmt.Sprintf("without luck %.3f %% +- %.3f for the first player, with it %.3f %% +- %.3f (standard errors)",
		100*l.Score, 100*l.StdErr, 100*s.Pairs.Score(), 100*l.RawStdErr)
}

// writeCounts writes the lines of Ur in a match's report.
func writeCounts(w io.Writer, c play.MatchConfig, s play.Score, e matchcmd.Ending, width int) {
	if luck := luckText(c, s); luck != "" {
		fmt.Fprintln(w, " ", luck)
	}
	t, games := s.Tally, float64(s.Tally.Games)
	fmt.Fprintln(w)
	low, high := s.LightPairs.Interval()
	matchcmd.Rate(w, width, "light", t.Wins[board.Light], t.Games, s.LightPairs, low, high)
	matchcmd.Rate(w, width, "dark", t.Wins[board.Dark], t.Games, matchcmd.Reverse(s.LightPairs), 1-high, 1-low)
	fmt.Fprintf(w, "  a game: %.1f turns, %.1f moves (%.1f captures, %.1f to rosettes), %.1f passes\n",
		float64(t.Turns)/games, float64(t.Moves)/games, float64(t.Captures)/games, float64(t.Rosettes)/games,
		float64(t.Passes)/games)
	engine := ""
	if e.Played > 0 {
		speed, turn := speedOf(s, e), "-"
		if ns := speed.NsPerTurn(); ns > 0 {
			turn = fmt.Sprintf("%.4g", ns)
		}
		fmt.Fprintf(w, "  %.4g us/game, %s ns/turn, %.0f games/s\n", speed.NsPerGame()/1e3, turn,
			float64(e.Played)/max(1e-9, e.Seconds))
	}
	if e.Played > 0 && c.UsesEngine() {
		engine = "engine " + c.Engine.Name() + ", "
	}
	fmt.Fprintf(w, "  %s%s\n", engine, e.Timing(t.Games))
}
