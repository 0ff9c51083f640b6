package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/seed-09dcdc84/ur/internal/text"
	"github.com/seed-09dcdc84/ur/web/internal/friend"
	"github.com/seed-09dcdc84/ur/web/internal/game"
)

func writeJSON(w http.ResponseWriter, status int, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		writeError(w, http.StatusInternalServerError, "the answer cannot be written as JSON: %v", err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(append(text, '\n')) //nolint:errcheck // the client is gone: there is no one to report to
}

// writeError answers with an error, on one line.
func writeError(w http.ResponseWriter, status int, format string, args ...any) {
	line := strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " ")
	writeJSON(w, status, map[string]string{"error": line})
}

func (s *Server) answerNothing(w http.ResponseWriter, r *http.Request) {
	writeError(w, http.StatusNotFound, "not found: %s %s", r.Method, text.Clip(r.URL.Path))
}

func (s *Server) answerAbout(w http.ResponseWriter, _ *http.Request) {
	a := game.NewAbout(s.config.Version)
	a.Server = true
	writeJSON(w, http.StatusOK, a)
}

// enterPlace takes one of the places for requests, or answers with an error if there is none. leave
// gives it back.
func enterPlace(w http.ResponseWriter, places chan struct{}, what string) (leave func(), ok bool) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, true
	default:
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusServiceUnavailable, "%d %s at a time are too many: try again in a second",
			cap(places), what)
		return nil, false
	}
}

// readBody reads the JSON of a request. Its type is asked for, since a page of another site
// could send any other without being asked by its browser.
func readBody(w http.ResponseWriter, r *http.Request) (content []byte, ok bool) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		writeError(w, http.StatusUnsupportedMediaType, "the request is %q (want application/json)",
			text.Clip(r.Header.Get("Content-Type")))
		return nil, false
	}
	content, err = io.ReadAll(r.Body)
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &long):
		writeError(w, http.StatusRequestEntityTooLarge, "the request has more than %d bytes", long.Limit)
	case err != nil:
		writeError(w, http.StatusBadRequest, "the request was not read completely: %v", err)
	}
	return content, err == nil
}

func (s *Server) questionHandler(answer func(ctx context.Context, r *http.Request, question []byte) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		question, ok := readBody(w, r) // no place is taken yet: a slow sender must not block others
		if !ok {
			return
		}
		leave, ok := enterPlace(w, s.answers, "questions")
		if !ok {
			return
		}
		defer leave()
		ctx, cancel := context.WithTimeout(r.Context(), answerTime)
		defer cancel()
		value, err := answer(ctx, r, question)
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s (try again, or choose a faster player): %w",
				answerTime, context.DeadlineExceeded)
		}
		if err == nil {
			writeJSON(w, http.StatusOK, value)
			return
		}
		status := statusOf(err)
		if status == http.StatusServiceUnavailable {
			w.Header().Set("Retry-After", strconv.Itoa(int(preparePatience.Seconds())))
		}
		writeError(w, status, "%v", err)
	}
}

// statusOf returns the HTTP status of an error. After 503 a page repeats its request.
func statusOf(err error) int {
	switch {
	case errors.As(err, new(*game.PreparingError)), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	case errors.Is(err, friend.ErrUnknown):
		return http.StatusNotFound
	case errors.Is(err, friend.ErrFull):
		return http.StatusTooManyRequests
	case errors.Is(err, friend.ErrSeats), errors.Is(err, friend.ErrToken):
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}

// answerGame answers a question about a game. Analyses, which take longest, leave processors to others.
func (s *Server) answerGame(ctx context.Context, r *http.Request, question []byte) (any, error) {
	verb := r.PathValue("verb")
	if verb == "analysis" {
		select {
		case s.analyses <- struct{}{}:
			defer func() { <-s.analyses }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return s.service.Answer(ctx, verb, question)
}

// answerFriend answers a request about a game of two people, or one for a new game.
func (s *Server) answerFriend(_ context.Context, r *http.Request, question []byte) (any, error) {
	var q friend.Request
	if err := game.Decode(question, &q); err != nil {
		return nil, fmt.Errorf("the question is not the JSON of one: %w", err)
	}
	if id := r.PathValue("id"); id != "" {
		return s.friends.Do(id, r.PathValue("verb"), &q)
	}
	return s.friends.Create(addressOf(r), &q)
}

// addressOf returns a client's address; a whole network of 64 bits counts as one client. A
// proxy on this machine names its client in the last X-Forwarded-For.
func addressOf(r *http.Request) string {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	client := at.Addr().Unmap()
	if forwarded := r.Header.Values("X-Forwarded-For"); client.IsLoopback() && len(forwarded) > 0 {
		last := forwarded[len(forwarded)-1]
		if named, err := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndexByte(last, ',')+1:])); err == nil {
			client = named.Unmap()
		}
	}
	network, _ := client.Prefix(min(client.BitLen(), 64)) // the length fits
	return network.String()
}

// How events are sent.
const (
	eventTime = 10 * time.Second       // limit for a client to receive one
	beat      = 15 * time.Second       // between signs of life
	eventGap  = 150 * time.Millisecond // between events at least
)

// friendEvents sends the state of a game of two people, at first and after every change.
func (s *Server) friendEvents(w http.ResponseWriter, r *http.Request) {
	leave, ok := enterPlace(w, s.streams, "players and watchers")
	if !ok {
		return
	}
	defer leave()
	next, leaveGame, err := s.friends.Watch(r.PathValue("id"))
	if err != nil {
		writeError(w, statusOf(err), "%v", err)
		return
	}
	defer leaveGame()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // or nginx would keep events until its buffer is full
	to := http.NewResponseController(w)
	for {
		state, err := next(r.Context(), beat)
		if err != nil {
			return
		}
		event := ": still here\n\n"
		if state != nil {
			line, err := json.Marshal(state)
			if err != nil {
				return
			}
			event = "event: game\ndata: " + string(line) + "\n\n"
		}
		if err := to.SetWriteDeadline(time.Now().Add(eventTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return
		}
		if _, err := io.WriteString(w, event); err != nil || to.Flush() != nil {
			return
		}
		select {
		case <-time.After(eventGap):
		case <-s.friends.Closed:
			return
		case <-r.Context().Done():
			return
		}
	}
}
