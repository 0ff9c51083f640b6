package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/web/internal/game"
)

// write writes a value as JSON.
func write(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		fail(w, http.StatusInternalServerError, "the answer cannot be written as JSON: %v", err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) //nolint:errcheck // the client is gone: there is no one to report to
}

// fail answers with an error.
func fail(w http.ResponseWriter, status int, format string, args ...any) {
	write(w, status, struct {
		Error string `json:"error"`
	}{fmt.Sprintf(format, args...)})
}

// nothing answers where there is nothing.
func (s *Server) nothing(w http.ResponseWriter, r *http.Request) {
	fail(w, http.StatusNotFound, "not found: %s %s", r.Method, clip(r.URL.Path))
}

// enter takes one of the places for requests, or answers with an error if there is none. leave
// gives it back.
func enter(w http.ResponseWriter, places chan struct{}, what string) (leave func(), ok bool) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, true
	default:
		retryAfter(w, time.Second)
		fail(w, http.StatusServiceUnavailable, "%d %s at a time are too many: try again in a second", cap(places), what)
		return nil, false
	}
}

// retryAfter asks a client to wait before it tries again.
func retryAfter(w http.ResponseWriter, d time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(d.Seconds())))
}

// body reads the JSON of a request. Its type is asked for, since a page of another site
// could send any other without being asked by its browser.
func body(w http.ResponseWriter, r *http.Request) (text []byte, ok bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, "the request is %q (want application/json)", clip(r.Header.Get("Content-Type")))
		return nil, false
	}
	text, err = io.ReadAll(r.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		fail(w, http.StatusRequestEntityTooLarge, "the request has more than %d bytes", long.Limit)
	case err != nil:
		fail(w, http.StatusBadRequest, "the request was not read completely: %v", err)
	}
	return text, err == nil
}

// question reads the JSON of a request and takes a place for the answer, or answers with an error.
// leave gives the place back.
func (s *Server) question(w http.ResponseWriter, r *http.Request) (text []byte, leave func(), ok bool) {
	if text, ok = body(w, r); ok { // before taking a place: a slow sender must not block others
		leave, ok = enter(w, s.answers, "questions")
	}
	return text, leave, ok
}

// game answers a question about a game.
func (s *Server) game(w http.ResponseWriter, r *http.Request) {
	text, leave, ok := s.question(w, r)
	if !ok {
		return
	}
	defer leave()
	ctx, cancel := context.WithTimeout(r.Context(), answerTime)
	defer cancel()
	answer, err := s.answer(ctx, r.PathValue("verb"), text)
	switch {
	case errors.As(err, new(*game.PreparingError)):
		retryAfter(w, 2*time.Second)
		fail(w, http.StatusServiceUnavailable, "%s", sentence(err))
	case errors.Is(err, context.DeadlineExceeded):
		fail(w, http.StatusServiceUnavailable, "no answer within %s (try again, or choose a faster player)", answerTime)
	case err != nil:
		fail(w, http.StatusBadRequest, "%s", sentence(err))
	default:
		write(w, http.StatusOK, answer)
	}
}

// answer lets the room answer. Analyses, which take longest, leave processors to others.
func (s *Server) answer(ctx context.Context, verb string, question []byte) (any, error) {
	if verb == "analysis" {
		select {
		case s.analyses <- struct{}{}:
			defer func() { <-s.analyses }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.room.Answer(ctx, verb, question)
}

// sentence returns an error as the page shows it, on one line.
func sentence(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// about answers with the features of the server.
func (s *Server) about(w http.ResponseWriter, _ *http.Request) {
	a := s.room.About(s.config.Version)
	a.Server, a.Rooms, a.Data, a.Fleet, a.Ladder = true, true, s.config.Data != "", s.config.Fleet != nil, len(s.config.Records) > 0
	write(w, http.StatusOK, a)
}
