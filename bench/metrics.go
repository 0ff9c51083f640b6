package bench

import "time"

// Metric is a figure with its unit, as Go's benchmark format has it.
type Metric struct {
	Value float64
	Unit  string
}

// Metrics returns the figures of so many passes that took a time together: first
// the time for each unit of work, then what else the level reports.
func (c *Case) Metrics(passes int, elapsed time.Duration) []Metric {
	return levelMetrics(c.Level, c.perUnit(passes, elapsed), c.candidatesPerTurn())
}

// levelMetrics returns the figures that a time in the unit of a level amounts to.
// candidates is how many there are in a turn, 0 when that is not known.
func levelMetrics(level Level, perUnit, candidates float64) []Metric {
	metrics := []Metric{{perUnit, level.Unit()}}
	switch {
	case level == Turn && candidates > 0:
		metrics = append(metrics, Metric{perUnit / candidates, unitCandidate})
	case level == Game || level == Match:
		metrics = append(metrics, Metric{gamesPerSecond(perUnit), unitGames})
	}
	return metrics
}

// perUnit returns the time for each evaluation, turn or game, in the unit of the
// level.
func (c *Case) perUnit(passes int, elapsed time.Duration) float64 {
	units := float64(passes) * c.perPass()
	return float64(elapsed.Nanoseconds()) / c.Level.nanoseconds() / units
}

// gamesPerSecond is the inverse of a time in us/game.
func gamesPerSecond(perGame float64) float64 { return 1e6 / perGame }
