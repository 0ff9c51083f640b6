//go:build !play

package playcmd

import (
	"fmt"
	"math"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/internal/cli"
	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/rating"
)

// matchReport is the JSON form of a match.
type matchReport struct {
	Schema     string `json:"schema"` // ur.match/1
	usesEngine bool
	Engine     string    `json:"engine"`
	Seed       uint64    `json:"seed"`
	Games      int64     `json:"games"` // finished
	Rules      string    `json:"rules"` // name of the rule set
	Pieces     int       `json:"pieces"`
	Players    [2]string `json:"players"` // names of the players
	Wins       [2]int64  `json:"wins"`    // by player
	LightWins  int64     `json:"light_wins"`
	Turns      int64     `json:"turns"`
	Captures   int64     `json:"captures"`
	NsPerGame  float64   `json:"ns_per_game"` // wall-clock time divided by the number of games
	NsPerTurn  float64   `json:"ns_per_turn"` // wall-clock time divided by the number of turns
	Moves      int64     `json:"moves"`       // number of moves
	Rosettes   int64     `json:"rosettes"`
	Passes     int64     `json:"passes"`
	Threads    int       `json:"threads"`
	Seconds    float64   `json:"seconds"`

	// From whole pairs. Ranges are 95 % confidence intervals.
	Pairs         rating.Pairs `json:"pairs"` // by half points of the first player
	Score         float64      `json:"score"`
	ScoreLow      float64      `json:"score_lo"`
	ScoreHigh     float64      `json:"score_hi"`
	Elo           *float64     `json:"elo"` // Elo difference of the first player; null if infinite, as its bounds
	EloLow        *float64     `json:"elo_lo"`
	EloHigh       *float64     `json:"elo_hi"`
	Superiority   float64      `json:"superiority"`    // probability that the first player is stronger
	VarianceRatio float64      `json:"variance_ratio"` // variance of the score divided by the variance of independent games

	Luck *matchLuckReport `json:"luck,omitempty"` // with --luck

	Stop string           `json:"stop"`           // reason for the end: games, sprt, undecided or interrupted
	SPRT *matchTestReport `json:"sprt,omitempty"` // the sequential test, if there is one

	estimate play.Estimate
	rules    *rules.Rules
}

// Why a match ended.
const (
	stopGames       = "games"       // all were played
	stopDecided     = "sprt"        // the test was decided
	stopUndecided   = "undecided"   // all were played, and the test is not decided
	stopInterrupted = "interrupted" // by the user
)

// matchLuckReport is the JSON form of a score without luck.
type matchLuckReport struct {
	Score     float64 `json:"score"`       // of the first player, 0 to 1
	StdErr    float64 `json:"std_err"`     // standard error of the score
	RawStdErr float64 `json:"raw_std_err"` // of the score with luck
}

// newMatchLuckReport returns nil if luck was not measured, or if there are too few pairs to
// estimate an error.
func newMatchLuckReport(r play.MatchResult) *matchLuckReport {
	if r.Luck.Pairs < 2 {
		return nil
	}
	score, stdErr := r.Luck.Score()
	return &matchLuckReport{score, stdErr, r.Pairs.StdErr()}
}

// matchTestReport is the JSON form of a test.
type matchTestReport struct {
	rating.SPRT
	LLR      float64             `json:"llr"`      // log likelihood ratio of the games
	Lower    float64             `json:"lower"`    // ratio at which H0 is accepted
	Upper    float64             `json:"upper"`    // ratio at which H1 is accepted
	Decision rating.TestDecision `json:"decision"` // H0, H1 or none
}

// newMatchReport puts a result into its JSON form.
func newMatchReport(c play.MatchConfig, r play.MatchResult, interrupted bool) matchReport {
	e := r.Estimate()
	report := matchReport{
		Schema:     "ur.match/1",
		usesEngine: c.UsesEngine(),
		Engine:     c.Engine.Name(),
		Seed:       c.Seed,
		Games:      r.Tally.Games,
		Rules:      play.RulesName(c.Rules),
		Pieces:     c.Pieces,
		Players:    [2]string{c.Players[0].Name(), c.Players[1].Name()},
		Wins:       r.Wins,
		LightWins:  r.Tally.Wins[board.Light],
		Turns:      r.Tally.Turns,
		Captures:   r.Tally.Captures,
		NsPerGame:  cli.Hundredths(r.NsPerGame()),
		NsPerTurn:  cli.Hundredths(r.NsPerTurn()),
		Moves:      r.Tally.Moves,
		Rosettes:   r.Tally.Rosettes,
		Passes:     r.Tally.Passes,
		Threads:    r.Threads,
		Seconds:    r.Elapsed.Seconds(),

		Pairs:         r.Pairs,
		Score:         e.Score,
		ScoreLow:      e.Low,
		ScoreHigh:     e.High,
		Elo:           finite(e.Elo),
		EloLow:        finite(e.EloLow),
		EloHigh:       finite(e.EloHigh),
		Superiority:   e.Superiority,
		VarianceRatio: e.VarianceRatio,
		Luck:          newMatchLuckReport(r),
		Stop:          stopGames,
		estimate:      e,
		rules:         c.Rules,
	}
	if r.Pairs.N() == 0 {
		report.Elo = nil // nothing is known of it
	}
	if c.SPRT != nil {
		lower, upper := c.SPRT.Bounds()
		report.SPRT = &matchTestReport{*c.SPRT, c.SPRT.LLR(r.Pairs), lower, upper, r.Decision}
		report.Stop = stopDecided
		if r.Decision == rating.Undecided {
			report.Stop = stopUndecided
		}
	}
	if interrupted {
		report.Stop = stopInterrupted
	}
	return report
}

