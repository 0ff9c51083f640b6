package web

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/seed-09dcdc84/ur/web/internal/friend"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// maxPlayerStreams bounds how many browsers follow games of two people.
const maxPlayerStreams = 256

// createFriend creates a game of two people.
func (s *Server) createFriend(w http.ResponseWriter, r *http.Request) {
	s.answerFriend(w, r, s.lobby.Create)
}

// friend answers a request about a game of two people.
func (s *Server) friend(w http.ResponseWriter, r *http.Request) {
	s.answerFriend(w, r, func(q *friend.Request) (*friend.State, error) {
		return s.lobby.Do(r.PathValue("id"), r.PathValue("verb"), q)
	})
}

// answerFriend parses a request about a game of two people and writes the answer.
func (s *Server) answerFriend(w http.ResponseWriter, r *http.Request, do func(*friend.Request) (*friend.State, error)) {
	text, leave, ok := s.question(w, r)
	if !ok {
		return
	}
	defer leave()
	var q friend.Request
	if err := game.Decode(text, &q); err != nil {
		fail(w, http.StatusBadRequest, "the question is not the JSON of one: %s", sentence(err))
		return
	}
	state, err := do(&q)
	if err != nil {
		fail(w, friendStatus(err), "%s", sentence(err))
		return
	}
	write(w, http.StatusOK, state)
}

// friendStatus returns the HTTP status of an error. None is 503, after which a page would
// repeat the request for ever.
func friendStatus(err error) int {
	switch {
	case errors.Is(err, friend.ErrUnknown):
		return http.StatusNotFound
	case errors.Is(err, friend.ErrFull):
		return http.StatusTooManyRequests
	case errors.Is(err, friend.ErrSeats), errors.Is(err, friend.ErrToken):
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// friendEvents sends the state of a game of two people, at first and after every change.
func (s *Server) friendEvents(w http.ResponseWriter, r *http.Request) {
	leave, ok := enter(w, s.playerStreams, "players and watchers")
	if !ok {
		return
	}
	defer leave()
	next, leaveGame, err := s.lobby.Watch(r.PathValue("id"))
	if err != nil {
		fail(w, friendStatus(err), "%s", sentence(err))
		return
	}
	defer leaveGame()
	to := newStream(w)
	for {
		state, err := next(r.Context().Done(), beat)
		if err != nil {
			return
		}
		text := ": still here\n\n"
		if state != nil {
			line, err := json.Marshal(state)
			if err != nil {
				return
			}
			text = "event: game\ndata: " + string(line) + "\n\n"
		}
		if err := sendText(w, to, text); err != nil || !pause(r.Context(), s.lobby.Closed()) {
			return
		}
	}
}
