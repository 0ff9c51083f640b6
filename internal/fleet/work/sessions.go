package work

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/seed-09dcdc84/ur/fleet"
)

// sessions are the sessions of a backend, one for each match. The first goroutine that needs a
// session opens it, without the mutex: files may take long to send.
type sessions[Key comparable, Spec any] struct {
	mutex sync.Mutex
	open  map[Key]*session[Spec]
}

// session is a session with the settings of its match.
type session[Spec any] struct {
	once    sync.Once
	session *fleet.Session
	spec    Spec
	err     error
}

// get returns the session of a match, opened by open.
func (s *sessions[Key, Spec]) get(key Key, open func() (*fleet.Session, Spec, error)) (*session[Spec], error) {
	s.mutex.Lock()
	m := s.open[key]
	if m == nil {
		m = new(session[Spec])
		if s.open == nil {
			s.open = map[Key]*session[Spec]{}
		}
		s.open[key] = m
	}
	s.mutex.Unlock()
	m.once.Do(func() { m.session, m.spec, m.err = open() })
	return m, m.err
}

// Close removes waiting tasks from the queue, such as the rest of a decided match, and closes
// the sessions.
func (s *sessions[Key, Spec]) Close(ctx context.Context) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	var errs []error
	for key, m := range s.open {
		if m.session != nil {
			errs = append(errs, m.session.Withdraw(ctx), m.session.Close())
		}
		delete(s.open, key)
	}
	return errors.Join(errs...)
}

// openSession opens a session with settings and files in the fleet's store.
func openSession(ctx context.Context, conn *fleet.Conn, kind string, spec any, files []string, check func(task uint64, output json.RawMessage) error) (*fleet.Session, error) {
	data, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	return conn.Open(ctx, fleet.Experiment{Kind: kind, Code: CodeVersion(), Spec: data, Files: files}, check)
}
