package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
	"github.com/seed-09dcdc84/ur/play"
)

// matchSpec are the settings of a match that determine its games.
type matchSpec struct {
	Players   [2]string `json:"players"` // as they travel
	Seed      uint64    `json:"seed"`
	Pieces    int       `json:"pieces"`
	Rules     *ruleSet  `json:"rules,omitempty"` // nil for Finkel's
	TurnLimit int       `json:"turn_limit"`
	Luck      string    `json:"luck,omitempty"` // the table for measuring luck, likewise
}

// ruleSet is a rule set as it travels: its definition, which is checked on arrival.
type ruleSet struct{ *rules.Rules }

// UnmarshalJSON reads and checks a definition.
func (r *ruleSet) UnmarshalJSON(text []byte) (err error) {
	r.Rules, err = rules.Parse(text)
	return err
}

// set returns the rule set, nil for Finkel's.
func (m *matchSpec) set() *rules.Rules {
	if m.Rules == nil {
		return nil
	}
	return m.Rules.Rules
}

// Backend plays matches and tournaments on a fleet. It serves many goroutines.
type Backend struct {
	conn *fleet.Conn
	luck string // file of the table by which luck is measured; "" for that of the cache

	// Verify is the share of tasks computed a second time by this process, 0 to 1.
	Verify float64

	sessions[matchKey, matchSpec]
}

// matchKey is a match as the client names it.
type matchKey struct {
	players           [2]string
	rules             *rules.Rules
	seed              uint64
	pieces, turnLimit int
	luck              bool
}

// NewBackend returns a backend. luck is the file of the table of [play.MatchConfig.Luck], or ""
// if that is the cached one, or nil.
func NewBackend(conn *fleet.Conn, luck string) *Backend {
	return &Backend{conn: conn, luck: luck}
}

// Runner returns a runner of a match.
func (b *Backend) Runner(ctx context.Context, c play.MatchConfig) (match.SpanRunner[play.Score], error) {
	key := matchKey{[2]string{c.Players[0].Name(), c.Players[1].Name()}, c.Rules, c.Seed, c.Pieces, c.TurnLimit, c.Luck != nil}
	m, err := b.get(key, func() (*fleet.Session, matchSpec, error) { return b.open(ctx, c) })
	if err != nil {
		return nil, err
	}
	return &backendRunner{m.session, m.spec}, nil
}

// open sends the files of a match, and opens its session.
func (b *Backend) open(ctx context.Context, c play.MatchConfig) (*fleet.Session, matchSpec, error) {
	spec := matchSpec{Seed: c.Seed, Pieces: c.Pieces, TurnLimit: c.TurnLimit}
	if c.Rules != nil {
		spec.Rules = &ruleSet{c.Rules}
	}
	var files []string
	for i, p := range c.Players {
		name, sums, err := ship(ctx, b.conn, c.Rules, p.Name(), c.Pieces)
		if err != nil {
			return nil, spec, err
		}
		spec.Players[i] = name
		files = append(files, sums...)
	}
	if c.Luck != nil {
		name, sums, err := shipTable(ctx, b.conn, c.Rules, b.luck, c.Pieces)
		if err != nil {
			return nil, spec, err
		}
		spec.Luck = name
		files = append(files, sums...)
	}
	session, err := openSession(ctx, b.conn, matchKind{}.Name(), spec, files, spec.check)
	if err != nil {
		return nil, spec, err
	}
	session.Verify(b.Verify, func() (fleet.Runner, error) {
		runner, err := play.NewRunner(ctx, c)
		return matchRunner{runner}, err
	})
	return session, spec, nil
}

// spanScore is a worker's answer: the score, and its span.
type spanScore struct {
	Span  match.Span `json:"span"`
	Score play.Score `json:"score"`
}

// GamesPlayed counts the games of the span.
func (a spanScore) GamesPlayed() int64 { return a.Score.Tally.Games }

// Spans are numbered by their content, so a match divided differently has other tasks.
const (
	spanBits = 22 // of the number of pairs, and whether the last is half a one
	maxFirst = 1 << (64 - spanBits)
)

