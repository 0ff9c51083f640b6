package work

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/seed-09dcdc84/ur"
	"github.com/seed-09dcdc84/ur/fleet"
	"github.com/seed-09dcdc84/ur/match"
)

// checkWith returns the check of a session: an error for an output that is no score, or whose score
// check rejects for the work.
func checkWith[W, S any](check func(W, S) error) func(work, output json.RawMessage) error {
	return func(work, output json.RawMessage) error {
		var w W
		var score S
		if err := errors.Join(json.Unmarshal(work, &w), json.Unmarshal(output, &score)); err != nil {
			return err
		}
		return check(w, score)
	}
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
func (r spanRunner[S]) Run(ctx context.Context, work json.RawMessage) (any, error) {
	var s match.Span
	if err := json.Unmarshal(work, &s); err != nil {
		return nil, fleet.Failf("task of a match: %v", err)
	}
	return r.playSpan(ctx, s)
}

func (r spanRunner[S]) playSpan(ctx context.Context, s match.Span) (any, error) {
	if s.Pairs < 1 {
		return nil, fleet.Failf("task of a match: %d pairs (want 1 or more)", s.Pairs)
	}
	score, err := r.runner.Play(ctx, s)
	if limit, ok := errors.AsType[*ur.TurnLimitError](err); ok {
		detail, err := json.Marshal(endless[S]{score, limit.Seed, limit.Game, limit.Limit})
		if err != nil {
			return nil, err
		}
		return nil, &fleet.Failure{Message: limit.Error(), Detail: detail}
	}
	return score, err
}

// Matches is the [match.Backend] of one command, which plays its matches on a fleet: they differ only
// in players and seeds. It serves many goroutines.
type Matches[M any, S match.Score[S]] struct {
	conn  *fleet.Conn
	keyOf func(M) matchKey
	send  func(context.Context, *fleet.Conn, M) (request[S], error) // sends a match's files, and describes it

	// Verify is the share of tasks computed a second time by this process, 0 to 1.
	Verify float64

	mutex   sync.Mutex // guards matches
	matches map[matchKey]*remoteMatch[S]
}

// matchKey identifies a match of a backend.
type matchKey struct {
	players [2]string
	seed    uint64
}

// remoteMatch is a match of a backend. The first goroutine that needs it opens it, without the
// backend's mutex: files may take long to send.
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

// Runner returns a runner of a match.
func (b *Matches[M, S]) Runner(ctx context.Context, m M) (match.SpanRunner[S], error) {
	key := b.keyOf(m)
	b.mutex.Lock()
	remote := b.matches[key]
	if remote == nil {
		remote = new(remoteMatch[S])
		if b.matches == nil {
			b.matches = map[matchKey]*remoteMatch[S]{}
		}
		b.matches[key] = remote
	}
	b.mutex.Unlock()
	remote.once.Do(func() { remote.err = b.startSession(ctx, m, remote) })
	return remote, remote.err
}

func (b *Matches[M, S]) startSession(ctx context.Context, of M, m *remoteMatch[S]) error {
	r, err := b.send(ctx, b.conn, of)
	if err != nil {
		return err
	}
	spec, err := json.Marshal(r.spec)
	if err != nil {
		return err
	}
	e := fleet.Experiment{Kind: r.kind, Code: CodeVersion(), Spec: spec, Files: r.files}
	if m.session, err = b.conn.Open(ctx, e, checkWith(r.check)); err != nil {
		return err
	}
	m.partial = r.partial
	m.session.Verify(b.Verify, func() (fleet.Runner, error) {
		runner, err := r.here()
		return spanRunner[S]{runner}, err
	})
	return nil
}

// Close removes waiting tasks from the queue, such as the rest of a decided match.
func (b *Matches[M, S]) Close(ctx context.Context) error {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	var errs []error
	for key, m := range b.matches {
		if m.session != nil {
			errs = append(errs, m.session.Withdraw(ctx))
		}
		delete(b.matches, key)
	}
	return errors.Join(errs...)
}

// Play waits for the span's score.
func (m *remoteMatch[S]) Play(ctx context.Context, s match.Span) (S, error) {
	return playRemote(ctx, m.session, s, m.partial)
}

// playRemote waits for the score of a task. For partial see [request].
func playRemote[S any](ctx context.Context, session *fleet.Session, work any,
	partial func(score S, limit int) error) (score S, err error) {
	output, err := session.Do(ctx, work)
	if failure, ok := errors.AsType[*fleet.Failure](err); ok && len(failure.Detail) > 0 && partial != nil {
		var f endless[S]
		if json.Unmarshal(failure.Detail, &f) == nil && partial(f.Score, f.Limit) == nil {
			return f.Score, &ur.TurnLimitError{Seed: f.Seed, Game: f.Game, Limit: f.Limit}
		}
	}
	if err != nil {
		return score, err
	}
	err = json.Unmarshal(output, &score)
	return score, err
}
