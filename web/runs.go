package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/seed-09dcdc84/ur/board"
	"github.com/seed-09dcdc84/ur/board/rules"
	"github.com/seed-09dcdc84/ur/play"
	"github.com/seed-09dcdc84/ur/web/internal/friend"
	"github.com/seed-09dcdc84/ur/web/internal/game"
	"github.com/seed-09dcdc84/ur/web/internal/live"
)

// watch starts to follow the data folder and the fleet.
func (s *Server) watch() {
	if s.folder.root != nil {
		s.hub.Watch(s.folder.root)
	}
	if s.config.Fleet != nil {
		s.hub.Poll("fleet", "Fleet", 2*time.Second, s.config.Fleet)
	}
}

// runs answers how everything stands.
func (s *Server) runs(w http.ResponseWriter, _ *http.Request) {
	write(w, http.StatusOK, s.hub.Since(0))
}

// MatchQuestion asks for a match.
type MatchQuestion struct {
	Players [2]string `json:"players"`
	Games   int       `json:"games"`
	Pieces  int       `json:"pieces"` // 0 means 7
	Seed    uint64    `json:"seed"`
}

// parseMatch reads the question for a match.
func parseMatch(text []byte) (q MatchQuestion, err error) {
	if err := game.Decode(text, &q); err != nil {
		return q, fmt.Errorf("the question is not the JSON of a match: %w", err)
	}
	return q, nil
}

// beginMatch begins a match.
func (s *Server) beginMatch(w http.ResponseWriter, r *http.Request) {
	text, leave, ok := s.question(w, r)
	if !ok {
		return
	}
	defer leave()
	q, err := parseMatch(text)
	if err == nil {
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		var id string
		if id, err = s.begin(ctx, q); err == nil {
			write(w, http.StatusCreated, begun{"ur.web-begun/1", id})
			return
		}
	}
	if errors.Is(err, live.ErrBusy) || errors.As(err, new(*game.PreparingError)) {
		retryAfter(w, 2*time.Second)
		fail(w, http.StatusServiceUnavailable, "%s", sentence(err))
		return
	}
	fail(w, http.StatusBadRequest, "%s", sentence(err))
}

// begun is the answer to a started match.
type begun struct {
	Schema string `json:"schema"` // ur.web-begun/1
	ID     string `json:"id"`     // of the run
}

// begin starts a match between available players.
func (s *Server) begin(ctx context.Context, q MatchQuestion) (id string, err error) {
	set, err := rules.Finkel().WithPieces(cmp.Or(q.Pieces, board.MaxPieces))
	if err != nil {
		return "", err
	}
	c := play.MatchConfig{Games: q.Games, Pieces: q.Pieces, Seed: q.Seed, Parallel: s.config.Parallel}
	for i, name := range q.Players {
		if c.Players[i], err = s.room.Players.Player(ctx, set, name); err != nil {
			return "", err
		}
	}
	return s.hub.Begin(c)
}

// stopMatch stops a match started here.
func (s *Server) stopMatch(w http.ResponseWriter, r *http.Request) {
	if _, ok := body(w, r); !ok {
		return
	}
	if err := s.hub.Stop(r.PathValue("id")); err != nil {
		fail(w, http.StatusNotFound, "%s", sentence(err))
		return
	}
	write(w, http.StatusOK, struct{}{})
}

// How events are sent.
const (
	eventTime = 10 * time.Second       // limit for a client to receive one
	beat      = 15 * time.Second       // between signs of life
	eventGap  = 150 * time.Millisecond // between events at least
)

// events sends changes as they happen. The first event contains the complete state.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	leave, ok := enter(w, s.streams, "listeners")
	if !ok {
		return
	}
	defer leave()
	to := newStream(w)
	news := s.hub.Since(0)
	for err := send(w, to, news); err == nil; {
		if !pause(r.Context(), s.hub.Closed()) {
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), beat)
		changed := s.hub.Wait(ctx, news.Version)
		cancel()
		switch {
		case changed:
			news = s.hub.Since(news.Version)
			err = send(w, to, news)
		case r.Context().Err() != nil, friend.IsClosed(s.hub.Closed()):
			return
		default:
			err = sendText(w, to, ": still here\n\n")
		}
	}
}

// pause waits a little between events, and reports whether the client is still connected.
func pause(ctx context.Context, closed <-chan struct{}) bool {
	select {
	case <-time.After(eventGap):
		return true
	case <-closed:
	case <-ctx.Done():
	}
	return false
}

// send sends an event.
func send(w http.ResponseWriter, to *http.ResponseController, news live.News) error {
	text, err := json.Marshal(news)
	if err != nil {
		return err
	}
	return sendText(w, to, "event: runs\ndata: "+string(text)+"\n\n")
}

// newStream begins a stream of events.
func newStream(w http.ResponseWriter) *http.ResponseController {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	return http.NewResponseController(w)
}

// sendText sends text, and fails if the client does not take it in time.
func sendText(w http.ResponseWriter, to *http.ResponseController, text string) error {
	if err := to.SetWriteDeadline(time.Now().Add(eventTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := w.Write([]byte(text)); err != nil {
		return err
	}
	return to.Flush()
}
