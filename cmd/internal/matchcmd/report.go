package matchcmd

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
)

// Summary is the common part of the JSON form of a pairing in all games. Ranges are 95 %
// confidence intervals, from whole pairs.
type Summary struct {
	Players       [2]string    `json:"players"` // names of the players
	Seed          uint64       `json:"seed"`
	Games         int64        `json:"games"` // finished
	Wins          [2]int64     `json:"wins"`  // one for each player
	Pairs         rating.Pairs `json:"pairs"` // counts by the first player's half points
	Score         float64      `json:"score"`
	ScoreLow      float64      `json:"score_lo"`
	ScoreHigh     float64      `json:"score_hi"`
	Elo           *float64     `json:"elo"` // Elo difference of the first player; null if infinite, as its bounds
	EloLow        *float64     `json:"elo_lo"`
	EloHigh       *float64     `json:"elo_hi"`
	Superiority   float64      `json:"superiority"`    // probability that the first player is stronger
	VarianceRatio float64      `json:"variance_ratio"` // variance of the score divided by the variance of independent games
}

func newSummary[S Score[S]](players [2]string, seed uint64, score S) Summary {
	p := score.PairResults()
	s := Summary{Players: players, Seed: seed, Games: score.FinishedGames(), Pairs: p,
		Score: p.Score(), Superiority: p.Superiority(), VarianceRatio: p.VarianceRatio()}
	s.Wins, _ = score.Results()
	s.ScoreLow, s.ScoreHigh = p.Interval()
	s.Elo, s.EloLow, s.EloHigh = finiteOrNil(rating.Elo(s.Score)), finiteOrNil(rating.Elo(s.ScoreLow)), finiteOrNil(
		rating.Elo(s.ScoreHigh))
	if p.N() == 0 {
		s.Elo = nil // nothing is known of it
	}
	return s
}

