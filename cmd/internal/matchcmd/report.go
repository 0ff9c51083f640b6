package matchcmd

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/match/rating"
)

// Summary is the common part of the JSON form of a pairing in all games. All but Games and Wins come from the
// pairs. Ranges are 95 % confidence intervals.
type Summary struct {
	Players       [2]string    `json:"players"` // names of the players
	Seed          uint64       `json:"seed"`
	Games         int64        `json:"games"` // finished
	Wins          [2]int64     `json:"wins"`  // one for each player
	Pairs         rating.Pairs `json:"pairs"` // counts by the first player's half points
	Score         float64      `json:"score"` // of the pairs, a draw counted as half
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
	Threads int     `json:"threads"`        // of this run; 0 if it found all games in the log
	Seconds float64 `json:"seconds"`        // of this run
	Played  int64   `json:"-"`              // games of this run
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
	e := Ending{Threads: o.Threads, Seconds: o.Elapsed.Seconds(), Played: o.Played, Stop: stopGames}
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

// Timing writes the time of this run, of all the games of a match.
func (e Ending) Timing(games int64) string {
	found := text.Plural(games-e.Played, "game") + " found in the log"
	switch e.Played {
	case 0:
		return "no game played, " + found
	case games:
		return fmt.Sprintf("threads %d, %.4g s", e.Threads, e.Seconds)
	}
	return fmt.Sprintf("threads %d, %.4g s, %s", e.Threads, e.Seconds, found)
}

// Rate writes a player's number of wins, and its score in pairs with the interval.
func Rate(w io.Writer, width int, name string, wins, games int64, p rating.Pairs, low, high float64) {
	score := "    - %"
	if n := p.N(); n > 0 {
		score = fmt.Sprintf("%5.1f %%", 100*float64(p.HalfPoints())/float64(4*n))
	}
	fmt.Fprintf(w, "  %-*s  %*d wins  %s   (95 %%: %.1f to %.1f)\n",
		width, name, len(fmt.Sprint(games)), wins, score, 100*low, 100*high)
}

// Reverse returns the pairs as the other player sees them.
func Reverse(p rating.Pairs) rating.Pairs { return rating.Pairs{p[4], p[3], p[2], p[1], p[0]} }

// leftOut counts the games in no pair.
func leftOut(games int64, p rating.Pairs) int64 { return games - 2*p.N() }

// leftOutNote explains the games in no pair.
func leftOutNote(what string, games int64) string {
	return fmt.Sprintf("%s: %d, counted in no percentage, Elo or test", what, games)
}

// writeReport writes a match's report for people. unpaired is [Game.Unpaired]; lines writes those of the game.
func (s Summary) writeReport(w io.Writer, details, unpaired string, draws int64, forfeits [2]int64, e Ending,
	lines func(width int)) {
	names := distinctNames(s.Players)
	width := len("light")
	for i := range names {
		names[i] = text.Plain(names[i])
		width = max(width, len(names[i]))
	}
	fmt.Fprintf(w, "%s against %s: %s%s, seed %d\n\n",
		text.Plain(s.Players[0]), text.Plain(s.Players[1]), text.Plural(s.Games, "game"), details, s.Seed)
	Rate(w, width, names[0], s.Wins[0], s.Games, s.Pairs, s.ScoreLow, s.ScoreHigh)
	Rate(w, width, names[1], s.Wins[1], s.Games, Reverse(s.Pairs), 1-s.ScoreHigh, 1-s.ScoreLow)
	if draws > 0 {
		fmt.Fprintf(w, "  %-*s  %*d, each half a win in %%\n", width, "draws", len(fmt.Sprint(s.Games)), draws)
	}
	if n := leftOut(s.Games, s.Pairs); n > 0 {
		fmt.Fprintf(w, "  %s\n", leftOutNote(unpaired, n))
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
	game := "game"
	if leftOut(s.Games, s.Pairs) > 0 {
		game = "game of its pairs"
	}
	switch {
	case math.IsInf(elo, 1):
		return fmt.Sprintf("above %s (95 %%), unbounded: it won every %s", eloText(low), game)
	case math.IsInf(elo, -1):
		return fmt.Sprintf("below %s (95 %%), unbounded: it lost every %s", eloText(high), game)
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

// sheet is a rated tournament, and the details of the game in its report. The page calls its methods.
type sheet struct {
	match.Sheet
	Details  string // see [Game]
	Luck     string
	Unpaired string
	Command  string // plays a pairing again, as in "ur match"
}

// Title describes the tournament in one line.
func (s sheet) Title() string {
	kind := map[string]string{"gauntlet": "Gauntlet", "round-robin": "Round robin"}[s.Kind]
	return fmt.Sprintf("%s of %d players, %d games%s in each pairing, seed %d", kind, len(s.Players),
		s.Games, s.Details, s.Seed)
}

// Notes explain the ratings.
func (s sheet) Notes() []string {
	zero := cmp.Or(text.Plain(s.Anchor), "the mean")
	notes := []string{"Elo by maximum likelihood (Bradley and Terry), with 95 % confidence intervals; " +
		zero + " is 0."}
	unmet := slices.ContainsFunc(s.Pairings, func(p match.SheetPairing) bool { return p.Pairs.N() == 0 })
	switch {
	case s.Prior && unmet:
		notes = append(notes, "Not all players have met yet, so no finite Elo is the most likely one; "+priorNote)
	case s.Prior:
		notes = append(notes, "A player won or lost every game, so its maximum-likelihood Elo is infinite; "+priorNote)
	}
	rated := int64(0)
	for _, p := range s.Pairings {
		rated += 2 * p.Pairs.N()
	}
	if n := s.Played - rated; n > 0 {
		notes = append(notes, leftOutNote(s.Unpaired, n)+".")
	}
	if !s.Complete {
		notes = append(notes, fmt.Sprintf("Not complete: %d games are played.", s.Played))
	}
	return notes
}

// priorNote explains [match.Sheet.Prior].
const priorNote = "these are the ratings with one more pair of games in each pairing, of which each player wins one."

// Cross returns, for each player by rank, the score in percent against each other by rank, and
// "" where two have not met.
func (s sheet) Cross() [][]string {
	place := map[string]int{}
	cross := make([][]string, len(s.Players))
	for i, p := range s.Players {
		place[p.Name] = i
		cross[i] = make([]string, len(s.Players))
	}
	for _, p := range s.Pairings {
		if p.Pairs.N() == 0 {
			continue
		}
		a, b := place[p.Players[0]], place[p.Players[1]]
		cross[a][b] = fmt.Sprintf("%.1f", 100*p.Pairs.Score())
		cross[b][a] = fmt.Sprintf("%.1f", 100*p.Second.Score())
	}
	return cross
}

// writeText writes the ratings and the cross table with scores in percent.
func (s sheet) writeText(to io.Writer) error {
	w := new(bytes.Buffer)
	fmt.Fprintf(w, "%s\n\n", s.Title())
	names := text.List(s.Players, func(p match.SheetPlayer) string { return text.Plain(p.Name) })
	width := len("player")
	for _, name := range names {
		width = max(width, len(name))
	}
	cross := s.Cross()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "#\t %-*s\t Elo\t 95 %%\t games\t score\t", width, "player")
	for i := range s.Players {
		fmt.Fprintf(table, " %d\t", i+1)
	}
	fmt.Fprintln(table)
	for i, p := range s.Players {
		fmt.Fprintf(table, "%d\t %-*s\t %s\t %s to %s\t %d\t %.1f %%\t",
			p.Rank, width, names[i], formatTenths(p.Elo), formatTenths(p.EloLow), formatTenths(p.EloHigh),
			p.Games, 100*p.Score)
		for j, score := range cross[i] {
			if i == j {
				score = "-"
			}
			fmt.Fprintf(table, " %s\t", score)
		}
		fmt.Fprintln(table)
	}
	table.Flush()
	fmt.Fprintf(w, "\n%s\n", strings.Join(s.Notes(), "\n"))
	_, err := w.WriteTo(to)
	return err
}

// formatTenths writes a number with one digit behind the point; nothing is -0.0.
func formatTenths(x float64) string {
	if text := fmt.Sprintf("%.1f", x); text != "-0.0" {
		return text
	}
	return "0.0"
}

//go:embed sheet.html.tmpl
var pageText string

var sheetPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"tenths":  formatTenths,
		"shade":   shadeScore,
		"points":  func(half int64) string { return strconv.FormatFloat(float64(half)/2, 'f', -1, 64) },
		"percent": func(score float64) string { return fmt.Sprintf("%.1f", 100*score) },
	}).Parse(pageText))
})

// writeHTML writes the sheet as one HTML page, which needs no network and no script: ratings, the cross
// table and the pairings. The same sheet gives the same bytes.
func (s sheet) writeHTML(w io.Writer) error { return sheetPage().Execute(w, s) }

// shadeScore returns the colour for a score in percent: the greener the better.
func shadeScore(score string) template.CSS {
	percent, err := strconv.ParseFloat(score, 64)
	if err != nil {
		return ""
	}
	rgb := "46,160,67"
	if percent < 50 {
		rgb = "218,54,51"
	}
	return template.CSS(fmt.Sprintf("background: rgba(%s,%.2f)", rgb, math.Abs(percent-50)/100))
}