// taskOf returns the number of a span.
func taskOf(s match.Span) uint64 {
	odd := uint64(0)
	if s.Odd {
		odd = 1
	}
	return s.First<<spanBits | uint64(s.Pairs)<<1 | odd
}

// checkSpan returns an error for a span that has no number.
func checkSpan(s match.Span) error {
	if s.Pairs < 1 || s.Pairs >= 1<<(spanBits-1) || s.First >= maxFirst {
		return fmt.Errorf("invalid task: %d pairs of games from pair %d (want 1 to %d pairs, from below pair %d)", s.Pairs, s.First, 1<<(spanBits-1)-1, uint64(maxFirst))
	}
	return nil
}

// backendRunner plays spans of one match.
type backendRunner struct {
	session *fleet.Session
	spec    matchSpec
}

// turnLimit is the detail of a failure of a game without end.
type turnLimit struct {
	Score play.Score `json:"score"` // of the games before it
	Seed  uint64     `json:"seed"`
	Game  uint64     `json:"game"`
	Limit int        `json:"limit"`
}

// Play waits for the score of the span.
func (t *backendRunner) Play(ctx context.Context, s match.Span) (play.Score, error) {
	if err := checkSpan(s); err != nil {
		return play.Score{}, err
	}
	output, err := t.session.Do(ctx, taskOf(s), s)
	if failure, ok := errors.AsType[*fleet.Failure](err); ok && len(failure.Detail) > 0 {
		var f turnLimit
		if json.Unmarshal(failure.Detail, &f) == nil && f.Limit == t.spec.TurnLimit && t.spec.checkTally(f.Score.Tally) == nil {
			return f.Score, &ur.TurnLimitError{Seed: f.Seed, Game: f.Game, Limit: f.Limit}
		}
	}
	if err != nil {
		return play.Score{}, err
	}
	var a spanScore
	if err := json.Unmarshal(output, &a); err != nil {
		return play.Score{}, err
	}
	return a.Score, nil
}

// matchKind computes spans of matches.
type matchKind struct{ engine ur.Engine }

func (matchKind) Name() string { return "match" }

// Open seats the players.
func (k matchKind) Open(ctx context.Context, spec json.RawMessage, file func(sum string) (string, error)) (fleet.Runner, error) {
	var m matchSpec
	if err := json.Unmarshal(spec, &m); err != nil {
		return nil, fmt.Errorf("match: %w", err)
	}
	c := play.MatchConfig{Seed: m.Seed, Rules: m.set(), Pieces: m.Pieces, TurnLimit: m.TurnLimit, Parallel: 1, Engine: k.engine}
	for i, spec := range m.Players {
		p, err := seat(m.set(), spec, file)
		if err != nil {
			return nil, err
		}
		c.Players[i] = p
	}
	if m.Luck != "" {
		var err error
		if c.Luck, err = seatTable(ctx, m.set(), m.Luck, m.Pieces, file); err != nil {
			return nil, err
		}
	}
	table, err := play.NewRunner(ctx, c)
	if err != nil {
		return nil, err
	}
	return matchRunner{table}, nil
}

// matchRunner plays at a table of this process.
type matchRunner struct{ table match.SpanRunner[play.Score] }

func (r matchRunner) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	var s match.Span
	if err := json.Unmarshal(work, &s); err != nil {
		return nil, &fleet.Failure{Message: fmt.Sprintf("task %d of a match: %v", task, err)}
	}
	if checkSpan(s) != nil || taskOf(s) != task {
		return nil, &fleet.Failure{Message: fmt.Sprintf("task %d of a match is asked for as %+v", task, s)}
	}
	score, err := r.table.Play(ctx, s)
	if limit, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		detail, err := json.Marshal(turnLimit{score, limit.Seed, limit.Game, limit.Limit})
		if err != nil {
			return nil, err
		}
		return nil, &fleet.Failure{Message: limit.Error(), Detail: detail}
	}
	return spanScore{s, score}, err
}