// finiteOrNil returns x, or nil if it is infinite, because JSON has no infinity.
func finiteOrNil(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// Ending has the result's fields that tournaments do not have.
type Ending struct {
	Threads int     `json:"threads"`
	Seconds float64 `json:"seconds"`
	Stop    string  `json:"stop"`           // reason for the end: games, sprt, undecided, interrupted or failed
	SPRT    *Test   `json:"sprt,omitempty"` // the sequential test, if there is one
}

// Why a match ended.
const (
	stopGames       = "games"       // all were played
	stopDecided     = "sprt"        // the test was decided
	stopUndecided   = "undecided"   // all were played, and the test is not decided
	stopInterrupted = "interrupted" // the user ended it
	stopFailed      = "failed"      // an error ended it
)

// Test is the JSON form of a sequential test.
type Test struct {
	rating.SPRT
	LLR      float64             `json:"llr"`      // log likelihood ratio of the games
	Lower    float64             `json:"lower"`    // ratio at which H0 is accepted
	Upper    float64             `json:"upper"`    // ratio at which H1 is accepted
	Decision rating.TestDecision `json:"decision"` // H0, H1 or none
}

func newEnding[S any](o match.Outcome[S], test *rating.SPRT, pairs rating.Pairs) Ending {
	e := Ending{Threads: o.Threads, Seconds: o.Elapsed.Seconds(), Stop: stopGames}
	if test == nil {
		return e
	}
	lower, upper := test.Bounds()
	e.SPRT = &Test{*test, test.LLR(pairs), lower, upper, o.Decision}
	e.Stop = stopDecided
	if o.Decision == rating.Undecided {
		e.Stop = stopUndecided
	}
	return e
}

// Rate writes a number of wins with their share and its interval.
func Rate(w io.Writer, width int, name string, wins, games int64, low, high float64) {
	fmt.Fprintf(w, "  %-*s  %*d wins  %5.1f %%   (95 %%: %.1f to %.1f)\n",
		width, name, len(fmt.Sprint(games)), wins, 100*float64(wins)/float64(games), 100*low, 100*high)
}

// writeReport writes a match's report for people. lines writes those of the game.
func (s Summary) writeReport(w io.Writer, details string, draws int64, forfeits [2]int64, e Ending, lines func(width int)) {
	names := distinctNames(s.Players)
	width := len("light")
	for i := range names {
		names[i] = text.Plain(names[i])
		width = max(width, len(names[i]))
	}
	fmt.Fprintf(w, "%s against %s: %s%s, seed %d\n\n",
		text.Plain(s.Players[0]), text.Plain(s.Players[1]), text.Plural(s.Games, "game"), details, s.Seed)
	Rate(w, width, names[0], s.Wins[0], s.Games, s.ScoreLow, s.ScoreHigh)
	Rate(w, width, names[1], s.Wins[1], s.Games, 1-s.ScoreHigh, 1-s.ScoreLow)
	if draws > 0 {
		fmt.Fprintf(w, "  %-*s  %*d\n", width, "draws", len(fmt.Sprint(s.Games)), draws)
	}
	fmt.Fprintln(w)
	if s.Pairs.N() == 0 {
		fmt.Fprintln(w, "  no Elo: not one pair of games is complete")
	} else {
		fmt.Fprintf(w, "  Elo of the first player %s, superiority %.1f %%\n", s.eloRange(), 100*s.Superiority)
		fmt.Fprintf(w, "  pairs with %s; variance %.2f of that of independent games\n", pairCounts(s.Pairs),
			s.VarianceRatio)
	}
	if e.SPRT != nil {
		fmt.Fprintf(w, "  %s\n", e.SPRT.stopReason(e.Stop))
	}
	for i, n := range forfeits {
		if n > 0 {
			fmt.Fprintf(w, "  %s lost %s by failing to move\n", names[i], text.Plural(n, "game"))
		}
	}
	lines(width)
}

// distinctNames returns two names, told apart where they are equal.
func distinctNames(names [2]string) [2]string {
	if names[0] == names[1] {
		return [2]string{names[0] + " (first)", names[1] + " (second)"}
	}
	return names
}

// pairCounts writes the numbers of pairs by the points of the first player. Without half points
// there are only 0, 1 and 2.
func pairCounts(p rating.Pairs) string {
	if p[1]+p[3] == 0 {
		return fmt.Sprintf("0, 1, 2 wins: %d, %d, %d", p[0], p[2], p[4])
	}
	return fmt.Sprintf("0, 0.5, 1, 1.5, 2 points: %d, %d, %d, %d, %d", p[0], p[1], p[2], p[3], p[4])
}

// eloRange writes the difference in Elo and its interval. Where one player won every game the
// difference has no upper bound, and only the other end of the interval is known.
func (s Summary) eloRange() string {
	elo, low, high := rating.Elo(s.Score), rating.Elo(s.ScoreLow), rating.Elo(s.ScoreHigh)
	switch {
	case math.IsInf(elo, 1):
		return fmt.Sprintf("above %s (95 %%), unbounded: it won every game", eloText(low))
	case math.IsInf(elo, -1):
		return fmt.Sprintf("below %s (95 %%), unbounded: it lost every game", eloText(high))
	}
	return fmt.Sprintf("%s   (95 %%: %s to %s)", eloText(elo), eloText(low), eloText(high))
}

func eloText(elo float64) string {
	if math.Round(elo*10) == 0 {
		return "0.0"
	}
	return strings.ToLower(fmt.Sprintf("%+.1f", elo)) // +inf
}

// stopReason returns the reason why a match with a test stopped.
func (t Test) stopReason(stop string) string {
	why := map[string]string{
		stopUndecided:   "all games are played and nothing is decided",
		stopInterrupted: "interrupted before it was decided",
		stopFailed:      "failed before it was decided",
	}[stop]
	switch t.Decision {
	case rating.AcceptedH0:
		why = fmt.Sprintf("stopped: H0 accepted, the first player is %s Elo stronger rather than %s",
			eloText(t.Elo0), eloText(t.Elo1))
	case rating.AcceptedH1:
		why = fmt.Sprintf("stopped: H1 accepted, the first player is %s Elo stronger rather than %s",
			eloText(t.Elo1), eloText(t.Elo0))
	}
	return fmt.Sprintf("SPRT %s: ratio %.2f in %.2f to %.2f, %s", t.SPRT, t.LLR, t.Lower, t.Upper, why)
}
