package train

import (
	"encoding/csv"
	"io"
	"strconv"
)

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
