package play

import "context"

// Span is pairs of games of a match: both games of pair k have the dice of game k of
// the match's seed.
type Span struct {
	First uint64 `json:"first"`         // pair
	Pairs int    `json:"pairs"`         // at least 1
	Odd   bool   `json:"odd,omitempty"` // the second game of the last pair is not played
}

// Games is how many games the span has.
func (s Span) Games() int {
	if s.Odd {
		return 2*s.Pairs - 1
	}
	return 2 * s.Pairs
}

// Table is where one goroutine plays spans of a match. The score of a span follows from
// the match and the span alone.
type Table interface {
	// Play plays a span. The score counts the games that were finished, also with an
	// error.
	Play(ctx context.Context, s Span) (Score, error)
}

// Venue is where matches are played when that is not in this process, as on many
// machines. The scores are those that this process would have got.
type Venue interface {
	// Table returns where spans of a match are played. It is asked once for each
	// goroutine of [MatchConfig.Parallel], which wait at their tables for what others
	// play: there should be many.
	Table(ctx context.Context, c MatchConfig) (Table, error)
}

// NewTable seats the players of a match, whose configuration must be complete but for
// Games, at a table of this process: what a venue's machines play at.
func NewTable(ctx context.Context, c MatchConfig) (Table, error) {
	c.Games, c.Venue = 1, nil
	c, err := c.complete()
	if err != nil {
		return nil, err
	}
	if err := Prepare(ctx, c.Pieces, c.Players[:]...); err != nil {
		return nil, err
	}
	return newTable(ctx, c)
}

// venueSpan is the pairs of a span of so many pairs that are played elsewhere: 256 spans,
// but no more pairs than take an engine about a second.
func venueSpan(c MatchConfig, pairs int) int {
	least, most := 1, maxSpan
	if c.betweenBrains() {
		least, most = 2048, 1<<20
	}
	return max(least, min(most, pairs/256))
}
