package train

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/match/rating"
	"github.com/seed-09dcdc84/ur/play"
)

// Score is how a match against a rival ended.
type Score struct {
	Rival string `json:"rival"` // the name of a player
	Games int64  `json:"games"`
	Wins  int64  `json:"wins"` // games won

	// Beaten records, permanently, that a sequential test has found the learner stronger than the rival.
	Beaten bool `json:"beaten,omitempty"`
}

// appendScore plays a learner's match against a rival and appends the score. A match without
// end is lost. Before holds the previous scores, in the same order.
func appendScore(ctx context.Context, scores, before []Score, match play.MatchConfig) ([]Score, error) {
	result, err := play.Match(ctx, match)
	s, i := Score{Rival: match.Players[1].Spec, Games: int64(match.Games)}, len(scores)
	if err == nil {
		s.Wins = result.Wins[0]
	} else if _, endless := errors.AsType[*ur.TurnLimitError](err); !endless {
		return nil, err
	}
	s.Beaten = i < len(before) && before[i].Beaten || beatenTest.Decide(result.Pairs) == rating.AcceptedH1
	return append(scores, s), nil
}

// Rate returns the share of games won, 0..1.
func (s Score) Rate() float64 { return float64(s.Wins) / float64(max(1, s.Games)) }

// Interval returns the rate's 95 % confidence interval. Paired games share their dice
// with the sides exchanged; that makes the true interval no wider.
func (s Score) Interval() (low, high float64) { return rating.Wilson(s.Wins, s.Games) }

// String returns the score as in "70.1 % (69.2 to 71.0) against brain:classic".
func (s Score) String() string {
	low, high := s.Interval()
	return fmt.Sprintf("%.1f %% (%.1f to %.1f) against %s", 100*s.Rate(), 100*low, 100*high, s.Rival)
}

// Point is a learner's strength after a number of games.
type Point struct {
	Games   int64   `json:"games"`   // learned from
	Seconds float64 `json:"seconds"` // used, this measurement included
	Scores  []Score `json:"scores"`  // one for each rival, always in the same order

	// Regret is in points a decision, where it was measured.
	Regret *float64 `json:"regret,omitempty"`
}

// Curve is a learning curve: points by ascending games.
type Curve []Point

// Last returns the last point, and whether there is one.
func (c Curve) Last() (Point, bool) {
	if len(c) == 0 {
		return Point{}, false
	}
	return c[len(c)-1], true
}

// WriteCSV writes the curve as a table with a row for each point and rival: the games learned from, the seconds they
// took, the rival, the games played against it, the share of them won, and its 95 % confidence interval, as fractions
// of 1. Where regret was measured there is a column for it.
func (c Curve) WriteCSV(w io.Writer) error {
	table := csv.NewWriter(w)
	rows := [][]string{{"games", "seconds", "rival", "match_games", "rate", "low", "high"}}
	regret := c.hasRegret()
	if regret {
		rows[0] = append(rows[0], "regret")
	}
	for _, p := range c {
		for _, s := range p.Scores {
			low, high := s.Interval()
			rows = append(rows, []string{
				strconv.FormatInt(p.Games, 10), formatFixed(p.Seconds, 3), s.Rival,
				strconv.FormatInt(s.Games, 10), formatFixed(s.Rate(), 5), formatFixed(low, 5), formatFixed(high, 5),
			})
			if regret {
				rows[len(rows)-1] = append(rows[len(rows)-1], formatFixed(*p.Regret, 5))
			}
		}
	}
	return table.WriteAll(rows)
}

// hasRegret reports whether regret was measured at every point.
func (c Curve) hasRegret() bool {
	return len(c) > 0 && !slices.ContainsFunc(c, func(p Point) bool { return p.Regret == nil })
}

// formatFixed formats a number with the given digits behind the point.
func formatFixed(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

// WriteSVG draws the curve: the share won against each rival over the games learned from, with the 95 % confidence
// interval as a band; or the regret, if measured. The curve's origin, such as the command, is below the title.
func (c Curve) WriteSVG(w io.Writer, from string) error {
	drawn := c.drawScores
	if c.hasRegret() {
		drawn = c.drawRegret
	}
	_, err := w.Write(drawn(from))
	return err
}

// drawScores draws the share won against each rival, in percent.
func (c Curve) drawScores(from string) []byte {
	chart := plot.Chart{
		Text: plot.Text{
			Title: "Strength as it grows while learning", Subtitle: from,
			Caption: "Intervals are of 95 %. The dashed line is that of equals.",
			Label:   "Share of games won against each rival over the games learned from.",
		},
		X: plot.Axis{Label: "games learned from"}, Y: plot.Axis{Label: "games won, %", Reference: 50},
	}
	for i := range c.countRivals() {
		last := c[len(c)-1].Scores[i]
		line := plot.Line{Name: fmt.Sprintf("%.1f %% %s", 100*last.Rate(), last.Rival)}
		for _, p := range c {
			s := p.Scores[i]
			low, high := s.Interval()
			rate := plot.Interval{Middle: 100 * s.Rate(), Lo: 100 * low, Hi: 100 * high, Text: s.String()}
			line.Points = append(line.Points, plot.Point{X: float64(p.Games), Interval: rate})
		}
		chart.Lines = append(chart.Lines, line)
	}
	return chart.SVG()
}

// countRivals returns the number of rivals common to all points.
func (c Curve) countRivals() int {
	if len(c) == 0 {
		return 0
	}
	return len(slices.MinFunc(c, func(a, b Point) int { return len(a.Scores) - len(b.Scores) }).Scores)
}

// drawRegret draws the regret. Both axes are logarithmic, so the start is left out.
func (c Curve) drawRegret(from string) []byte {
	line := plot.Line{Name: "regret"}
	for _, p := range c {
		line.Points = append(line.Points, plot.Point{X: float64(p.Games), Interval: plot.Exactly(*p.Regret, fmt.Sprintf("%.3f", *p.Regret))})
	}
	return plot.Chart{
		Text: plot.Text{Title: from, Caption: "Regret in percentage points a decision of perfect play.", Label: "Regret as it falls while learning."},
		X:    plot.Axis{Label: "learned from", Log: true}, Y: plot.Axis{Label: "regret, points", Log: true},
		Lines: []plot.Line{line},
	}.SVG()
}
