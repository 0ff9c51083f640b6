package train

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seed-09dcdc84/ur/internal/plot"
	"github.com/seed-09dcdc84/ur/rating"
)

// Score is how a match against a rival ended.
type Score struct {
	Rival string `json:"rival"` // the name of a player
	Games int64  `json:"games"`
	Wins  int64  `json:"wins"` // games won

	// Beaten records, permanently, that a sequential test has found the learner stronger than
	// the rival.
	Beaten bool `json:"beaten,omitempty"`
}

// Rate returns the share of games won, 0..1.
func (s Score) Rate() float64 { return float64(s.Wins) / float64(max(1, s.Games)) }

// Interval returns the 95 % confidence interval of the rate. Games of a pair share their dice
// with the sides exchanged; that makes the true interval no wider.
func (s Score) Interval() (low, high float64) { return rating.Wilson(s.Wins, s.Games) }

// String returns the score as in "70.1 % (69.2 to 71.0) against brain:classic".
func (s Score) String() string {
	low, high := s.Interval()
	return fmt.Sprintf("%.1f %% (%.1f to %.1f) against %s", 100*s.Rate(), 100*low, 100*high, s.Rival)
}

// Point is the strength of a learner after a number of games.
type Point struct {
	Games   int64   `json:"games"`   // learned from
	Seconds float64 `json:"seconds"` // used, this measurement included
	Scores  []Score `json:"scores"`  // one for each rival, always in the same order

	// Regret is in points a decision, where it was measured.
	Regret *float64 `json:"regret,omitempty"`
}

// Curve is a learning curve: points in the order of their games.
type Curve []Point

// Last returns the last point, and whether there is one.
func (c Curve) Last() (Point, bool) {
	if len(c) == 0 {
		return Point{}, false
	}
	return c[len(c)-1], true
}

// WriteCSV writes the curve as a table with a row for each point and rival: the
// games learned from, the seconds they took, the rival, the games played against
// it, the share of them won, and its 95 % confidence interval, as fractions of 1. Where
// regret was measured there is a column for it.
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
				strconv.FormatInt(p.Games, 10), fixed(p.Seconds, 3), s.Rival,
				strconv.FormatInt(s.Games, 10), fixed(s.Rate(), 5), fixed(low, 5), fixed(high, 5),
			})
			if regret {
				rows[len(rows)-1] = append(rows[len(rows)-1], fixed(*p.Regret, 5))
			}
		}
	}
	return table.WriteAll(rows)
}

// hasRegret reports whether regret was measured at every point.
func (c Curve) hasRegret() bool {
	for _, p := range c {
		if p.Regret == nil {
			return false
		}
	}
	return len(c) > 0
}

// fixed formats a number with the given digits behind the point.
func fixed(x float64, digits int) string { return strconv.FormatFloat(x, 'f', digits, 64) }

// WriteSVG draws the curve: the share of games won against each rival over the games learned
// from, with the 95 % confidence interval as a band; or the regret, if measured. The origin of
// the curve, such as the command, is below the title.
func (c Curve) WriteSVG(w io.Writer, from string) error {
	drawn := c.drawScores
	if c.hasRegret() {
		drawn = c.drawRegret
	}
	_, err := w.Write(drawn(from))
	return err
}

// drawScores draws the share of games won against each rival.
func (c Curve) drawScores(from string) []byte {
	curves := plot.Curves{
		Text: plot.Text{
			Title: "Strength as it grows while learning", Subtitle: from,
			Caption: "Bands are 95 % intervals. The dashed line is that of equals.",
			Label:   "Share of games won against each rival over the games learned from.",
		},
		XAxis: "games learned from", Y: "games won, %", Reference: 50,
	}
	for i := range c.rivals() {
		curves.Curves = append(curves.Curves, c.against(i))
	}
	return curves.SVG(true)
}

// rivals returns the number of rivals shared by all points.
func (c Curve) rivals() int {
	n := 0
	for i, p := range c {
		if i == 0 || len(p.Scores) < n {
			n = len(p.Scores)
		}
	}
	return n
}

// against returns the scores against one rival, in percent.
func (c Curve) against(rival int) plot.Curve {
	last := c[len(c)-1].Scores[rival]
	curve := plot.Curve{Name: fmt.Sprintf("%.1f %% %s", 100*last.Rate(), last.Rival)}
	for _, p := range c {
		low, high := p.Scores[rival].Interval()
		rate := plot.Interval{Middle: 100 * p.Scores[rival].Rate(), Lo: 100 * low, Hi: 100 * high, Text: p.Scores[rival].String()}
		curve.Points = append(curve.Points, plot.Point{X: float64(p.Games), Y: rate})
	}
	return curve
}

// drawRegret draws the regret on a log axis, at amounts of learning with one digit: 1, 2 and 5
// times powers of ten. Without a measurement near one of them, the curve has no point there.
func (c Curve) drawRegret(from string) []byte {
	lines := plot.Lines{
		Text:  plot.Text{Title: from, Caption: "Regret in percentage points a decision of perfect play, on a log axis.", Label: "Regret as it falls while learning."},
		XAxis: "learned from", Y: "regret, points", Log: true,
	}
	line := plot.Line{Name: "regret"}
	last, _ := c.Last()
	var places []int64
	for power := int64(1); power <= last.Games && power < 1<<60; power *= 10 {
		for _, digit := range []int64{1, 2, 5} {
			if digit*power <= last.Games {
				places = append(places, digit*power)
			}
		}
	}
	const most = 12 // places along the axis
	for _, place := range places[max(0, len(places)-most):] {
		lines.X = append(lines.X, short(float64(place)))
		var value plot.Interval
		if regret, ok := c.regretNear(place); ok {
			value = plot.Interval{Middle: regret, Lo: regret, Hi: regret, Text: fmt.Sprintf("%.3f", regret)}
		}
		line.Values = append(line.Values, value)
	}
	lines.Lines = []plot.Line{line}
	return lines.SVG(true)
}

// regretNear returns the regret of the last point up to a place, if it is not far before it.
func (c Curve) regretNear(place int64) (float64, bool) {
	i, _ := slices.BinarySearchFunc(c, place+1, func(p Point, n int64) int { return int(min(1, max(-1, p.Games-n))) })
	if i == 0 || c[i-1].Regret == nil || c[i-1].Games < place/2 {
		return 0, false
	}
	return *c[i-1].Regret, true
}

// short writes a large number as in "2.5M".
func short(x float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if x >= unit.size {
			return fmt.Sprintf("%g%s", x/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%g", x)
}
