package work

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
)

// Spans are numbered by their content, so a match divided differently has other tasks.
const (
	spanBits = 22 // bits of the number of pairs, and whether the last is half a one
	maxFirst = 1 << (64 - spanBits)
)

func taskOf(s match.Span) uint64 {
	odd := uint64(0)
	if s.Odd {
		odd = 1
	}
	return s.First<<spanBits | uint64(s.Pairs)<<1 | odd
}

func checkSpan(s match.Span) error {
	if s.Pairs < 1 || s.Pairs >= 1<<(spanBits-1) || s.First >= maxFirst {
		return fmt.Errorf("invalid task: %d pairs of games from pair %d (want 1 to %d pairs, from below pair %d)",
			s.Pairs, s.First, 1<<(spanBits-1)-1, uint64(maxFirst))
	}
	return nil
}

// spanScore is a worker's answer: a span's score.
type spanScore[S match.Score[S]] struct {
	Span  match.Span `json:"span"`
	Score S          `json:"score"`
}

// GamesPlayed counts the span's games.
func (a spanScore[S]) GamesPlayed() int64 { return a.Score.FinishedGames() }

// checkAnswer returns an error for an answer that is not of a task, or whose score check rejects.
func checkAnswer[S match.Score[S]](task uint64, output json.RawMessage, check func(match.Span, S) error) error {
	var a spanScore[S]
	if err := json.Unmarshal(output, &a); err != nil {
		return err
	}
	if checkSpan(a.Span) != nil || taskOf(a.Span) != task {
		return fmt.Errorf("result of another task: %d pairs from pair %d", a.Span.Pairs, a.Span.First)
	}
	return check(a.Span, a.Score)
}

// endless is the detail of a failure of a game without end.
type endless[S any] struct {
	Score S      `json:"score"` // score before it
	Seed  uint64 `json:"seed"`
	Game  uint64 `json:"game"`
	Limit int    `json:"limit"`
}

// spanRunner computes spans of a match in this process.
type spanRunner[S match.Score[S]] struct{ runner match.SpanRunner[S] }

// Run plays a span.
func (r spanRunner[S]) Run(ctx context.Context, task uint64, work json.RawMessage) (any, error) {
	var s match.Span
	if err := json.Unmarshal(work, &s); err != nil {
		return nil, fleet.Failf("task %d of a match: %v", task, err)
	}
	if checkSpan(s) != nil || taskOf(s) != task {
		return nil, fleet.Failf("task %d of a match: span %+v is another task", task, s)
	}
	score, err := r.runner.Play(ctx, s)
	if limit, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		detail, err := json.Marshal(endless[S]{score, limit.Seed, limit.Game, limit.Limit})
		if err != nil {
			return nil, err
		}
		return nil, &fleet.Failure{Message: limit.Error(), Detail: detail}
	}
	return spanScore[S]{s, score}, err
}

// client plays the matches of one command on a fleet: they differ only in players and seeds. It
// serves many goroutines.
type client[S match.Score[S]] struct {
	conn *fleet.Conn

	// Verify is the share of tasks computed a second time by this process, 0 to 1.
	Verify float64

	mutex   sync.Mutex // guards matches
	matches map[matchKey]*remoteMatch[S]
}

// matchKey identifies a match of a client.
type matchKey struct {
	players [2]string
	seed    uint64
}

// remoteMatch is a match of a client. The first goroutine that needs it opens it, without the
// client's mutex: files may take long to send.
type remoteMatch[S match.Score[S]] struct {
	once    sync.Once
	session *fleet.Session
	err     error
	partial func(score S, limit int) error
}

// request describes a match to a fleet.
type request[S match.Score[S]] struct {
	kind  string
	spec  any
	files []string

	check func(match.Span, S) error           // whether a span can have a score
	here  func() (match.SpanRunner[S], error) // plays in this process

	// partial, if not nil, returns an error if the games before one that exceeds a turn limit
	// cannot have a score.
	partial func(score S, limit int) error
}

// newRunner returns a runner of a match. open sends its files and describes it.
func (c *client[S]) newRunner(ctx context.Context, key matchKey,
	open func() (request[S], error)) (match.SpanRunner[S], error) {
	c.mutex.Lock()
	m := c.matches[key]
	if m == nil {
		m = new(remoteMatch[S])
		if c.matches == nil {
			c.matches = map[matchKey]*remoteMatch[S]{}
		}
		c.matches[key] = m
	}
	c.mutex.Unlock()
	m.once.Do(func() { m.err = c.startSession(ctx, m, open) })
	return m, m.err
}

func (c *client[S]) startSession(ctx context.Context, m *remoteMatch[S], open func() (request[S], error)) error {
	r, err := open()
	if err != nil {
		return err
	}
	spec, err := json.Marshal(r.spec)
	if err != nil {
		return err
	}
	e := fleet.Experiment{Kind: r.kind, Code: CodeVersion(), Spec: spec, Files: r.files}
	m.session, err = c.conn.Open(ctx, e,
		func(task uint64, output json.RawMessage) error { return checkAnswer(task, output, r.check) })
	if err != nil {
		return err
	}
	m.partial = r.partial
	m.session.Verify(c.Verify, func() (fleet.Runner, error) {
		runner, err := r.here()
		return spanRunner[S]{runner}, err
	})
	return nil
}

// Close removes waiting tasks from the queue, such as the rest of a decided match.
func (c *client[S]) Close(ctx context.Context) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	var errs []error
	for key, m := range c.matches {
		if m.session != nil {
			errs = append(errs, m.session.Withdraw(ctx))
		}
		delete(c.matches, key)
	}
	return errors.Join(errs...)
}

// Play waits for the span's score.
func (m *remoteMatch[S]) Play(ctx context.Context, s match.Span) (score S, err error) {
	if err := checkSpan(s); err != nil {
		return score, err
	}
	output, err := m.session.Do(ctx, taskOf(s), s)
	if failure, ok := errors.AsType[*fleet.Failure](err); ok && len(failure.Detail) > 0 && m.partial != nil {
		var f endless[S]
		if json.Unmarshal(failure.Detail, &f) == nil && m.partial(f.Score, f.Limit) == nil {
			return f.Score, &ur.TurnLimitError{Seed: f.Seed, Game: f.Game, Limit: f.Limit}
		}
	}
	if err != nil {
		return score, err
	}
	var a spanScore[S]
	err = json.Unmarshal(output, &a)
	return a.Score, err
}
