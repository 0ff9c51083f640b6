package play

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/play/record"
	"github.com/seed-09dcdc84/ur/rating"
)

// match is a match in progress. Goroutines take its spans in order, and finish them
// in any; their scores are entered in order, so that a test sees the same numbers
// however many goroutines there are.
type match struct {
	config MatchConfig
	even   int // pairs of a span where there is no test

	mutex   sync.Mutex
	taken   int              // spans
	pairs   uint64           // in them
	entered int              // spans that are in the result
	waiting map[int]finished // spans that are not, by number
	stopped bool             // no more spans are taken
	result  MatchResult
	err     error
}

// finished is what came of a span.
type finished struct {
	score Score
	games []*record.Game // where they are recorded
	err   error
}

func newMatch(c MatchConfig) *match {
	return &match{
		config:  c,
		even:    evenSpan(c),
		waiting: map[int]finished{},
		result:  MatchResult{Decision: rating.Undecided},
	}
}

// maxSpan is the most pairs of a span: few enough that the last spans end together
// and that the end of a context is noticed soon.
const maxSpan = 4096

// evenSpan returns the pairs of a span of a match without a test: so many that taking
// it costs nothing beside playing it. An engine plays many games at a time and so
// fast that it gets no fewer than some hundreds.
func evenSpan(c MatchConfig) int {
	if c.Venue != nil {
		return venueSpan(c, c.Games/2)
	}
	const spansPerThread = 8
	least := 1
	if c.betweenBrains() {
		least = 128
	}
	return max(least, min(maxSpan, c.Games/(2*spansPerThread*c.Parallel)))
}

// testSpan returns the pairs of a span of a match with a test, which looks at the
// score at the end of each: a sixteenth of the pairs before it, so that a test takes
// little longer than one that looked at every pair. It must not depend on the number
// of goroutines.
func testSpan(before uint64) int {
	const least = 128
	return int(max(least, min(maxSpan, before/16)))
}

// spanAt returns the span that begins with a pair, and whether there is one.
func (m *match) spanAt(first uint64) (s Span, ok bool) {
	games := uint64(m.config.Games)
	pairs := games/2 + games%2
	if first >= pairs {
		return s, false
	}
	s = Span{First: first, Pairs: m.even}
	if m.config.SPRT != nil {
		s.Pairs = testSpan(first)
	}
	if rest := pairs - first; uint64(s.Pairs) >= rest {
		s.Pairs, s.Odd = int(rest), games%2 == 1
	}
	return s, true
}

// spans counts the spans of the match, but not beyond limit.
func (m *match) spans(limit int) int {
	n, first := 0, uint64(0)
	for ; n < limit; n++ {
		s, ok := m.spanAt(first)
		if !ok {
			break
		}
		first += uint64(s.Pairs)
	}
	return n
}

// take returns the next span and its number, and false when there is none or the
// match has stopped. Spans are taken in order, so every game below one that failed
// is played.
func (m *match) take() (number int, s Span, ok bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	s, ok = m.spanAt(m.pairs)
	if !ok || m.stopped {
		return 0, s, false
	}
	number = m.taken
	m.taken++
	m.pairs += uint64(s.Pairs)
	return number, s, true
}

// work plays spans until there are no more, or the match has stopped.
func (m *match) work(ctx context.Context, t Table) {
	for {
		number, s, ok := m.take()
		if !ok {
			return
		}
		f := finished{}
		f.score, f.err = t.Play(ctx, s)
		if t, ok := t.(*seatTable); ok {
			f.games = t.takeRecorded()
		}
		m.finish(number, f)
	}
}

// finish takes note of a span that was played, or of how far it was.
func (m *match) finish(number int, f finished) {
	m.mutex.Lock()
	m.waiting[number] = f
	m.stopped = m.stopped || f.err != nil
	m.enter()
	m.mutex.Unlock()
	if m.config.Progress != nil && f.score.Tally.Games > 0 {
		m.config.Progress(int(f.score.Tally.Games))
	}
}

// enter puts the spans whose turn it is into the result, up to an error or to the
// decision of the test. What was played beyond a decision does not count.
func (m *match) enter() {
	for m.err == nil && m.result.Decision == rating.Undecided {
		next, ok := m.waiting[m.entered]
		if !ok {
			return
		}
		delete(m.waiting, m.entered)
		m.entered++
		m.add(next)
		if m.config.SPRT != nil && m.err == nil {
			m.result.Decision = m.config.SPRT.Decide(m.result.Pairs)
		}
	}
	m.stopped = true
}

// add adds a span to the result. Of several errors that of the lowest game is kept.
func (m *match) add(f finished) {
	m.result.Add(f.score)
	if f.err != nil && (m.err == nil || failedGame(f.err) < failedGame(m.err)) {
		m.err = f.err
	}
	for _, g := range f.games {
		if err := m.config.Record(g); err != nil {
			m.err = cmp.Or(m.err, err)
			return
		}
	}
}

// close ends the match. Without a decision all that was finished counts, also beyond
// a span that was not.
func (m *match) close() {
	if m.result.Decision != rating.Undecided {
		return
	}
	for _, number := range slices.Sorted(maps.Keys(m.waiting)) {
		m.add(m.waiting[number])
	}
}

// failedGame returns the number of the game that passed the turn limit; any other
// error, such as the end of the context, comes after all games.
func failedGame(err error) uint64 {
	var limit *ur.TurnLimitError
	if errors.As(err, &limit) {
		return limit.Game
	}
	return ^uint64(0)
}