// finite returns x, or nil if it is infinite, because JSON has no infinity.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// print writes the report for people.
func (r matchReport) print(env *cli.Env) {
	names := [2]string{text.Plain(r.Players[0]), text.Plain(r.Players[1])}
	if names[0] == names[1] {
		names = [2]string{names[0] + " (first)", names[1] + " (second)"}
	}
	width := max(len(names[0]), len(names[1]), len("light"))
	rate := func(name string, wins int64, low, high float64) {
		fmt.Fprintf(env.Stdout, "  %-*s  %*d wins  %5.1f %%   (95 %%: %.1f to %.1f)\n",
			width, name, len(fmt.Sprint(r.Games)), wins, 100*float64(wins)/float64(r.Games), 100*low, 100*high)
	}
	each := func(count int64) float64 { return float64(count) / float64(r.Games) }
	e := r.estimate

	set := ""
	if r.rules != nil {
		set = ", " + r.rules.Title() + " rules"
	}
	fmt.Fprintf(env.Stdout, "%s against %s: %s of %s%s, seed %d\n\n",
		text.Plain(r.Players[0]), text.Plain(r.Players[1]), text.Plural(r.Games, "game"), text.Plural(r.Pieces, "piece"), set, r.Seed)
	rate(names[0], r.Wins[0], e.Low, e.High)
	rate(names[1], r.Wins[1], 1-e.High, 1-e.Low)
	fmt.Fprintln(env.Stdout)
	rate("light", r.LightWins, e.LightLow, e.LightHigh)
	rate("dark", r.Games-r.LightWins, 1-e.LightHigh, 1-e.LightLow)
	r.printStrength(env)
	fmt.Fprintf(env.Stdout, "\n  a game: %.1f turns, %.1f moves (%.1f captures, %.1f to rosettes), %.1f passes\n",
		each(r.Turns), each(r.Moves), each(r.Captures), each(r.Rosettes), each(r.Passes))
	fmt.Fprintf(env.Stdout, "  %.4g us/game, %.4g ns/turn, %.0f games/s\n", r.NsPerGame/1000, r.NsPerTurn, 1e9/max(1, r.NsPerGame))
	engine := ""
	if r.usesEngine {
		engine = "engine " + r.Engine + ", "
	}
	fmt.Fprintf(env.Stdout, "  %sthreads %d, %.4g s\n", engine, r.Threads, r.Seconds)
}

// printStrength prints the statistics of the pairs.
func (r matchReport) printStrength(env *cli.Env) {
	e, p := r.estimate, r.Pairs
	if p.N() == 0 {
		fmt.Fprintln(env.Stdout, "\n  no Elo: not one pair of games is complete")
		return
	}
	fmt.Fprintf(env.Stdout, "\n  Elo of the first player %s, superiority %.1f %%\n", eloRange(e), 100*e.Superiority)
	fmt.Fprintf(env.Stdout, "  pairs with 0, 1, 2 wins: %d, %d, %d; variance %.2f of that of independent games\n",
		p[0], p[2], p[4], e.VarianceRatio)
	if l := r.Luck; l != nil {
		fmt.Fprintf(env.Stdout, "  without luck %.3f %% +- %.3f for the first player, with it %.3f %% +- %.3f (standard errors)\n",
			100*l.Score, 100*l.StdErr, 100*e.Score, 100*l.RawStdErr)
	}
	if r.SPRT != nil {
		fmt.Fprintf(env.Stdout, "  %s\n", r.SPRT.text(r.Stop))
	}
}

// eloRange writes the difference in Elo and its interval. Where one player won every game the
// difference has no upper bound, and only the other end of the interval is known.
func eloRange(e play.Estimate) string {
	switch {
	case math.IsInf(e.Elo, 1):
		return fmt.Sprintf("above %s (95 %%), unbounded: it won every game", eloText(e.EloLow))
	case math.IsInf(e.Elo, -1):
		return fmt.Sprintf("below %s (95 %%), unbounded: it lost every game", eloText(e.EloHigh))
	}
	return fmt.Sprintf("%s   (95 %%: %s to %s)", eloText(e.Elo), eloText(e.EloLow), eloText(e.EloHigh))
}

// eloText writes a difference in Elo.
func eloText(elo float64) string {
	switch {
	case math.IsInf(elo, 1):
		return "+inf"
	case math.IsInf(elo, -1):
		return "-inf"
	case math.Round(elo*10) == 0:
		return "0.0"
	}
	return fmt.Sprintf("%+.1f", elo)
}

// text returns the reason why a match with a test stopped.
func (t matchTestReport) text(stop string) string {
	why := map[string]string{
		stopUndecided:   "all games are played and nothing is decided",
		stopInterrupted: "interrupted before it was decided",
	}[stop]
	switch t.Decision {
	case rating.AcceptedH0:
		why = fmt.Sprintf("stopped: H0 accepted, the first player is %s Elo stronger rather than %s", eloText(t.Elo0), eloText(t.Elo1))
	case rating.AcceptedH1:
		why = fmt.Sprintf("stopped: H1 accepted, the first player is %s Elo stronger rather than %s", eloText(t.Elo1), eloText(t.Elo0))
	}
	return fmt.Sprintf("SPRT %s: ratio %.2f in %.2f to %.2f, %s", t.SPRT, t.LLR, t.Lower, t.Upper, why)
}
